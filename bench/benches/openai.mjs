import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pacedLoop } from '../load/paced.mjs';
import { messageIn, startProduct } from '../load/product.mjs';
import { published } from '../load/publication.mjs';
import { streams } from '../load/streams.mjs';
import { LOAD, pin, SERVER } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const FULL = { warm: 1_500, calls: 1_000, rounds: 3, atOnce: 32, pace: 50, seconds: 10 };
const SHORT = { warm: 300, calls: 100, rounds: 1, atOnce: 16, pace: 20, seconds: 2 };
const CHUNKS = 30;

const catalogue = (base_url) => ({
  providers: { mock: { type: 'openai_compatible', base_url, api_key: 'none', max_concurrent_calls: 1_000 } },
  models: [
    {
      id: 'mock',
      provider: 'mock',
      model: `mock-${CHUNKS}-0`,
      context_window: 100_000,
      prices: [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }],
    },
  ],
  defaults: { chat: 'mock' },
});

export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : FULL;
  const provider = fork(new URL('../load/mock-provider.mjs', import.meta.url).pathname, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url: base }] = await once(provider, 'message');
  const proxy = fork(new URL('../reference/proxy-server.mjs', import.meta.url).pathname, [base], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url: direct }] = await once(proxy, 'message');
  pin(SERVER, proxy.pid);
  const product = await startProduct({ PARLANCE_MODELS: JSON.stringify(catalogue(base)), PARLANCE_CONNECTIONS_PER_ADDRESS: '0' });
  try {
    const { endpoint, key } = await published(product);
    const program = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const chatBody = { messages: [{ role: 'user', content: messageIn().message.content[0].body }] };
    const chat = { url: `${endpoint}/v1/chat/completions`, headers: program };
    const kinds = {
      user: { url: `${product.url}/conversation`, headers: { ...product.headers, accept: 'text/event-stream' }, body: messageIn() },
      whole: { ...chat, body: chatBody, mark: '"finish_reason":"stop"' },
      stream: { ...chat, body: { ...chatBody, stream: true }, mark: '"content":' },
      bare: {
        url: `${direct}/chat/completions`,
        headers: { 'content-type': 'application/json' },
        body: { ...chatBody, model: `mock-${CHUNKS}-0`, stream: true },
        mark: '"content":',
      },
    };
    for (const kind of Object.values(kinds)) kind.body = JSON.stringify(kind.body);
    for (const kind of Object.values(kinds)) await streams({ ...kind, count: form.warm, atOnce: form.atOnce });
    const cpu = { user: [], whole: [], stream: [], bare: [] };
    const wrong = { user: 0, whole: 0, stream: 0, bare: 0 };
    // Alternately, so that other load on the machine affects all.
    for (let round = 0; round < form.rounds; round++) {
      for (const [name, kind] of Object.entries(kinds)) {
        const { pid } = name === 'bare' ? proxy : product;
        const before = cpuMicros(pid);
        const answers = await streams({ ...kind, count: form.calls, atOnce: form.atOnce });
        cpu[name].push((cpuMicros(pid) - before) / form.calls);
        wrong[name] += answers.filter(({ status, marks }) => status !== 200 || marks === 0).length;
      }
    }
    const paced = { perSecond: form.pace, warmSeconds: 2, seconds: form.seconds, expected: 200 };
    const ours = await pacedLoop({ ...kinds.whole, ...paced });
    const ratio = median(cpu.whole.map((each, round) => each / cpu.user[round]));
    const share = median(cpu.bare.map((each, round) => each / cpu.stream[round]));
    return {
      rows: [
        figure(`a chat completion with a key, ${CHUNKS} chunks by a provider: CPU`, median(cpu.whole), 'µs'),
        figure('  calls on one core', 1e6 / median(cpu.whole), '/s'),
        figure('  as a stream: CPU', median(cpu.stream), 'µs'),
        figure('a proxy that checks and keeps nothing, as a stream: CPU', median(cpu.bare), 'µs'),
        figure('  ÷ of a chat completion as a stream', share, '', { bar: { atLeast: 0.25 }, against: 'node:http and undici' }),
        figure('the streamed reply of a user: CPU', median(cpu.user), 'µs'),
        figure('a chat completion ÷ the reply of a user, CPU', ratio, '', { gate: { atMost: 3 }, against: 'POST /conversation, streamed' }),
        figure(`chat completions at ${form.pace}/s: p50`, ours.p50, 'ms'),
        figure('  p99', ours.p99, 'ms'),
      ],
      invariants: [
        ...Object.entries(wrong).map(([name, count]) => invariant(`every answer of ${name} comes`, count === 0, `${count} did not`)),
        invariant('every call at a pace is answered', ours.wrong === 0, `${ours.wrong} were not`),
      ],
    };
  } finally {
    await product.stop();
    proxy.disconnect();
    provider.disconnect();
  }
}
