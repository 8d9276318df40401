import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { adminRequests } from '../load/admin-requests.mjs';
import { timedLoop } from '../load/timed.mjs';
import { forkServer, LOAD, pin } from '../measure/cores.mjs';
import { figure, invariant, median, percentile } from '../measure/figures.mjs';

const FULL = { sizes: [10_000, 100_000], read: 2_000, warm: 5, requests: 100, lag: { perSecond: 1_000, seconds: 20 } };
const SHORT = { sizes: [1_000, 5_000], read: 200, warm: 2, requests: 30, lag: { perSecond: 50, seconds: 2 } };
/** Requests with one statement of the edge. */
const AT_ONCE = 10;
/** The sizes of the bars take half an hour: `PATIENCE=3 ANALYTICS_SIZES=100000,1000000`. */
const sizes = process.env.ANALYTICS_SIZES?.split(',').map(Number);

const subject = fileURLToPath(new URL('../subjects/analytics.mjs', import.meta.url));
const { nodeFlags } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).config;
const number = (count) => count.toLocaleString('en-US');

export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : { ...FULL, ...(sizes && { sizes }) };
  const read = await withSubject([form.read, 'read'], async (_, ready) => ready);
  const results = [];
  for (const size of form.sizes) results.push(await withSubject([size], (ask, ready, pid) => measured(size, form, ask, ready, pid)));
  return outcome(read, results, form);
}

async function withSubject(args, work) {
  const child = forkServer(subject, args.map(String), nodeFlags);
  const failed = new AbortController();
  child.once('exit', (code, signal) => failed.abort(new Error(`analytics ended with ${code ?? signal}`)));
  const next = async () => {
    const [message] = await once(child, 'message', { signal: failed.signal }).catch((error) => {
      throw failed.signal.reason ?? error;
    });
    return message;
  };
  const ask = async (what, more = {}) => {
    child.send({ ask: what, ...more });
    return (await next()).answer;
  };
  const result = await work(ask, await next(), child.pid);
  await ask('end');
  return result;
}

async function measured(size, { warm, requests, lag }, ask, ready, pid) {
  const { nanoDollars } = await ask('totals');
  const endpoints = {};
  for (const [name, paths] of Object.entries(adminRequests(warm + requests, ready))) {
    const parts = [];
    for (let from = 0; from < paths.length; from = from === 0 ? warm : from + AT_ONCE) {
      // The signed headers are valid for a few seconds only.
      const { admin: headers } = await ask('headers');
      if (from === warm) await ask('watch');
      const some = paths.slice(from, from === 0 ? warm : from + AT_ONCE);
      parts.push(await timedLoop({ url: ready.url, pid, headers, atOnce: 1, paths: some }));
    }
    const { longest } = await ask('blocked');
    const times = together(parts.slice(1));
    endpoints[name] = { ...times, blocked: longest };
  }
  const { admin: headers } = await ask('headers');
  const get = async (path) => (await fetch(ready.url + path, { headers })).json();
  const exact = await sums(get, ready);
  return { size, ready, endpoints, ...exact, nanoDollars, lags: await ask('lags', lag) };
}

function together(parts) {
  const times = parts.flatMap((part) => part.times);
  // A median, because background work of the process, such as moving a log, costs as much as dozens of requests.
  const cpu = median(parts.map((part) => part.cpu));
  const wrong = parts.reduce((total, part) => total + part.wrong, 0);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu, wrong };
}

/** The total cost in nano-dollars: the sum over months, over hours, and over users. */
async function sums(get, { begin, end }) {
  const nano = (dollars) => BigInt(Math.round(dollars * 1e9));
  const [from, to] = [begin, end].map((time) => Math.floor(time / 1_000));
  const { total_cost } = await get(`/admin/costs/summary?start_time=${from}&end_time=${to}`);
  let byMonth = 0n;
  for (let at = new Date(begin); at <= new Date(end); at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)))
    byMonth += nano((await get(`/admin/costs/summary?period=${at.toISOString().slice(0, 7)}`)).total_cost);
  return { ofHours: String(nano(total_cost)), ofMonths: String(byMonth) };
}

function outcome(read, results, { read: readSize, lag }) {
  const [small, large] = [results[0], results.at(-1)];
  const rows = [
    figure(
      `read models built by the service from the logs of ${number(readSize)} conversations, CPU of one`,
      (1e3 * read.cpuSeconds) / readSize,
      'ms',
    ),
    ...results.flatMap(({ size, ready, lags }) => [
      figure(`${number(size)} conversations with ${number(10 * size)} messages made and folded into rows`, ready.seconds, 's'),
      figure('  CPU of one', (1e6 * ready.cpuSeconds) / size, 'µs'),
      figure(`  from an event to the figures, at ${number(lag.perSecond)} events/s, p50`, lags.p50, 'ms'),
      figure('    p99', lags.p99, 'ms', { bar: { atMost: 1_000 } }),
      figure('    CPU of an event', lags.cpuMicros, 'µs'),
    ]),
  ];
  for (const name of Object.keys(large.endpoints)) {
    for (const { size, endpoints } of results) {
      const { p50, p99, cpu, blocked } = endpoints[name];
      rows.push(figure(`${name}; ${number(size)} conversations, p50`, p50, 'ms'));
      rows.push(figure('  p99', p99, 'ms', { bar: { atMost: 100 } }));
      rows.push(figure('  CPU of a request', cpu, 'ms'));
      rows.push(figure('  longest event loop block', blocked, 'ms', { bar: { atMost: 20 } }));
    }
    const against = `${number(small.size)} conversations`;
    const [of, than] = [large.endpoints[name], small.endpoints[name]];
    rows.push(
      figure(`  CPU of a request, ${number(large.size)} ÷ ${against}`, of.cpu / than.cpu, '', {
        bar: { atMost: 1.5 },
        gate: { atMost: 5 },
      }),
    );
  }
  return { rows, invariants: results.flatMap(invariantsOf), notes: notes(small, large) };
}

function invariantsOf({ size, endpoints, ofHours, ofMonths, nanoDollars, lags }) {
  const wrong = Object.entries(endpoints).filter(([, its]) => its.wrong > 0);
  const of = `of ${number(size)} conversations`;
  return [
    invariant(
      `every request is answered with 200, ${of}`,
      wrong.length === 0,
      wrong.map(([name, its]) => `${name}: ${its.wrong}`).join('; '),
    ),
    invariant(`the cost by hours equals a plain sum, ${of}`, ofHours === nanoDollars, `${ofHours}, not ${nanoDollars}`),
    invariant(`the cost by months equals a plain sum, ${of}`, ofMonths === nanoDollars, `${ofMonths}, not ${nanoDollars}`),
    invariant(`the figures include each live event, ${of}`, lags.lost === 0, `${lags.lost} are missing`),
  ];
}

const notes = (small, large) => [
  `10,000 users, 1,000 bots, 90 days, ${number(small.ready.entries)} and ${number(large.ready.entries)} entries of the audit log. Identity, bots and inference are replaced by arrays.`,
];
