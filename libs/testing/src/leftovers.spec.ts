import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { reapLeftovers, watch } from './leftovers.ts';
import { waitFor } from './wait-for.ts';

const noteOf = (pid: number): string => join(tmpdir(), `parlance-leftovers-${userInfo().uid}`, `${pid}.json`);
const started: ChildProcess[] = [];

function sleeper(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  started.push(child);
  return child as ChildProcess & { pid: number };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('a watched child', () => {
  it('is killed, and its folder removed, when its parent is killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-watched-'));
    const source = fileURLToPath(new URL('./leftovers.ts', import.meta.url));
    const program = `
      const { watch } = await import(${JSON.stringify(source)});
      const child = (await import('node:child_process')).spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
      watch(child.pid, ${JSON.stringify(folder)});
      console.log(child.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(parent);
    const [output] = (await once(parent.stdout!, 'data')) as [Buffer];
    const pid = Number(output.toString());
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitFor(() => !isRunning(pid) && !existsSync(folder) && !existsSync(noteOf(pid)), { what: 'the child and its folder to go' });
  });

  it('is not killed when it is no longer watched', () => {
    const { pid } = sleeper();
    watch(pid)();
    expect(existsSync(noteOf(pid))).toBe(false);
    expect(isRunning(pid)).toBe(true);
  });
});

describe('reaping', () => {
  it('does not kill a child whose parent is running', () => {
    const { pid } = sleeper();
    const unwatch = watch(pid);
    expect(reapLeftovers()).not.toContain(pid);
    expect(isRunning(pid)).toBe(true);
    unwatch();
  });

  it('kills a child whose parent is dead, and removes its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-left-'));
    const child = sleeper();
    watch(child.pid, folder)();
    note(child.pid, { folder });
    const ended = once(child, 'exit');
    expect(reapLeftovers()).toContain(child.pid);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(noteOf(child.pid))).toBe(false);
  });

  it('does not kill another process that has the ID of a dead child', () => {
    const { pid } = sleeper();
    note(pid, { born: 'another time' });
    expect(reapLeftovers()).not.toContain(pid);
    expect(isRunning(pid)).toBe(true);
    expect(existsSync(noteOf(pid))).toBe(false);
  });

  it('removes only temporary folders of the tests', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'of-another-program-'));
    note(2 ** 22, { folder });
    reapLeftovers();
    expect(existsSync(folder)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('ignores a truncated note', () => {
    writeFileSync(noteOf(1), '{"child":');
    reapLeftovers();
    expect(existsSync(noteOf(1))).toBe(false);
  });
});

/** Writes a note about a child whose parent has ended, as left by a killed run. */
function note(pid: number, { born, folder }: { born?: string; folder?: string }): void {
  const unwatch = watch(pid);
  const { child } = JSON.parse(readFileSync(noteOf(pid), 'utf8')) as { child: { pid: number; born: string } };
  unwatch();
  writeFileSync(noteOf(pid), JSON.stringify({ child: { pid, born: born ?? child.born }, parent: { pid: 2 ** 22, born: '1' }, folder }));
}
