import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { closedLoop } from '../load/closed.mjs';
import { forkServer, LOAD, pin } from '../measure/cores.mjs';
import { figure, invariant, median } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const CONNECTIONS = 32;
const ROUNDS = 3;

export async function run({ short }) {
  pin(LOAD);
  // The short form warms up for just as long, because the code is compiled only after a few thousand requests.
  const seconds = short ? { warmSeconds: 3, seconds: 3 } : { warmSeconds: 3, seconds: 6 };
  const rounds = [];
  // Alternately, so that other load on the machine affects both.
  for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
    rounds.push({
      bare: await measured('../reference/static-server.mjs', seconds),
      edge: await measured('../subjects/edge.mjs', seconds),
      published: await measured('../subjects/edge.mjs', seconds, ['published']),
    });
  }
  const of = (whose, what) => median(rounds.map((round) => round[whose][what]));
  const ratio = median(rounds.map(({ bare, edge }) => edge.cpu / bare.cpu));
  const share = median(rounds.map(({ bare, published }) => bare.cpu / published.cpu));
  const against = 'static Fastify';
  return {
    rows: [
      figure('GET through the edge: token, allowlist, session, route, statement', of('edge', 'perSecond'), '/s'),
      figure('  p99', of('edge', 'p99'), 'ms'),
      figure('  CPU of a request', of('edge', 'cpu'), 'µs'),
      figure('GET of a published bot: key, allowlist, copies, CORS, headers, statement', of('published', 'perSecond'), '/s'),
      figure('  p99', of('published', 'p99'), 'ms'),
      figure('  CPU of a request', of('published', 'cpu'), 'µs'),
      figure('static Fastify', of('bare', 'perSecond'), '/s'),
      figure('  CPU of a request', of('bare', 'cpu'), 'µs'),
      figure('through the edge ÷ static, CPU of a request', ratio, '', { bar: { atMost: 2.2 }, gate: { atMost: 7 }, against }),
      figure('static ÷ published bot, CPU of a request', share, '', { bar: { atLeast: 0.4 }, gate: { atLeast: 0.14 }, against }),
    ],
    invariants: ['bare', 'edge', 'published'].map((whose) =>
      invariant(
        `${whose} answers 200 to all`,
        rounds.every((round) => round[whose].wrong === 0),
        `${rounds.map((round) => round[whose].wrong)} were answered otherwise`,
      ),
    ),
  };
}

async function measured(file, seconds, args = []) {
  const server = forkServer(fileURLToPath(new URL(file, import.meta.url)), args);
  const [{ url, headers = {}, directory }] = await once(server, 'message');
  try {
    const marks = [];
    const onMeasure = () => marks.push(cpuMicros(server.pid));
    const result = await closedLoop({ method: 'GET', url, headers, connections: CONNECTIONS, expected: 200, ...seconds, onMeasure });
    return { ...result, cpu: (marks[1] - marks[0]) / result.measured };
  } finally {
    server.disconnect();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    if (directory) await rm(directory, { recursive: true, force: true });
  }
}
