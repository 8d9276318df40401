// `npm run cluster`: every service as its own process over Kafka and MongoDB, until Ctrl-C.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { node, path, Trouble } from './workspace.mjs';

try {
  await install();
  await build('.');
  const cluster = spawn(node, ['--disable-warning=TimeoutNegativeWarning', path('tools/run-cluster.mjs')], { stdio: 'inherit' });
  // Ctrl-C reaches it by itself; it stops its parts in order and ends, and so do we.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => cluster.kill('SIGTERM'));
  cluster.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
