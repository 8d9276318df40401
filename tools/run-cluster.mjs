// Runs with the Node of the lock file, after a build.
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cluster, missing } from '../libs/testing/dist/index.js';

for (const kind of ['kafka', 'mongo', 's3']) {
  const lacking = missing(kind);
  if (lacking) {
    process.stderr.write(`The cluster can't be started: ${lacking}\n`);
    process.exit(1);
  }
}

const email = process.env.PARLANCE_ADMIN_EMAIL ?? 'admin@parlance.local';
const password = process.env.PARLANCE_ADMIN_PASSWORD ?? randomBytes(15).toString('base64url');
const stopping = new AbortController();
const running = await cluster(
  { PARLANCE_ADMIN_EMAIL: email, PARLANCE_ADMIN_PASSWORD: password, PARLANCE_GUIDE_BOT: process.env.PARLANCE_GUIDE_BOT ?? 'true' },
  { hasMetrics: true, onLost: (name, server, why) => void startAgain(name, server, why) },
  (name) => process.stdout.write(`  ${name} is up\n`),
);
process.stdout.write(`
  Parlance is ready at ${running.urls.join(' and ')}
  Administrator ${email}
  Password      ${process.env.PARLANCE_ADMIN_PASSWORD ? '(the one you configured)' : password}
  Sign in at    ${running.urls[0]}/app/
  Logs          ${running.directory}/*/server.log
  Metrics
${Object.entries(running.metrics)
  .map(([name, url]) => `    ${name.padEnd(12)}${url}`)
  .join('\n')}

  Ctrl-C stops the cluster and deletes its data.
`);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stopping.abort();
    void running.stop().then(() => process.exit(0));
  });
setInterval(() => undefined, 1 << 30);

/** Starts a process again that has ended by itself, as an orchestrator does, with growing pauses while it does not become ready. */
async function startAgain(name, server, why) {
  process.stdout.write(`  ${name} ended with ${why}, and is started again\n`);
  for (let seconds = 1; !stopping.signal.aborted; seconds = Math.min(2 * seconds, 30)) {
    try {
      await pause(seconds * 1_000, undefined, { signal: stopping.signal });
      // The log says why it ended.
      const log = join(running.directory, name, 'server.log');
      renameSync(log, `${log}.1`);
      await server.restart();
      process.stdout.write(`  ${name} is up again\n`);
      return;
    } catch (error) {
      if (!stopping.signal.aborted) process.stdout.write(`  ${name} could not be started again: ${error.message}\n`);
    }
  }
}
