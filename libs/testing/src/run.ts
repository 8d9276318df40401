import { spawn } from 'node:child_process';

/** Runs a program to its end. Rejects with its last lines of output if it cannot be started or does not exit with 0. */
export function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: string): void => {
      output = (output + chunk).slice(-4_000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0] ?? ''} ended with ${code ?? signal}:\n${output.trim()}`)),
    );
  });
}
