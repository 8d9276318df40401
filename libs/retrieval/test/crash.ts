import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROUNDS = 8;
const CHUNKS = 20;

/** Kills a process that builds indexes, each time after a different number of started indexes and a different delay. */
export async function crashRounds(directory: string): Promise<{ rounds: number; chunks: number }> {
  const writer = fileURLToPath(new URL('./crash-writer.mjs', import.meta.url));
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', writer, directory, String(round), String(CHUNKS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    let lines = 0;
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the writer ended')));
      child.stdout.on('data', (data: Buffer) => {
        lines += String(data).split('\n').length - 1;
        if (lines > round) resolve();
      });
    });
    // Not a wait for an event: any moment is suitable.
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    child.kill('SIGKILL');
    await exit;
  }
  return { rounds: ROUNDS, chunks: CHUNKS };
}
