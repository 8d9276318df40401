// Runs scenarios in separate processes, two at a time: each of them often waits for a start or for the end of a lease.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResults } from '../tools/results.mjs';
import { run, twoAtATime } from '../tools/workspace.mjs';

const program = fileURLToPath(new URL('run.mjs', import.meta.url));

/** Returns the counts of all scenarios. Those in `alone` run after the others, one at a time. */
export async function inProcesses({ beside, alone }, args) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-faults-results-'));
  const total = { passed: 0, failed: 0, skipped: [] };
  const one = async (name) => {
    const file = join(folder, `${name}.json`);
    const { code, output } = await run(process.execPath, [program, name, ...args], { env: { ...process.env, RESULTS_FILE: file } });
    console.log(output);
    const { passed, failed, skipped } = readResults(file) ?? { passed: 0, failed: 0, skipped: [] };
    const hasCounted = passed + failed + skipped.length > 0;
    total.passed += passed;
    // A process that fails without a failure in its counts has crashed; one that counts nothing has checked nothing.
    total.failed += failed === 0 && (code !== 0 || !hasCounted) ? 1 : failed;
    total.skipped.push(...skipped);
  };
  try {
    await twoAtATime(beside, one);
    for (const name of alone) await one(name);
    return total;
  } finally {
    await rm(folder, { recursive: true });
  }
}
