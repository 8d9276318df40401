// `npm start`: installs and builds what is missing, then runs the product in one process.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { build } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { install } from './install.mjs';
import { cacheOfCompiledCode, node, path, Trouble } from './workspace.mjs';

try {
  await install();
  await Promise.all([build('apps/parlance'), buildConsole()]);
  start(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function start(args) {
  const main = path('apps/parlance/dist/main.js');
  if (!existsSync(main)) throw new Trouble(`${main} is missing although the build passed: remove apps/parlance/dist and run this again.`);
  // Heap limits: without them, V8 lets the heap grow to several times the used size before it collects garbage. The environment makes the
  // C library return large buffers to the system; otherwise, memory stays about 200 MB larger after long messages.
  const { nodeFlags, environment } = JSON.parse(readFileSync(path('package.json'), 'utf8')).config;
  const env = { ...cacheOfCompiledCode, ...environment, ...process.env };
  const server = spawn(node, [...nodeFlags, main, 'start', ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the server too. A second signal would end it immediately.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) server.kill(signal);
    });
  server.once('error', (error) => {
    console.error(`The runtime could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  server.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
