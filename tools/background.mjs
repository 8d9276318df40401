import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/**
 * Runs a program at low priority. The program is stopped when this process ends. Returns a function that waits until the program has
 * ended, whether or not it failed.
 */
export function inBackground(command, args) {
  // Its own process group, so that the programs it starts are stopped with it.
  const child = spawn('nice', ['-n', '10', command, ...args], { cwd: root, stdio: 'ignore', detached: true });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  };
  const leave = () => process.exit(130);
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, leave);
  const ended = new Promise((resolve) => {
    const forget = () => {
      process.removeListener('exit', end);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, leave);
      resolve();
    };
    child.once('error', forget).once('close', forget);
  });
  // The child keeps this process alive only while something waits for it.
  child.unref();
  return () => {
    child.ref();
    return ended;
  };
}
