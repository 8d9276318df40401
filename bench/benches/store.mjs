import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { phraseOf, queries } from '../load/bots.mjs';
import { ask, environment, signIn } from '../load/product.mjs';
import { timedLoop } from '../load/timed.mjs';
import { forkServer, LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';
import { cpuMicros, memory } from '../measure/process.mjs';

const FULL = { sizes: [10_000, 100_000], own: 1_000, warm: 300, pages: 1_000, longPages: 200, searches: 2_000, pickups: 200 };
const SHORT = { sizes: [1_000, 10_000], own: 100, warm: 300, pages: 300, longPages: 0, searches: 500, pickups: 0 };
const AT_ONCE = 4;
const OTHERS = 50;
const password = 'correct horse battery';
const json = { 'content-type': 'application/json' };
const QUIET_MS = 500;
const QUIET_SHARE = 0.1;

const subject = (name) => fileURLToPath(new URL(`../subjects/${name}.mjs`, import.meta.url));
/** The flags of `npm start`. */
const { nodeFlags } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).config;

export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : FULL;
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  try {
    const people = await signUp(directory);
    const results = [];
    let from = 0;
    for (const to of form.sizes) {
      const filling = { directory, from, to, small: form.sizes[0], own: form.own, ...people };
      const { perSecond } = await resultOf(subject('bots'), [JSON.stringify(filling)], nodeFlags);
      results.push({ bots: to, perSecond, ...(await measured(directory, to, form)) });
      from = to;
    }
    return outcome(results, form);
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 });
  }
}

function outcome(results, { own, longPages, pickups }) {
  const [small, large] = results;
  const shown = (number) => number.toLocaleString('en-US');
  const bar = { atMost: 15 };
  const loopBar = { bar: { atMost: 20 } };
  const of = (size) => [
    figure(`${shown(size.bots)} bots: GET /bot?kind=private, own ${shown(own)}, page of 100, p50`, size.pages.p50, 'ms'),
    figure('  p99', size.pages.p99, 'ms', { bar }),
    figure(`  ${AT_ONCE} at once, p99`, size.pagesAtOnce.p99, 'ms'),
    figure('  CPU of a request', size.pages.cpu, 'ms'),
    figure('  the first after the start', size.firstPage, 'ms'),
    ...(longPages === 0 ? [] : [figure('  page of 1,000, p50', size.longPages.p50, 'ms'), figure('    p99', size.longPages.p99, 'ms')]),
    figure('  event loop between two looks, 1 ms apart: longest', size.listLoop.longest, 'ms', loopBar),
    figure(`${shown(size.bots)} bots: GET /store/search, a tenth is visible, p50`, size.searches.p50, 'ms'),
    figure('  p99', size.searches.p99, 'ms', { bar }),
    figure('  longest', size.searches.max, 'ms'),
    figure('  CPU of a request', size.searches.cpu, 'ms'),
    figure(`  ${AT_ONCE} at once, p50`, size.searchesAtOnce.p50, 'ms'),
    figure('    p99', size.searchesAtOnce.p99, 'ms'),
    figure('  event loop between two looks, 1 ms apart: longest', size.searchLoop.longest, 'ms', loopBar),
    ...(pickups === 0
      ? []
      : [
          figure(`${shown(size.bots)} bots: GET /store/pickup of an Admin, half is visible, p50`, size.pickups.p50, 'ms'),
          figure('  p99', size.pickups.p99, 'ms'),
          figure('  CPU of a request', size.pickups.cpu, 'ms'),
          figure('  event loop between two looks, 1 ms apart: longest', size.pickupLoop.longest, 'ms', loopBar),
        ]),
    figure(`${shown(size.bots)} bots: start until it listens`, size.listening, 's'),
    figure('  until the first search is answered', size.filled, 's'),
    figure('  event loop meanwhile, longest', size.fillLoop.longest, 'ms', loopBar),
    figure('  memory, when all is quiet', size.idle, 'MB'),
    figure('    at its highest, after the load', size.highest, 'MB'),
  ];
  const ratio = (request, what, gate) => [
    figure(`${shown(large.bots)} ÷ ${shown(small.bots)} bots: ${request}, CPU`, large[what].cpu / small[what].cpu, '', {
      gate: { atMost: gate },
    }),
    figure('  p50', large[what].p50 / small[what].p50, ''),
    figure('  p99', large[what].p99 / small[what].p99, '', { bar: { atMost: 1.5 } }),
  ];
  return {
    rows: [...results.flatMap(of), ...ratio('page of 100', 'pages', 2), ...ratio('search', 'searches', 5)],
    invariants: [
      invariant(
        'all requests are answered with 200',
        results.every(({ wrong }) => wrong === 0),
        `${results.map(({ wrong }) => wrong)} were not`,
      ),
      invariant(
        'a search shows visible bots only',
        results.every(({ hidden }) => hidden === 0),
        `${results.map(({ hidden }) => hidden)} others`,
      ),
      invariant(
        'a title is found',
        results.every(({ found }) => found),
        'it was not',
      ),
      invariant(
        'a list is full',
        results.every(({ listed }) => listed === Math.min(own, 100)),
        `${results.map(({ listed }) => listed)} bots`,
      ),
    ],
    notes: [`Bots were created at ${results.map(({ perSecond }) => perSecond.toFixed(0)).join(' and ')} a second.`],
  };
}

const emailOf = (name) => `${name}@example.org`;

/** Creates a data directory with a user who lists bots, other users who own most bots, and a searching user who owns none. */
async function signUp(directory) {
  const product = await startOn(directory);
  try {
    const idOf = async (name) => {
      const body = { email: emailOf(name), password, first_name: 'A', last_name: 'B' };
      await ask('POST', `${product.url}/auth/sign-up`, json, body);
      const { body: user } = await ask('GET', `${product.url}/user/me`, await headersOf(product, name));
      return user.user_id ?? user.id;
    };
    await idOf('searcher');
    const lister = await idOf('lister');
    const others = [];
    for (let number = 0; number < OTHERS; number++) others.push(await idOf(`other${number}`));
    return { lister, others };
  } finally {
    await product.stop();
  }
}

async function headersOf({ url }, name) {
  const { status, body } = await ask('POST', `${url}/auth/sign-in`, json, { email: emailOf(name), password });
  if (status !== 200) throw new Error(`signing in was answered with ${status}`);
  return { authorization: `Bearer ${body.access_token}` };
}

async function measured(directory, bots, { warm, pages, longPages, searches, pickups }) {
  const product = await startOn(directory);
  try {
    const [lister, searcher] = [await headersOf(product, 'lister'), await headersOf(product, 'searcher')];
    await product.loop();
    const filled = await firstSearch(product, searcher);
    const fillLoop = await product.loop();
    await quiet(product.pid);
    const idle = memory(product.pid).now;
    const list = (count, atOnce, query = '') => times(product, lister, Array(count).fill(`/bot?kind=private${query}`), atOnce);
    const search = (texts, atOnce) => times(product, searcher, texts.map(searchPath), atOnce);

    const { p50: firstPage, wrong } = await list(1, 1);
    await list(warm, 1);
    await product.loop();
    const result = { firstPage, pages: await list(pages, 1), pagesAtOnce: await list(pages, AT_ONCE) };
    if (longPages > 0) result.longPages = await list(longPages, 1, '&limit=1000');
    result.listLoop = await product.loop();

    const all = queries(warm + 2 * searches, bots);
    await search(all.slice(0, warm), 1);
    await product.loop();
    result.searches = await search(all.slice(warm, warm + searches), 1);
    result.searchesAtOnce = await search(all.slice(warm + searches), AT_ONCE);
    result.searchLoop = await product.loop();
    if (pickups > 0) {
      result.pickups = await times(product, await signIn(product.url), Array(pickups).fill('/store/pickup'), 1);
      result.pickupLoop = await product.loop();
    }
    const loops = Object.values(result).filter((one) => one?.wrong !== undefined);
    return {
      ...result,
      ...(await answersOf(product, lister, searcher, all)),
      wrong: loops.reduce((sum, one) => sum + one.wrong, wrong),
      listening: product.listening,
      filled,
      fillLoop,
      idle,
      highest: memory(product.pid).highest,
    };
  } finally {
    await product.stop();
  }
}

const searchPath = (query) => `/store/search?query=${encodeURIComponent(query)}`;
const times = ({ url, pid }, headers, paths, atOnce) => timedLoop({ url, pid, headers, paths, atOnce });

/** The contents of the answers, for the invariants. */
async function answersOf({ url }, lister, searcher, texts) {
  const found = await ask('GET', url + searchPath(phraseOf(0)), searcher);
  const list = await ask('GET', `${url}/bot`, lister);
  let hidden = 0;
  for (const query of texts.slice(0, 100)) {
    const { body } = await ask('GET', url + searchPath(query), searcher);
    hidden += body.results.filter(({ shared_scope: scope }) => scope !== 'all').length;
  }
  return { hidden, found: found.body.results.length > 0, listed: list.body.bots.length };
}

/** Seconds from the start of the process until a search is answered, so that the index is filled. */
async function firstSearch({ url, begun }, headers) {
  while ((await ask('GET', url + searchPath('first'), headers)).status !== 200) await pause(5);
  return (performance.now() - begun) / 1_000;
}

async function quiet(pid) {
  for (let share = 1; share > QUIET_SHARE;) {
    const before = cpuMicros(pid);
    await pause(QUIET_MS);
    share = (cpuMicros(pid) - before) / 1_000 / QUIET_MS;
  }
}

async function startOn(directory) {
  const begun = performance.now();
  const settings = { ...environment, PARLANCE_DATA_DIR: directory };
  const server = forkServer(subject('product'), [JSON.stringify(settings)], nodeFlags);
  const [{ url }] = await once(server, 'message');
  return {
    url,
    pid: server.pid,
    begun,
    listening: (performance.now() - begun) / 1_000,
    async loop() {
      server.send('loop');
      return (await once(server, 'message'))[0];
    },
    async stop() {
      server.disconnect();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
  };
}
