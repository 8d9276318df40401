import { spawn } from 'node:child_process';

/** Runs a program to its end. Rejects with its output if it could not start or did not exit with 0. */
export function run(program, args, { input = '', env = {}, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.stdout);
      else reject(new Error(`${program} ${args.join(' ')}\nended with ${code}\n${output.stdout}${output.stderr}`));
    });
    // A program that ends before it has read its input (a refusal) is judged by its exit code alone.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
