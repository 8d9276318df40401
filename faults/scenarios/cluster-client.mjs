// The first Admin of a cluster, the requests of scenarios, and the commands of its operator.
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export const admin = { email: 'admin@parlance.local', password: 'a password of the trial' };

export async function signedIn(url) {
  const ask = async (method, path, body, token, more) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...more };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: await answer.json() };
  };
  const { access_token: token } = (await ask('POST', '/auth/sign-in', admin)).body;
  return {
    ask: (method, path, body) => ask(method, path, body, token),
    /** Returns the ID of the new bot, or null if the request was not acknowledged. */
    async createBot() {
      const answer = await ask('POST', '/bot', { title: 'Survivor' }, token).catch(() => null);
      return answer?.status === 201 ? answer.body.id : null;
    },
    /** Creates one bot for the key, however often it is called. */
    async createBotOnce(key) {
      const { status, body } = await ask('POST', '/bot', { title: 'Once' }, token, { 'idempotency-key': key });
      return { status, id: body.id, code: body.code };
    },
    async bots() {
      const { status, body } = await ask('GET', '/bot?limit=5', undefined, token);
      return { status, code: body.code };
    },
    /** The events of the reply to a message, until the stream ends. */
    async *streamed(body) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      const answer = await fetch(`${url}/conversation`, { method: 'POST', headers, body: JSON.stringify(body) });
      let rest = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop();
        for (const event of events) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(event) ?? [];
          if (name !== undefined) yield { event: name, data: JSON.parse(data) };
        }
      }
    },
    /** Returns whether the request was acknowledged. */
    async createGroup(name) {
      const answer = await ask('POST', '/admin/groups', { name }, token).catch(() => null);
      return answer?.status === 201;
    },
    async statusOf(id) {
      return (await ask('GET', `/bot/${id}`, undefined, token)).status;
    },
    async isKnownToPublication(id) {
      return (await ask('GET', `/bot/${id}/publication`, undefined, token)).body.code === 'not_published';
    },
    async audited(ids) {
      const { body: page } = await ask('GET', '/admin/audit-logs?limit=1000', undefined, token);
      return page.audit_logs.filter((entry) => ids.includes(entry.resource_id)).length;
    },
    /** How often each resource occurs in the entries of an action. */
    async entriesOf(action) {
      const counts = new Map();
      let next = '';
      do {
        const { status, body: page } = await ask('GET', `/admin/audit-logs?limit=1000&action_type=${action}${next}`, undefined, token);
        if (status !== 200) throw new Error(`the audit log answered ${status} ${page.code}`);
        for (const { resource_id } of page.audit_logs) counts.set(resource_id, (counts.get(resource_id) ?? 0) + 1);
        next = page.next_token ? `&next_token=${encodeURIComponent(page.next_token)}` : '';
      } while (next);
      return counts;
    },
  };
}

const GROUPS = ['identity', 'bots', 'inference', 'publication', 'analytics', 'edge'];

/** Redelivers all dead letters. Returns their number. */
export function redriven(running) {
  return withBroker(running, async (broker) => {
    const counts = await Promise.all(GROUPS.map((group) => broker.redrive(group)));
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

/** The number of dead letters of all consumer groups. */
export function deadLetters(running) {
  return withBroker(running, async (broker) => {
    const counts = await Promise.all(GROUPS.map((group) => broker.countDeadLetters(group)));
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

async function withBroker(running, work) {
  const { openKafkaBroker } = await import('@parlance/messaging/kafka');
  const broker = await openKafkaBroker({
    brokers: running.environment.PARLANCE_KAFKA_BROKERS.split(','),
    clientId: 'faults',
    prefix: running.environment.PARLANCE_KAFKA_PREFIX ?? '',
  });
  try {
    return await work(broker);
  } finally {
    await broker.close();
  }
}

/** Runs `parlance` with the configuration of the cluster. */
export function command({ root, running }, ...words) {
  const env = { ...process.env, ...running.environment, PARLANCE_OBJECT_STORE: JSON.stringify(running.bucket) };
  const node = join(root, 'node_modules/node/bin/node');
  return new Promise((resolve) => {
    execFile(node, [join(root, 'apps/parlance/dist/main.js'), ...words], { env }, (failed, out, error) =>
      resolve({ code: failed ? (failed.code ?? 1) : 0, out, error }),
    );
  });
}
