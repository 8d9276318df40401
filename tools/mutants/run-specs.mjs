// Runs specs on mutated code in one process, until the first failed test.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { patience } from '../../libs/testing/src/patience.ts';
import { bin, node, path, root } from '../workspace.mjs';

const LONGEST_TEST = 90_000;

/**
 * The outcome with the last spec and test: `killed` if a test fails, `hung` if a spec of the project does not end, otherwise `alive`.
 * Specs of other projects start within `seconds` after the first of them. They may be slow, so one that does not end proves nothing.
 */
export async function runSpecs(mutant, specs, seconds) {
  if (specs.length === 0) return { outcome: 'alive' };
  const [own, order] = [specs.filter((each) => each.own), specs].map((list) => list.map(({ spec }) => path(spec)));
  const temporary = mkdtempSync(join(tmpdir(), 'mutant-'));
  const env = {
    ...process.env,
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    NODE_OPTIONS: `--import=${pathToFileURL(path('tools/mutants/product.mjs'))}`,
    // Without the prefix of the product's settings: the product rejects unknown names with it.
    MUTANT: JSON.stringify(mutant && { ...mutant, path: path(mutant.file) }),
    MUTANT_RUN: JSON.stringify({ own, order, dependants: patience(seconds * 1000) }),
    TMPDIR: temporary,
  };
  const args = [
    bin('jest'),
    '--runTestsByPath',
    ...order,
    `--reporters=${path('tools/mutants/reporter.mjs')}`,
    `--testSequencer=${path('tools/mutants/sequencer.cjs')}`,
    '--silent',
    '--runInBand',
    '--forceExit',
  ];
  try {
    return await new Promise((resolve) => {
      const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      const end = () => child.kill('SIGKILL');
      let limit = setTimeout(end, patience(LONGEST_TEST));
      let last = { spec: order[0] };
      child.on('message', (message) => {
        if (last.test === undefined) last = message;
        clearTimeout(limit);
        limit = setTimeout(end, patience(LONGEST_TEST));
      });
      child.once('close', (code) => {
        clearTimeout(limit);
        const isHung = code === null && own.includes(last.spec);
        const outcome = last.test !== undefined || code > 0 ? 'killed' : isHung ? 'hung' : 'alive';
        resolve({ ...last, spec: relative(root, last.spec), outcome });
      });
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}
