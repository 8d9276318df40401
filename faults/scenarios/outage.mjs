// kill -9 of the cluster's database and broker, which are restarted after a while: no data is lost, no event is set aside, and the services
// recover without intervention.
import { patience } from '../../libs/testing/dist/patience.js';
import { fail, pass, skip } from '../suite.mjs';
import { admin, deadLetters, signedIn } from './cluster-client.mjs';

const DOWN_MS = 15_000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function outage() {
  const { cluster, missing, waitFor } = await import('@parlance/testing');
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return skip('outage', lacking);
  for (const [part, name] of Object.entries({ database: 'the database', kafka: 'Kafka' })) {
    const running = await cluster({
      PARLANCE_ADMIN_EMAIL: admin.email,
      PARLANCE_ADMIN_PASSWORD: admin.password,
      PARLANCE_LOG_LEVEL: 'error',
    });
    try {
      const { acknowledged, seenAfter, auditedAfter, letters } = await survive(running, part, waitFor);
      const figures = `${acknowledged} bots acknowledged, all of them known to others ${seenAfter} ms after it was back, audited after ${auditedAfter} ms`;
      if (letters === 0) pass(`outage of ${name}, ${DOWN_MS / 1_000} s`, `${figures}, nothing set aside`);
      else
        fail(`outage of ${name}`, [{ name: 'nothing set aside', count: letters, problems: [`${letters} events were set aside`] }], figures);
    } finally {
      await running.stop();
    }
  }
}

async function survive(running, part, waitFor) {
  const client = await signedIn(running.urls[0]);
  const server = running.servers.get(part);
  const acknowledged = [];
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) {
      const id = await client.createBot();
      if (id !== null) acknowledged.push(id);
      await wait(300);
    }
  })();
  await wait(2_000);
  await server.kill();
  await wait(DOWN_MS);
  await server.restart();
  const back = performance.now();
  const sinceBack = () => Math.round(performance.now() - back);
  await wait(2_000);
  over.abort();
  await writing;
  const unseen = new Set(acknowledged);
  await waitFor(
    async () => {
      for (const id of unseen) if (await client.isKnownToPublication(id)) unseen.delete(id);
      return unseen.size === 0;
    },
    { timeout: patience(120_000), what: 'publication to know of every bot' },
  );
  const seenAfter = sinceBack();
  await waitFor(async () => (await client.audited(acknowledged)) === acknowledged.length, {
    timeout: patience(120_000),
    what: 'an audit entry for every bot',
  });
  return { acknowledged: acknowledged.length, seenAfter, auditedAfter: sinceBack(), letters: await deadLetters(running) };
}
