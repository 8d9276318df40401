import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pacedLoop } from '../load/paced.mjs';
import { ask, messageIn, startProduct } from '../load/product.mjs';
import { openAtOnce, streams } from '../load/streams.mjs';
import { LOAD, pin, SERVER } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { bytesWritten, cpuMicros } from '../measure/process.mjs';

const KB = 1_024;
const FULL = { warm: 2_000, calls: 2_000, rounds: 5, atOnce: 32, seconds: 8, open: 1_000 };
const SHORT = { warm: 300, calls: 200, rounds: 1, atOnce: 16, seconds: 2, open: 50 };
const CHUNKS = 30;
/** Takes ten seconds until its last chunk. */
const SLOW = 'mock-40-250';
/** All calls come from one user, and a user may have at most three quarters of the concurrent calls. */
const CALLS_AT_ONCE = 1_400;

const catalogue = (base_url) => ({
  providers: { mock: { type: 'openai_compatible', base_url, api_key: 'none', max_concurrent_calls: CALLS_AT_ONCE } },
  models: Object.entries({ mock: `mock-${CHUNKS}-0`, slow: SLOW }).map(([id, model]) => ({
    id,
    provider: 'mock',
    model,
    context_window: 100_000,
    prices: [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }],
  })),
  defaults: { chat: 'mock' },
});

/** Calls of models by programs, against a proxy that checks and stores nothing. */
export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : FULL;
  const start = async (module, ...args) => {
    const process = fork(new URL(module, import.meta.url).pathname, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [{ url }] = await once(process, 'message');
    return { process, url };
  };
  const provider = await start('../load/mock-provider.mjs');
  const proxy = await start('../reference/proxy-server.mjs', provider.url);
  pin(SERVER, proxy.process.pid);
  const product = await startProduct({ PARLANCE_MODELS: JSON.stringify(catalogue(provider.url)), PARLANCE_CONNECTIONS_PER_ADDRESS: '0' });
  try {
    const token = await ask('POST', `${product.url}/user/me/tokens`, product.headers, { description: 'bench', scopes: ['models'] });
    if (token.status !== 201) throw new Error(`creating a token was answered with ${token.status}`);
    const messages = [{ role: 'user', content: messageIn().message.content[0].body }];
    const json = { 'content-type': 'application/json' };
    const ours = { url: `${product.url}/v1/chat/completions`, headers: { ...json, authorization: `Bearer ${token.body.token}` } };
    const bare = { url: `${proxy.url}/chat/completions`, headers: json };
    const body = (model, stream) => JSON.stringify({ model, messages, stream });
    const kinds = {
      whole: { ...ours, body: body('mock', false), mark: '"finish_reason":"stop"' },
      bareWhole: { ...bare, body: body(`mock-${CHUNKS}-0`, false), mark: '"finish_reason":"stop"' },
      stream: { ...ours, body: body('mock', true), mark: '"content":' },
      bareStream: { ...bare, body: body(`mock-${CHUNKS}-0`, true), mark: '"content":' },
    };
    const names = Object.keys(kinds);
    const isBare = (name) => name.startsWith('bare');
    /** Until analytics has the charges. */
    const settled = () => ask('GET', `${product.url}/admin/costs/summary?top_n=1`, product.headers);
    for (const name of names) await streams({ ...kinds[name], count: form.warm, atOnce: form.atOnce });
    const [cpu, written] = [Object.fromEntries(names.map((name) => [name, []])), []];
    let wrong = 0;
    // Alternately, so that other load on the machine affects all.
    for (let round = 0; round < form.rounds; round++) {
      for (const name of names) {
        const { pid } = isBare(name) ? proxy.process : product;
        await settled();
        const before = [cpuMicros(pid), bytesWritten(pid)];
        const answers = await streams({ ...kinds[name], count: form.calls, atOnce: form.atOnce });
        if (!isBare(name)) await settled();
        cpu[name].push((cpuMicros(pid) - before[0]) / form.calls);
        if (name === 'whole') written.push((bytesWritten(pid) - before[1]) / form.calls);
        wrong += answers.filter(({ status, marks }) => status !== 200 || marks === 0).length;
      }
    }
    const ratio = (one, other) => median(cpu[one].map((each, round) => each / cpu[other][round]));
    const perSecond = 1e6 / median(cpu.whole);
    const paced = { perSecond: Math.max(1, Math.floor(perSecond / 2)), warmSeconds: 2, seconds: form.seconds, expected: 200 };
    const half = { ours: await pacedLoop({ ...kinds.whole, ...paced }), bare: await pacedLoop({ ...kinds.bareWhole, ...paced }) };
    const before = await recorded(product);
    const open = await openAtOnce({ ...kinds.stream, body: body('slow', true) }, form.open, product);
    const { body: costs } = await settled();
    return {
      rows: [
        figure(`a call of ${CHUNKS} chunks in one answer: CPU`, median(cpu.whole), 'µs'),
        figure('  calls on one core, charged and durable', perSecond, '/s', { bar: { atLeast: 1_700 } }),
        figure('  ÷ of a bare proxy', ratio('whole', 'bareWhole'), '', {
          bar: { atMost: 2 },
          gate: { atMost: 20 },
          against: 'node:http and undici',
        }),
        figure('  written to disk', median(written) / KB, 'KB', { bar: { atMost: 4 } }),
        figure('as a stream: CPU', median(cpu.stream), 'µs'),
        figure('  ÷ of a bare proxy', ratio('stream', 'bareStream'), '', {
          bar: { atMost: 1.6 },
          gate: { atMost: 20 },
          against: 'node:http and undici',
        }),
        figure(`at half of that (${paced.perSecond}/s), added to the bare proxy: p50`, half.ours.p50 - half.bare.p50, 'ms', {
          bar: { atMost: 1.5 },
        }),
        figure('  p99', half.ours.p99 - half.bare.p99, 'ms', { bar: { atMost: 6 } }),
        figure(`${form.open} streams at once: memory`, open.memory, 'MB', { bar: { atMost: 350 } }),
      ],
      invariants: [
        invariant('every call is answered', wrong === 0, `${wrong} were not`),
        invariant('every call at a pace is answered', half.ours.wrong + half.bare.wrong === 0, `${half.ours.wrong} were not`),
        invariant('every open stream has its chunks', open.wrong === 0, `${open.wrong} of ${form.open} had none`),
        invariant('every call is recorded', (await recorded(product)) - before === form.open, 'some open streams were not'),
        invariant('the calls are charged', costs.total_cost > 0, JSON.stringify(costs.total_cost)),
      ],
    };
  } finally {
    await product.stop();
    proxy.process.disconnect();
    provider.process.disconnect();
  }
}

async function recorded({ url, headers }) {
  const { status, body } = await ask('GET', `${url}/admin/calls/summary`, headers);
  if (status !== 200) throw new Error(`asking for the calls was answered with ${status}`);
  return body.calls;
}
