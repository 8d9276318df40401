import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PRELOAD = fileURLToPath(new URL('count-work.cjs', import.meta.url));

/** The environment of a process that counts its work into this file. */
export const counting = (file) => ({ WORK_COUNTS: file, NODE_OPTIONS: `--require ${PRELOAD}` });

/** What the process has done since the last call: statements, rows, syncs, bytes of JSON, sealings, promises, bytes written. */
export async function takeCounts(pid, file) {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await pause(5);
  return JSON.parse(readFileSync(file, 'utf8'));
}
