import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hash, verify } from '@node-rs/argon2';
import { ask, environment, signIn } from '../load/product.mjs';
import { forkServer, LOAD, pin, SERVER } from '../measure/cores.mjs';
import { figure, invariant, percentile } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const PEOPLE = 32;
const AT_ONCE = 8;
const password = 'correct horse battery';
const json = { 'content-type': 'application/json' };

/** All users sign in with a password repeatedly. Meanwhile another user sends `GET /user/me`, which shows whether other requests wait. */
export async function run({ short }) {
  pin(LOAD);
  const product = await startWatched();
  try {
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, n) => {
        const body = { email: `person${n}@example.org`, password, first_name: 'A', last_name: 'B' };
        await ask('POST', `${product.url}/auth/sign-up`, json, body);
        return { email: body.email, password };
      }),
    );
    await product.loop();
    const { signIns, wrong, seconds, cpu, waits } = await load(product, people, short ? 3 : 12);
    const loop = await product.loop();
    const alone = await argonAlone(short ? 20 : 100);
    const outs = await signOuts(product, people, short ? 5 : 30);
    const guesses = await guessing(product, short ? 5 : 8);
    const share = (alone * signIns) / cpu;
    return {
      rows: [
        figure('POST /auth/sign-in', signIns / seconds, '/s'),
        figure('  CPU of a sign-in', cpu / signIns / 1_000, 'ms'),
        figure('argon2id alone, CPU of a check', alone / 1_000, 'ms'),
        figure("argon2id's share of a sign-in's CPU", share, '', {
          bar: { atLeast: 0.8 },
          gate: { atLeast: 0.25 },
          against: 'argon2id alone',
        }),
        figure('event loop between two looks, 1 ms apart: longest', loop.longest, 'ms', { bar: { atMost: 20 } }),
        figure('  p99', loop.p99, 'ms'),
        figure('  GET /user/me meanwhile, p50', percentile(waits, 0.5), 'ms'),
        figure('  p99', percentile(waits, 0.99), 'ms'),
        figure('POST /auth/sign-out, after whose answer the session is refused, p50', percentile(outs.waits, 0.5), 'ms'),
        figure(`  longest of ${outs.waits.length}`, Math.max(...outs.waits), 'ms', { bar: { atMost: 100 } }),
        figure('a wrong password, for an unknown address ÷ for a known one, or the inverse, p50', guesses, '', {
          bar: { atMost: 1.2 },
          gate: { atMost: 2 },
        }),
      ],
      invariants: [
        invariant('all sign-ins succeed', wrong === 0, `${wrong} were not`),
        invariant('no session is accepted after its sign-out was answered', outs.accepted === 0, `${outs.accepted} were`),
      ],
    };
  } finally {
    await product.stop();
  }
}

async function startWatched() {
  const server = forkServer(fileURLToPath(new URL('../subjects/product.mjs', import.meta.url)), [JSON.stringify(environment)]);
  const [{ url, directory }] = await once(server, 'message');
  return {
    url,
    pid: server.pid,
    headers: await signIn(url),
    async loop() {
      server.send('loop');
      return (await once(server, 'message'))[0];
    },
    async stop() {
      server.disconnect();
      await once(server, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function load(product, people, seconds) {
  const waits = [];
  let [signIns, wrong] = [0, 0];
  const from = cpuMicros(product.pid);
  const began = performance.now();
  const end = began + seconds * 1_000;
  const user = async (at) => {
    for (let turn = at; performance.now() < end; turn += AT_ONCE) {
      const { status } = await ask('POST', `${product.url}/auth/sign-in`, json, people[turn % people.length]);
      signIns++;
      if (status !== 200) wrong++;
    }
  };
  const asker = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      await ask('GET', `${product.url}/user/me`, product.headers);
      waits.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all([asker(), ...Array.from({ length: AT_ONCE }, (_, at) => user(at))]);
  return { signIns, wrong, waits, seconds: (performance.now() - began) / 1_000, cpu: cpuMicros(product.pid) - from };
}

/** Measures the time of a sign-out, and checks that its session has ended. */
async function signOuts({ url }, people, times) {
  const waits = [];
  let accepted = 0;
  for (let n = 0; n < times; n++) {
    const { body } = await ask('POST', `${url}/auth/sign-in`, json, people[n % people.length]);
    const headers = { authorization: `Bearer ${body.access_token}` };
    const begun = performance.now();
    await ask('POST', `${url}/auth/sign-out`, headers);
    waits.push(performance.now() - begun);
    if ((await ask('GET', `${url}/user/me`, headers)).status !== 401) accepted++;
  }
  return { waits, accepted };
}

/** Compares the times of the two, alternately. One address allows ten failures. */
async function guessing(product, times) {
  const waits = { unknown: [], known: [] };
  for (let n = 0; n < times; n++) {
    for (const [who, email] of Object.entries({ unknown: 'unknown@example.org', known: 'person0@example.org' })) {
      const begun = performance.now();
      await ask('POST', `${product.url}/auth/sign-in`, json, { email, password: 'a wrong guess' });
      waits[who].push(performance.now() - begun);
    }
  }
  const ratio = percentile(waits.unknown, 0.5) / percentile(waits.known, 0.5);
  return Math.max(ratio, 1 / ratio);
}

/** Runs on the server's core too, because cores differ in speed. */
async function argonAlone(times) {
  pin(SERVER);
  const its = await hash(password);
  const from = cpuMicros(process.pid);
  for (let n = 0; n < times; n++) await verify(its, password);
  const micros = (cpuMicros(process.pid) - from) / times;
  pin(LOAD);
  return micros;
}
