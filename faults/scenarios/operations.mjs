// kill -9 of the single process while it writes exports, restates costs, sends events to a webhook, replays them and redelivers dead
// letters.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { positionOf } from '../../libs/messaging/dist/embedded/entry.js';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { Evidence, services } from '../evidence.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const HOUR = 3_600_000;
/** The hours of the load, relative to now: on two past days and today. */
const PAST = [-50, -49, -26, -2];
const LOAD_MS = 1_000;
const FROM = '2026-01-01T00:00:00Z';
const MODEL = 'local-extractive';
/** A killed process's claim ends after two minutes. */
const WITHIN_MS = patience(300_000);
const chosen = { talk: 10, goOn: 10, create: 2 };

export async function operations({ root, seed, count, keep }) {
  const receiver = await Receiver.start();
  const trial = await Trial.open(root, seed, 'operations', {
    PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    PARLANCE_EXPORT_DELAY_MINUTES: '1',
  });
  trial.chosen = chosen;
  const found = await inThePast(trial);
  let figures = '';
  if (found.length === 0) {
    found.push(...(await trial.start()));
    const webhook = await good(trial.product, 'POST', '/admin/webhooks', { url: receiver.url });
    for (let round = 1; round <= count && found.length === 0; round++) found.push(...(await disturbed(trial, round, webhook)));
    if (found.length === 0) found.push(...(await trial.comeToRest()), ...(await trial.look()));
    if (found.length === 0) figures = await compared(trial, webhook, receiver, found);
  }
  await trial.end({ keep: keep || found.length > 0 });
  receiver.stop();
  const name = `exports, restatements, webhooks and redrives, ${count} kills`;
  if (found.length === 0) pass(name, figures);
  else fail(name, found, `all of it is in ${trial.directory}`);
}

/** Conversations in hours that are over. */
async function inThePast(trial) {
  process.env.NODE_OPTIONS = `--import=${new URL('./shifted-clock.mjs', import.meta.url).href}`;
  try {
    for (const hours of PAST) {
      process.env.FAULTS_SHIFT = String(hours * HOUR);
      trial.product.forgetToken();
      const found = await trial.start();
      if (found.length > 0) return found;
      await trial.load(hours, LOAD_MS);
      const left = await trial.comeToRest();
      if (left.length > 0) return left;
      await trial.product.stop();
    }
    return [];
  } finally {
    delete process.env.NODE_OPTIONS;
    delete process.env.FAULTS_SHIFT;
    trial.product.forgetToken();
  }
}

async function disturbed(trial, round, webhook) {
  const { product } = trial;
  const chance = trial.chanceOf(round, 'operations');
  if (round % 3 === 0) {
    await product.kill();
    setAside(product, chance);
    const found = await trial.start();
    if (found.length > 0) return found;
    for (const service of services) await product.ask('POST', '/admin/health/dead-letters/redrive', { service });
  }
  if (chance.chance(0.6)) await restate(product, chance.between(1, 9));
  if (chance.chance(0.4)) await product.ask('POST', `/admin/webhooks/${webhook.id}/replay`, { from: webhook.create_time });
  await trial.killWithin(round, 30, 1_500);
  return trial.start();
}

/** One price for all tokens. Answered 409 while an earlier restatement runs. */
async function restate(product, price) {
  await good(product, 'PUT', `/admin/models/${MODEL}/prices`, { from: FROM, input: price, output: price });
  return product.ask('POST', '/admin/costs/restate', { from: FROM, dry_run: false });
}

/** Turns events that were already handled into dead letters. Their second delivery must have no effect. */
function setAside({ data }, chance) {
  const evidence = new Evidence(data);
  const published = Map.groupBy(evidence.published(), ({ topic, partition }) => `${topic}/${partition}`);
  evidence.close();
  const database = new DatabaseSync(join(data, 'broker.db'));
  try {
    const cursors = database.prepare('SELECT grp, source, topic, partition, next FROM broker_cursors').all();
    const insert = database.prepare(
      `INSERT OR IGNORE INTO broker_letters (grp, source, topic, partition, "offset", key, event, reason, failed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'set aside by a test', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    );
    const fifth = chance.between(0, 4);
    for (const { grp, source, topic, partition, next } of cursors) {
      if (!services.includes(grp)) continue;
      for (const { offset, key, event } of published.get(`${topic}/${partition}`) ?? [])
        if (offset < next && positionOf(offset) % 5 === fifth)
          insert.run(grp, source, topic, partition, offset, key, JSON.stringify(event));
    }
  } finally {
    database.close();
  }
}

/** Compares the results of the work with the logs, and adds to `found`. Returns figures. */
async function compared(trial, webhook, receiver, found) {
  const { product } = trial;
  await restated(product);
  const left = await trial.comeToRest();
  const exports = await written(product);
  const window = `start_time=${hourOf(-60)}&end_time=${hourOf(0)}`;
  const { by_model_as_corrected: corrected } = await good(product, 'GET', `/admin/costs/summary?${window}`);
  const evidence = new Evidence(product.data);
  try {
    const since = webhook.create_time * 1_000;
    const events = evidence.published().flatMap(({ event }) => (Date.parse(event.time) >= since ? [event] : []));
    const haveCome = () => events.every(({ id }) => receiver.events.has(id));
    await waitFor(haveCome, { timeout: WITHIN_MS, what: 'all deliveries' }).catch(() => undefined);
    add(found, 'events reach the webhook in the order of their subjects', receiver.problems(events));
    const letters = evidence.all('broker', 'SELECT grp, count(*) AS letters FROM broker_letters GROUP BY grp');
    const waiting = letters.map(({ grp, letters: its }) => `${grp} has ${its}`);
    add(found, 'dead letters are gone after a redrive', waiting);
    const tokens = repliesIn(evidence).reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
    const says = Math.round(corrected[MODEL] * 1e9);
    add(found, 'costs are restated once', says === tokens * 1_000 ? [] : [`${tokens} tokens are ${says} nano-dollars`]);
    add(found, 'exports have what was charged', await differences(product, evidence, exports));
    found.push(...left);
    return `${exports.length} files, ${receiver.requests} requests for ${receiver.events.size} events, ${tokens} tokens restated`;
  } finally {
    evidence.close();
  }
}

const add = (found, name, problems) => problems.length > 0 && found.push({ name, count: problems.length, problems: problems.slice(0, 10) });
/** The beginning of an hour, in epoch seconds. */
const hourOf = (hours) => (Math.floor(Date.now() / HOUR) + hours) * (HOUR / 1_000);
const repliesIn = (evidence) =>
  evidence.events('inference').flatMap(({ id, event }) => (event.type === 'ReplyCompleted' ? [{ ...event, at: timeOf(id) }] : []));
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeOf = (id) =>
  id
    .slice(0, 10)
    .split('')
    .reduce((time, letter) => time * 32 + LETTERS.indexOf(letter), 0);

/** Restates at the price 1, when no earlier restatement is running. */
async function restated(product) {
  const asked = await waitFor(
    async () => {
      const answer = await restate(product, 1);
      return answer.status === 202 && answer.body;
    },
    { timeout: WITHIN_MS, what: 'a restatement' },
  );
  const isOver = async () => (await good(product, 'GET', `/admin/costs/restatements/${asked.id}`)).status === 'completed';
  await waitFor(isOver, { timeout: WITHIN_MS, what: 'the end of the restatement' });
}

/** Returns the exports once those of all past hours and of the two full days are written. */
function written(product) {
  const all = async () => {
    const kinds = ['hour', 'day'].map((kind) => good(product, 'GET', `/admin/exports?kind=${kind}&limit=1000`));
    const rows = (await Promise.all(kinds)).flatMap(({ exports }) => exports);
    return (
      rows.filter(({ hour }) => hour.length === 10).length >= PAST.length && rows.length > PAST.length && rows.every(isWritten) && rows
    );
  };
  return waitFor(all, { timeout: WITHIN_MS, what: 'all exports' });
}

const isWritten = ({ status }) => status === 'written';

/** Compares the exports of hours with the log. */
async function differences(product, evidence, exports) {
  const { table } = await good(product, 'GET', '/admin/exports?limit=1');
  const sql = `SELECT datehour, count(*), count(DISTINCT SK), sum(round(TotalPrice * 1e9))::BIGINT::VARCHAR FROM ${table} GROUP BY 1`;
  const { rows } = await good(product, 'POST', '/admin/exports/query', { sql, days: 10 });
  const billed = new Map();
  for (const { at, costNanoDollars } of repliesIn(evidence)) {
    const hour = new Date(at).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/');
    billed.set(hour, (billed.get(hour) ?? 0) + costNanoDollars);
  }
  const problems = rows.flatMap(([hour, count, distinct, nano]) => {
    if (Number(count) === Number(distinct) && Number(nano) === billed.get(hour)) return [];
    return [`${hour} has ${count} rows of ${distinct} conversations and ${nano} nano-dollars instead of ${billed.get(hour)}`];
  });
  for (const { hour, bytes } of exports) {
    const { url } = await good(product, 'GET', `/admin/exports/${hour}`);
    const file = await (await fetch(new URL(url, `http://127.0.0.1:${product.port}`))).arrayBuffer();
    if (file.byteLength !== bytes) problems.push(`the file of ${hour} has ${file.byteLength} bytes instead of ${bytes}`);
  }
  return rows.length < PAST.length ? [...problems, `there are ${rows.length} hours`] : problems;
}

/** The endpoint of a webhook. */
class Receiver {
  events = new Map();
  requests = 0;

  static async start() {
    const receiver = new Receiver();
    receiver.server = createServer((request, answer) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text) => (body += text));
      request.on('end', () => {
        receiver.requests++;
        const id = request.headers['webhook-id'];
        if (!receiver.events.has(id)) receiver.events.set(id, JSON.parse(body));
        answer.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
    return receiver;
  }

  problems(published) {
    const missing = published.filter(({ id }) => !this.events.has(id)).map(({ id, type }) => `${type} ${id} did not come`);
    const last = new Map();
    const early = [...this.events.values()].flatMap(({ source, subject, sequence, id }) => {
      const of = `${source} ${subject}`;
      const isEarly = Number(sequence) < (last.get(of) ?? 0);
      last.set(of, Number(sequence));
      return isEarly ? [`${id} of ${of} came after a later event`] : [];
    });
    return [...missing, ...early];
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function good(product, method, path, body) {
  const answer = await product.ask(method, path, body);
  if (answer.status === null || answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
