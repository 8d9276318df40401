import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/**
 * Runs a program with a low priority beside the others. It ends with this process at the latest. Returns a function that waits for its end,
 * however it ends.
 */
export function inBackground(command, args) {
  // A process group of its own, so that the programs that it starts end with it.
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
  // It keeps this process only from when it is waited for.
  child.unref();
  return () => {
    child.ref();
    return ended;
  };
}
