import { setTimeout as pause } from 'node:timers/promises';
import { cluster, missing, patience } from '@parlance/testing';
import { ask, environment, signIn, startProduct } from '../load/product.mjs';
import { LOAD, pin, unpin } from '../measure/cores.mjs';
import { figure, invariant, percentile } from '../measure/figures.mjs';

const PER_SECOND = 20;
/** The stand-in for MongoDB is saturated at about 15 bots a second: at 20, the bench would measure its queue. */
const PER_SECOND_ON_STAND_IN = 5;
const LONGEST_MS = patience(60_000);
/** The pause between two queries. In the cluster, a query costs the database a tenth of a creation, so queries without a pause would be the load. */
const PAUSE = { embedded: 1, cluster: 20 };

export async function run({ short }) {
  pin(LOAD);
  const embedded = await inOneProcess(short);
  if (short) return embedded;
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return { ...embedded, skipped: [`relay lag of the cluster: ${lacking}`] };
  unpin();
  const clustered = await inCluster();
  return {
    rows: [...embedded.rows, ...clustered.rows],
    invariants: [...embedded.invariants, ...clustered.invariants],
    notes: [
      'The cluster is eight processes, Kafka and a database on this one machine, and not pinned.',
      ...(process.env.MONGODB_URI
        ? []
        : [`Its database is the stand-in of libs/testing, which is full below ${PER_SECOND} bots a second.`]),
    ],
  };
}

async function inOneProcess(short) {
  const product = await startProduct();
  try {
    const bots = short ? { warm: 20, bots: 60 } : { warm: 40, bots: 300 };
    const lags = await measure(product.url, product.headers, { perSecond: PER_SECOND, between: PAUSE.embedded, ...bots });
    return report(`one process, ${PER_SECOND}/s`, lags, { p50: { atMost: 20 }, p99: { atMost: 150 } });
  } finally {
    await product.stop();
  }
}

async function inCluster() {
  const running = await cluster({ ...environment, PARLANCE_LOG_LEVEL: 'warn' });
  try {
    const [url] = running.urls;
    const perSecond = process.env.MONGODB_URI ? PER_SECOND : PER_SECOND_ON_STAND_IN;
    const lags = await measure(url, await signIn(url), { perSecond, between: PAUSE.cluster, warm: 2 * perSecond, bots: 15 * perSecond });
    return report(`cluster, ${perSecond}/s`, lags, { p50: null, p99: { atMost: 500 } });
  } finally {
    await running.stop();
  }
}

/** Creates bots at an even pace. Returns, for each, the time from the answer of its creation until another service knows the bot. */
async function measure(url, headers, { perSecond, between, warm, bots }) {
  const watching = new Watching(url, headers, between);
  const start = performance.now();
  const measured = [];
  const one = async (index) => {
    const sent = performance.now();
    const { status, body } = await ask('POST', `${url}/bot`, headers, { title: `Bot ${index}` });
    if (status !== 201) throw new Error(`creating a bot was answered with ${status} ${JSON.stringify(body)}`);
    const answered = performance.now();
    const visible = await watching.seen(body.id);
    if (index >= warm) measured.push({ request: answered - sent, lag: visible - answered, atMost: visible - sent });
  };
  const all = [];
  for (let index = 0; index < warm + bots; index++) {
    await pause(Math.max(0, start + (index * 1_000) / perSecond - performance.now()));
    all.push(one(index));
  }
  await Promise.all(all);
  return measured;
}

/** Queries all awaited bots one after the other, because many queries at once would be a load. */
class Watching {
  constructor(url, headers, between) {
    this.between = between;
    this.url = url;
    this.headers = headers;
    this.awaited = new Map();
    this.running = false;
  }

  /** The time when publication first answers that the bot is not published, instead of unknown; infinite after the time limit. */
  seen(id) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.awaited.set(id, { resolve, reject, deadline: performance.now() + LONGEST_MS });
    if (!this.running) void this.run();
    return promise;
  }

  async run() {
    this.running = true;
    while (this.awaited.size > 0) {
      for (const [id, { resolve, reject, deadline }] of this.awaited) {
        const answer = await this.look(id).catch(reject);
        if (answer === 'bot_not_found' && performance.now() < deadline) continue;
        this.awaited.delete(id);
        resolve(answer === 'not_published' ? performance.now() : Infinity);
      }
      await pause(this.between);
    }
    this.running = false;
  }

  async look(id) {
    const { status, body } = await ask('GET', `${this.url}/bot/${id}/publication`, this.headers);
    if (body?.code === 'not_published' || body?.code === 'bot_not_found') return body.code;
    throw new Error(`asking for a publication was answered with ${status} ${JSON.stringify(body)}`);
  }
}

function report(shape, measured, bars) {
  const of = (name, share) =>
    percentile(
      measured.map((one) => one[name]),
      share,
    );
  const [p50, p99] = [of('lag', 0.5), of('lag', 0.99)];
  const lost = measured.filter(({ lag }) => lag === Infinity).length;
  return {
    rows: [
      figure(`${shape}: POST /bot answered → publication knows of it, p50`, p50, 'ms', { bar: bars.p50 }),
      figure('  p99', p99, 'ms', { bar: bars.p99 }),
      figure('  from before the POST was sent: p50', of('atMost', 0.5), 'ms'),
      figure('    p99', of('atMost', 0.99), 'ms'),
      figure('  POST /bot itself: p50', of('request', 0.5), 'ms'),
      figure('  lag ÷ POST itself, at p50', p50 / of('request', 0.5), '', { gate: { atMost: 8 } }),
    ],
    invariants: [
      invariant(
        `every event reaches the other service (${shape})`,
        lost === 0,
        `${lost} of ${measured.length} did not within ${LONGEST_MS} ms`,
      ),
    ],
  };
}
