// Every replicated process of a cluster is stopped and started again, one after another, under load. While another replica is up, no request may fail.
import { setTimeout as pause } from 'node:timers/promises';
import { fail, pass } from '../suite.mjs';
import { withCluster } from './with-cluster.mjs';

const REPLICATED = ['identity-1', 'identity-2', 'inference-1', 'inference-2', 'bots-1', 'bots-2', 'edge-1', 'edge-2'];
const READS_EVERY = 5;
const WRITES_EVERY = 100;

export function draining() {
  return withCluster('draining', { PARLANCE_SHUTDOWN_NOTICE_SECONDS: '2' }, async ({ running, clients }) => {
    const over = new AbortController();
    const [answers, problems] = [[], []];
    const load = async (name, every, wanted, send) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const { status, code } = await atAnyEdge(clients, n, wanted === 200, send);
        answers.push(status);
        if (status !== wanted) problems.push(`${name} was answered with ${status} ${code}`);
        await pause(every);
      }
    };
    const loads = [
      ...[1, 2, 3, 4, 5].map(() => load('a read', READS_EVERY, 200, (client) => client.bots())),
      load('a command', WRITES_EVERY, 201, (client) => client.createBotOnce(`draining-${Math.random()}`)),
    ];
    for (const name of REPLICATED) await running.servers.get(name).restart();
    over.abort();
    await Promise.all(loads);
    const figures = `${answers.length} requests while ${REPLICATED.length} processes were restarted, ${problems.length} failed`;
    if (problems.length > 0) fail('draining', [{ name: 'every answer', count: problems.length, problems: problems.slice(0, 20) }], figures);
    else pass('draining', figures);
  });
}

/** Like a load balancer: a request that an edge cannot have received, and a read whose connection ends, go to another edge. */
async function atAnyEdge(clients, n, isRead, send) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(clients[(n + attempt) % clients.length]);
    } catch ({ cause, message }) {
      const mayRepeat = cause?.code === 'ECONNREFUSED' || (isRead && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(cause?.code));
      if (!mayRepeat || attempt === clients.length - 1) return { status: 0, code: cause?.message ?? message };
    }
  }
}
