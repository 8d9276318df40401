// `node tools/launch.mjs test --full`: installs the packages of the lock file with any Node, then runs tools/test.mjs with the installed Node.
import { spawn } from 'node:child_process';
import { install } from './install.mjs';
import { node, path, Trouble } from './workspace.mjs';

const [tool, ...args] = process.argv.slice(2);
try {
  await install();
  const child = spawn(node, [path(`tools/${tool}.mjs`), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
