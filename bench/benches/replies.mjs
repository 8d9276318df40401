import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bareAccept } from '../load/bare-accept.mjs';
import { CONNECTIONS } from '../load/messages.mjs';
import { pacedLoop } from '../load/paced.mjs';
import { ask, messageIn, startProduct } from '../load/product.mjs';
import { openAtOnce, streams } from '../load/streams.mjs';
import { LOAD, pin } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const FULL = {
  warm: 2_000,
  replies: 3_000,
  atOnce: 64,
  pace: 100,
  seconds: 10,
  streams: 300,
  alone: { count: 160, atOnce: 16 },
  open: 1_000,
  dead: { times: 3, perSecond: 20 },
  bare: { warmSeconds: 2, seconds: 6 },
};
const SHORT = {
  warm: 600,
  replies: 200,
  atOnce: 16,
  pace: 20,
  seconds: 2,
  streams: 30,
  alone: { count: 16, atOnce: 8 },
  open: 50,
  dead: { times: 1, perSecond: 5 },
  bare: { warmSeconds: 1, seconds: 2 },
};
const [FEW, MANY] = [30, 330];
/**
 * Chunks that arrive in one read are joined, so the chunks of `fewAlone` and `manyAlone` come two milliseconds apart. `slow` takes ten
 * seconds until its last chunk. The provider of `dead` never answers.
 */
const MODELS = {
  few: `mock-${FEW}-0`,
  many: `mock-${MANY}-0`,
  fewAlone: `mock-${FEW}-2`,
  manyAlone: `mock-${MANY}-2`,
  slow: 'mock-40-250',
  dead: 'mock-hangs',
};
/** The load comes from one user, and a user may have at most three quarters of the concurrent calls. */
const CALLS_AT_ONCE = 1_400;

const catalogue = (base_url) => ({
  providers: {
    mock: { type: 'openai_compatible', base_url, api_key: 'none', max_concurrent_calls: CALLS_AT_ONCE },
    dead: { type: 'openai_compatible', base_url, api_key: 'none', first_token_timeout_seconds: 5 },
  },
  models: Object.entries(MODELS).map(([id, model]) => ({
    id,
    provider: id === 'dead' ? 'dead' : 'mock',
    model,
    context_window: 100_000,
    prices: [{ from: '2026-01-01T00:00:00Z', input: 3, output: 15 }],
  })),
  defaults: { chat: 'few' },
});

export async function run({ short }) {
  pin(LOAD);
  const form = short ? SHORT : FULL;
  const bare = await bareAccept(CONNECTIONS, form.bare);
  const provider = fork(new URL('../load/mock-provider.mjs', import.meta.url).pathname, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url: base }] = await once(provider, 'message');
  const environment = { PARLANCE_MODELS: JSON.stringify(catalogue(base)), PARLANCE_CONNECTIONS_PER_ADDRESS: '0' };
  const product = await startProduct(environment);
  try {
    const bodyFor = (model) => {
      const { message } = messageIn();
      return JSON.stringify({ message: { ...message, model } });
    };
    const stream = { url: `${product.url}/conversation`, headers: { ...product.headers, accept: 'text/event-stream' } };
    const direct = { url: `${base}/chat/completions`, headers: { 'content-type': 'application/json' }, mark: '"content":' };
    await streams({ ...stream, body: bodyFor('few'), count: form.warm, atOnce: form.atOnce });

    const before = cpuMicros(product.pid);
    const few = await streams({ ...stream, body: bodyFor('few'), count: form.replies, atOnce: form.atOnce });
    const between = cpuMicros(product.pid);
    const many = await streams({ ...stream, body: bodyFor('many'), count: form.streams, atOnce: form.atOnce });
    const after = cpuMicros(product.pid);
    const cpuOfFew = (between - before) / form.replies;
    const cpuOfMany = (after - between) / form.streams;
    const ofAlone = await cpuOfStreams({ ...stream, body: bodyFor('fewAlone'), ...form.alone }, product);
    const ofManyAlone = await cpuOfStreams({ ...stream, body: bodyFor('manyAlone'), ...form.alone }, product);

    const paced = { perSecond: form.pace, warmSeconds: 2, seconds: form.seconds };
    const waiting = { url: stream.url, headers: { ...product.headers, prefer: 'wait=30' }, body: bodyFor('few'), expected: 200 };
    const ours = await pacedLoop({ ...waiting, ...paced });
    const theirs = await pacedLoop({ ...direct, body: JSON.stringify({ model: MODELS.few, stream: true }), expected: 200, ...paced });

    const alone = { count: form.streams, atOnce: 1 };
    const first = median((await streams({ ...stream, body: bodyFor('few'), ...alone })).map((each) => each.first));
    const firstOfTheirs = median(
      (await streams({ ...direct, body: JSON.stringify({ model: MODELS.few, stream: true }), ...alone })).map((each) => each.first),
    );

    const beside = await besideDead({ waiting, dead: bodyFor('dead'), paced, form });
    const open = await openAtOnce({ ...stream, body: bodyFor('slow') }, form.open, product);
    const { body: summary } = await ask('GET', `${product.url}/admin/costs/summary?top_n=1`, product.headers);
    return {
      rows: [
        figure(`a durable reply of ${FEW} chunks by a provider, streamed: CPU`, cpuOfFew, 'µs'),
        figure('  replies on one core', 1e6 / cpuOfFew, '/s', { bar: { atLeast: 600 } }),
        figure('  ÷ CPU of a bare accept', cpuOfFew / bare.cpu, '', {
          // The full form gave 99. Short runs gave less than 200, and 216 beside other work.
          gate: { atMost: 250 },
          against: 'bare Fastify, SQLite FULL, group commit',
        }),
        figure('  a further chunk: CPU', (cpuOfMany - cpuOfFew) / (MANY - FEW), 'µs', { bar: { atMost: 35 } }),
        figure('  a further chunk in a read of its own: CPU', (ofManyAlone - ofAlone) / (MANY - FEW), 'µs', { bar: { atMost: 35 } }),
        figure(`replies at ${form.pace}/s with Prefer: wait: p99`, ours.p99, 'ms'),
        figure('  of the provider itself', theirs.p99, 'ms'),
        figure('  added', ours.p99 - theirs.p99, 'ms', { bar: { atMost: 25 } }),
        figure('time to the first chunk of a stream', first, 'ms'),
        figure('  of the provider itself', firstOfTheirs, 'ms'),
        figure('  added', first - firstOfTheirs, 'ms', { bar: { atMost: 2.5 } }),
        figure('the same beside a provider that never answers: p99', beside.dead, 'ms'),
        figure('  ÷ without it', beside.dead / beside.alone, '', { bar: { atMost: 1.05 } }),
        figure(`${form.open} streams at once: memory`, open.memory, 'MB', { bar: { atMost: 400 } }),
        figure('  to the first chunk, p99', open.p99, 'ms'),
      ],
      invariants: [
        invariant(
          'every stream has its chunks',
          [...few, ...many].every(({ status, marks }) => status === 200 && marks > 0),
          'some had none',
        ),
        invariant('every reply at a pace comes', ours.wrong === 0, `${ours.wrong} did not`),
        invariant('every reply beside a dead provider comes', beside.wrong === 0, `${beside.wrong} did not`),
        invariant('every open stream has its chunks', open.wrong === 0, `${open.wrong} of ${form.open} had none`),
        invariant('the replies are charged', summary.total_cost > 0, JSON.stringify(summary.total_cost)),
      ],
    };
  } finally {
    await product.stop();
    provider.disconnect();
  }
}

/**
 * Replies at a pace, alternately without and with messages to a provider that never answers. Returns the median p99 of each, because a
 * single p99 mostly shows the pauses of the machine.
 */
async function besideDead({ waiting, dead, paced, form }) {
  const p99 = { alone: [], dead: [] };
  let wrong = 0;
  for (let time = 0; time < form.dead.times; time++) {
    for (const kind of ['alone', 'dead']) {
      const { headers, url } = waiting;
      const { prefer: _, ...plain } = headers;
      const others =
        kind === 'dead' && pacedLoop({ url, headers: plain, body: dead, expected: 202, ...paced, perSecond: form.dead.perSecond });
      const result = await pacedLoop({ ...waiting, ...paced });
      await others;
      p99[kind].push(result.p99);
      wrong += result.wrong;
    }
  }
  return { alone: median(p99.alone), dead: median(p99.dead), wrong };
}

/** Processor time per stream, in microseconds. */
async function cpuOfStreams(options, { pid }) {
  const before = cpuMicros(pid);
  await streams(options);
  return (cpuMicros(pid) - before) / options.count;
}
