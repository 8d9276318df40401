// A replica of the cluster that is frozen (SIGSTOP): it accepts connections and does not respond. Reads must be answered by another replica, and the
// outcome of each command must be known or be named unknown. Nothing may be made twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, pass, skip } from '../suite.mjs';
import { admin, signedIn } from './cluster-client.mjs';

/** The bars, in milliseconds: of reads in the first seconds of the freeze, and the slowest command. */
const bars = { firstP99: 2_500, command: 6_000 };
/** After this time, no request may be slower than without the freeze. */
const NOTICED_MS = 5_000;
const FROZEN_MS = 20_000;
/** Waits up to this long count as those of an unfrozen cluster on a loaded machine. */
const USUAL_MS = 1_000;
/** Refusals after which the effect is known, or named unknown. */
const NAMED = new Set(['outcome_unknown', 'recorded_not_visible']);
const READS_EVERY = 40;
const WRITES_EVERY = 150;

export async function frozen({ root: _, count }) {
  const { cluster, missing } = await import('@parlance/testing');
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return skip('a frozen replica', lacking);
  const directory = await mkdtemp(join(tmpdir(), 'parlance-frozen-'));
  let running;
  try {
    running = await cluster(
      {
        PARLANCE_ADMIN_EMAIL: admin.email,
        PARLANCE_ADMIN_PASSWORD: admin.password,
        PARLANCE_LOG_LEVEL: 'warn',
        PARLANCE_REQUESTS_PER_MINUTE: '0',
      },
      { directory },
    );
    const clients = [await signedIn(running.urls[0]), await signedIn(running.urls[1])];
    for (let round = 0; round < count; round++) {
      for (const name of ['bots-2', 'identity-2']) {
        const { reads, commands, problems } = await freeze(running, name, clients);
        const first = reads.filter(({ at }) => at < NOTICED_MS).map(({ ms }) => ms);
        const later = reads.filter(({ at }) => at >= NOTICED_MS).map(({ ms }) => ms);
        const unknown = commands.filter(({ code }) => code === 'outcome_unknown').length;
        const slowest = Math.max(...commands.map(({ ms }) => ms));
        if (percentile(first, 99) > bars.firstP99) problems.push(`reads waited for ${percentile(first, 99)} ms (p99) at first`);
        if (percentile(later, 99) > USUAL_MS) problems.push(`reads waited for ${percentile(later, 99)} ms (p99) after ${NOTICED_MS} ms`);
        if (slowest > bars.command) problems.push(`a command waited for ${slowest} ms`);
        const figures = `${reads.length} reads: p99 ${percentile(first, 99)} ms at first, ${percentile(later, 99)} ms after ${NOTICED_MS / 1_000} s; ${commands.length} commands, ${unknown} with an unknown outcome, the slowest ${slowest} ms`;
        if (problems.length > 0)
          fail(`${name} frozen`, [{ name: 'answers and effects', count: problems.length, problems: problems.slice(0, 20) }], figures);
        else pass(`${name} frozen`, figures);
      }
    }
  } finally {
    await running?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Requests through both edges while the process is frozen, and the effects of the commands afterwards. */
async function freeze(running, name, clients) {
  const { pid } = running.servers.get(name);
  const [reads, commands, problems] = [[], [], []];
  const begun = Date.now();
  process.kill(pid, 'SIGSTOP');
  try {
    const sent = [];
    const each = (every, send) =>
      (async () => {
        while (Date.now() - begun < FROZEN_MS) {
          sent.push(send(clients[sent.length % clients.length]));
          await pause(every);
        }
      })();
    await Promise.all([
      each(READS_EVERY, async (client) => reads.push(await timed(begun, () => client.bots()))),
      each(WRITES_EVERY, async (client) => {
        const key = `frozen-${begun}-${commands.length}-${Math.random()}`;
        commands.push({ client, key, ...(await timed(begun, () => client.createBotOnce(key))) });
      }),
    ]);
    await Promise.all(sent);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  for (const { status, code, at } of reads) if (status !== 200) problems.push(`a read after ${at} ms was answered with ${status} ${code}`);
  for (const { status, code, at } of commands) {
    const isNamed = status === 201 || (status === 503 && NAMED.has(code));
    if (!isNamed) problems.push(`a command after ${at} ms was answered with ${status} ${code}`);
    else if (code === 'outcome_unknown' && at > NOTICED_MS) problems.push(`a command after ${at} ms still had an unknown outcome`);
  }
  // Each key is repeated until it is acknowledged. It must name one bot.
  for (const { client, key, id } of commands) {
    const again = await client.createBotOnce(key);
    if (again.status !== 201 || (id !== undefined && again.id !== id))
      problems.push(`the repeat of a command was answered with ${again.status} ${again.code ?? again.id}, and first with ${id}`);
  }
  return { reads, commands, problems };
}

async function timed(begun, work) {
  const at = Date.now() - begun;
  const answer = await work().catch(({ cause, message }) => ({ status: 0, code: cause?.message ?? message }));
  return { at, ...answer, ms: Date.now() - begun - at };
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0;
}
