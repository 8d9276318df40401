// `npm run cluster`: every service as its own process over Kafka and MongoDB, until Ctrl-C.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { install } from './install.mjs';
import { node, path, Trouble } from './workspace.mjs';

const HELP = `npm run cluster: starts every service as a process of its own, over Kafka, a MongoDB stand-in and an S3
stand-in, on this machine.

It needs Java and Python, and downloads Kafka and the stand-ins at its first start. It prints the addresses of two edges and of the metrics of
each service process, and the password of the first Admin. A service process that ends by itself is started again; its earlier log is then in
server.log.1. Ctrl-C stops everything and removes what it kept.

  PARLANCE_ADMIN_EMAIL, PARLANCE_ADMIN_PASSWORD   the first Admin
  KAFKA_BROKERS, MONGODB_URI                      use these instead of starting them
`;

const unknown = process.argv.slice(2).find((argument) => argument !== '--help' && argument !== '-h');
if (process.argv.length > 2) {
  process.stdout.write(unknown === undefined ? HELP : `npm run cluster does not know ${unknown}.\n\n${HELP}`);
  process.exit(unknown === undefined ? 0 : 1);
}

try {
  await install();
  await build('.');
  await buildConsole();
  const cluster = spawn(node, [path('tools/run-cluster.mjs')], { stdio: 'inherit' });
  // The child stops the services in order and ends, and then this process ends. A terminal sends Ctrl-C to the child too.
  process.on('SIGINT', () => process.stdin.isTTY || cluster.kill('SIGINT'));
  process.on('SIGTERM', () => cluster.kill('SIGTERM'));
  cluster.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
