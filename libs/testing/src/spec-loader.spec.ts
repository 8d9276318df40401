import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parlance-loader-')));
  mkdirSync(join(folder, 'src'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', jest: { preset: fromRoot('tools/specs/jest-preset.mjs') } }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = (name: string) => join(folder, 'src', name);
const write = (name: string, ...lines: readonly string[]) => writeFileSync(source(name), `${lines.join('\n')}\n`);
/** Writes two spec files with the same text, so it does not matter which of them runs first. */
const writeTwice = (name: string, ...lines: readonly string[]) => {
  for (const each of ['a', 'b']) write(`${name}-${each}.spec.ts`, "import { expect, it, jest } from '@jest/globals';", ...lines);
};

function programOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}

/** Runs the spec files in the folder as a project's specs. */
async function runSpecs(env: Readonly<Record<string, string>> = {}) {
  const results = join(folder, 'results.json');
  const args = [fromRoot('node_modules/.bin/jest'), `--reporters=${fromRoot('tools/quiet-reporter.cjs')}`];
  const { code, output } = await programOf(args, { RESULTS_FILE: results, ...env });
  const { passed, failed } = JSON.parse(readFileSync(results, 'utf8')) as Counts;
  return { code, output, counts: { passed, failed } };
}

describe('the loader of specs', () => {
  it('gives each spec file the original process state, and its own instances of modules that set up tests', async () => {
    write('once.ts', "import { appendFileSync } from 'node:fs';", "appendFileSync('loads', 'x');", 'export const once = {};');
    writeTwice('once', "import { once } from './once.ts';", "it('is loaded', () => expect(once).toEqual({}));");

    const support = ["import { beforeEach } from '@jest/globals';", 'export let ran = 0;', 'beforeEach(() => void ran++);'];
    write('support.ts', ...support);
    writeTwice('support', "import { ran } from './support.ts';", "it('has the hook', () => expect(ran).toBe(1));");

    const changed = '[globalThis.leaked, process.env.LEAKED, process.env.PATH === undefined, process.exitCode, Math.random() < 1]';
    writeTwice(
      'globals',
      `it('finds nothing changed', () => expect(${changed}).toEqual([undefined, undefined, false, undefined, true]));`,
      // Only the real process environment converts its values to texts.
      "it('has the environment of the process', () => expect(typeof Object.assign(process.env, { NUMBER: 1 }).NUMBER).toBe('string'));",
      "it('has no timers that stand still', () => new Promise((resolve) => setTimeout(resolve, 1)));",
      "it('leaves changes', () => {",
      '  Object.assign(globalThis, { leaked: 1 });',
      "  process.env = { LEAKED: 'yes' };",
      '  process.exitCode = 3;',
      "  jest.spyOn(Math, 'random').mockReturnValue(7);",
      '  jest.useFakeTimers();',
      '});',
    );
    expect(await runSpecs()).toMatchObject({ code: 0, counts: { passed: 12, failed: 0 } });
    expect(readFileSync(join(folder, 'loads'), 'utf8')).toBe('x');
  });

  it('counts a spec file that cannot be loaded as failed, reports the location of a failure, and runs the others', async () => {
    write(
      'throws.spec.ts',
      "import { it } from '@jest/globals';",
      "it('is not run', () => undefined);",
      "throw new Error('thrown at import');",
    );
    write('broken.ts', 'export const = 1;');
    writeTwice('syntax', "import { value } from './broken.ts';", "it('is not run', () => expect(value).toBe(1));");
    write(
      'fails.spec.ts',
      "import { expect, it } from '@jest/globals';",
      '',
      'type Unused = string;',
      "it('fails', () => expect(1).toBe(2));",
    );
    write('works.spec.ts', "import { it } from '@jest/globals';", "it('works', () => undefined);");
    const { code, output, counts } = await runSpecs();
    expect([code, counts]).toEqual([1, { passed: 1, failed: 4 }]);
    for (const words of ['thrown at import', 'broken.ts', 'fails.spec.ts:4:']) expect(output).toContain(words);
  });

  it('fails a spec file that leaves something open, names it, and does not affect the console and the end of the process', async () => {
    write('closed.spec.ts', "import { it } from '@jest/globals';", "it('works', () => undefined);");
    const open = "it('works', () => void setInterval(() => undefined, 10));";
    write('open.spec.ts', "import { it } from '@jest/globals';", open);
    const { code, output, counts } = await runSpecs({ PATIENCE: '0.02' });
    expect([code, counts]).toEqual([1, { passed: 1, failed: 1 }]);
    expect(output).toMatch(/FAILED .*open\.spec\.ts[^]*something they opened is still there: Timeout/);
    expect(output).not.toContain('process.exit called');
  });

  it('fails a spec file whose server has logged an error that no server may log, even if the server was stopped', async () => {
    write(
      'logged.spec.ts',
      "import { appendFileSync } from 'node:fs';",
      "import { it } from '@jest/globals';",
      `import { unwatchLog, watchLog } from ${JSON.stringify(fromRoot('libs/testing/src/server-log.ts'))};`,
      "it('works', () => {",
      "  watchLog('server.log');",
      "  appendFileSync('server.log', 'ERR_HTTP_HEADERS_SENT\\n');",
      "  unwatchLog('server.log');",
      '});',
    );
    write('works.spec.ts', "import { it } from '@jest/globals';", "it('works', () => undefined);");
    const { code, output, counts } = await runSpecs();
    expect([code, counts]).toEqual([1, { passed: 1, failed: 1 }]);
    expect(output).toMatch(/FAILED .*logged\.spec\.ts[^]*A server has logged an error that is always a defect:\s+ERR_HTTP_HEADERS_SENT/);
  });

  it('compiles a source again if it has changed, or if another compiler version compiled it', async () => {
    write('value.ts', "export const value = 'one';");
    write('value.spec.ts', "import { expect, it } from '@jest/globals';", "import { value } from './value.ts';");
    appendFileSync(source('value.spec.ts'), "it('is the present one', () => expect(value).toBe(process.env.EXPECTED));\n");
    expect(await runSpecs({ EXPECTED: 'one' })).toMatchObject({ code: 0, counts: { passed: 1 } });
    write('value.ts', "export const value = 'two';");
    expect(await runSpecs({ EXPECTED: 'two' })).toMatchObject({ code: 0, counts: { passed: 1 } });
    const compiled = fromRoot(`.cache/specs/${createHash('sha256').update(source('value.ts')).digest('hex')}.js`);
    expect(readFileSync(compiled, 'utf8')).toContain("'two'");
    writeFileSync(compiled, readFileSync(compiled, 'utf8').replace("'two'", "'three'").replace(/.$/, '-'));
    expect(await runSpecs({ EXPECTED: 'two' })).toMatchObject({ code: 0, counts: { passed: 1 } });
  });

  it('lets threads compile the same sources at once', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `part-${nth}.ts`);
    for (const name of names) write(name, `export const text: string = '${'x'.repeat(20_000)}';`);
    const loads = names.map((name) => `await import('${source(name)}');`).join('\n');
    writeFileSync(join(folder, 'thread.mjs'), loads);
    const main = [
      "import { Worker } from 'node:worker_threads';",
      "for (let nth = 0; nth < 6; nth++) new Worker(new URL('./thread.mjs', import.meta.url));",
    ];
    writeFileSync(join(folder, 'main.mjs'), main.join('\n'));
    const { code, output } = await programOf([`--import=${fromRoot('tools/specs/modules.mjs')}`, 'main.mjs']);
    expect([code, output]).toEqual([0, '']);
  });
});
