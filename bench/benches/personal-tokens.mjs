import { closedLoop } from '../load/closed.mjs';
import { ask, startProduct } from '../load/product.mjs';
import { LOAD, pin } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const CONNECTIONS = 16;
const ROUNDS = 7;
const SHORT_ROUNDS = 3;

/** `GET /user/me` through the edge of the product, with a personal access token and with the access token of a session. */
export async function run({ short }) {
  pin(LOAD);
  const product = await startProduct();
  try {
    const wanted = { description: 'bench', scopes: ['chat'] };
    const { status, body } = await ask('POST', `${product.url}/user/me/tokens`, product.headers, wanted);
    if (status !== 201) throw new Error(`creating a token was answered with ${status}`);
    const callers = { session: product.headers.authorization, token: `Bearer ${body.token}` };
    const seconds = short ? { warmSeconds: 1, seconds: 2 } : { warmSeconds: 1, seconds: 4 };
    // Before the first round, so that the first caller does not pay for the compilation.
    for (const authorization of Object.values(callers)) await measured(product, authorization, seconds);
    const rounds = [];
    // Alternately, so that other load on the machine affects both. Each is first in every other round.
    for (let round = 0; round < (short ? SHORT_ROUNDS : ROUNDS); round++) {
      const order = round % 2 === 0 ? ['session', 'token'] : ['token', 'session'];
      const its = {};
      for (const whose of order) its[whose] = await measured(product, callers[whose], seconds);
      rounds.push(its);
    }
    const of = (whose, what) => median(rounds.map((round) => round[whose][what]));
    const ratio = median(rounds.map(({ session, token }) => token.cpu / session.cpu));
    return {
      rows: [
        figure('GET /user/me with a personal access token', of('token', 'perSecond'), '/s'),
        figure('  p99', of('token', 'p99'), 'ms'),
        figure('  CPU of a request', of('token', 'cpu'), 'µs'),
        figure('GET /user/me with the token of a session', of('session', 'perSecond'), '/s'),
        figure('  p99', of('session', 'p99'), 'ms'),
        figure('  CPU of a request', of('session', 'cpu'), 'µs'),
        figure('personal access token ÷ session, CPU of a request', ratio, '', {
          bar: { atMost: 1.1 },
          gate: { atMost: 2 },
          against: 'the token of a session',
        }),
      ],
      invariants: Object.keys(callers).map((whose) =>
        invariant(
          `GET /user/me with the token of ${whose === 'token' ? 'a program' : 'a session'} is answered with 200`,
          rounds.every((round) => round[whose].wrong === 0),
          `${rounds.map((round) => round[whose].wrong)} were answered otherwise`,
        ),
      ),
    };
  } finally {
    await product.stop();
  }
}

async function measured({ url, pid }, authorization, seconds) {
  const marks = [];
  const onMeasure = () => marks.push(cpuMicros(pid));
  const request = { method: 'GET', url: `${url}/user/me`, headers: { authorization }, connections: CONNECTIONS, expected: 200 };
  const result = await closedLoop({ ...request, ...seconds, onMeasure });
  return { ...result, cpu: (marks[1] - marks[0]) / result.measured };
}
