// Runs with the Node of the lock file, after a build.
import { randomBytes } from 'node:crypto';
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
const running = await cluster(
  { PARLANCE_ADMIN_EMAIL: email, PARLANCE_ADMIN_PASSWORD: password, PARLANCE_GUIDE_BOT: process.env.PARLANCE_GUIDE_BOT ?? 'true' },
  {},
  (name) => process.stdout.write(`  ${name} is up\n`),
);
process.stdout.write(`
  Parlance is ready at ${running.urls.join(' and ')}
  Administrator ${email}
  Password      ${process.env.PARLANCE_ADMIN_PASSWORD ? '(the one you configured)' : password}
  Sign in at    ${running.urls[0]}/app/
  Logs          ${running.directory}/*/server.log

  Ctrl-C stops the cluster and deletes its data.
`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void running.stop().then(() => process.exit(0)));
setInterval(() => undefined, 1 << 30);
