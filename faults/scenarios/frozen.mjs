// A replica of the cluster that is frozen (SIGSTOP): it accepts connections and does not respond. Reads must be answered by another replica, and the
// outcome of each command must be known or be named unknown. Nothing may be made twice.
import { setTimeout as pause } from 'node:timers/promises';
import { fail, pass } from '../suite.mjs';
import { withCluster } from './with-cluster.mjs';

/** The bars, in milliseconds: what the freeze may add to reads in its first seconds (p99), to later ones, and to the slowest command. */
const bars = { first: 2_500, later: 100, command: 8_000 };
/** After this time, no request may be slower than without the freeze. */
const NOTICED_MS = 5_000;
const FROZEN_MS = 20_000;
/** How long the same load runs before the freeze, for comparison. */
const USUAL_MS = 10_000;
/** Refusals after which the effect is known, or named unknown. */
const NAMED = new Set(['outcome_unknown', 'recorded_not_visible']);
const READS_EVERY = 60;
const WRITES_EVERY = 400;

export function frozen({ count }) {
  return withCluster('a frozen replica', {}, async ({ running, clients }) => {
    for (let round = 0; round < count; round++) {
      for (const name of ['bots-2', 'identity-2']) {
        const usual = await underLoad(clients, USUAL_MS);
        const usualRead = percentile(
          usual.reads.map(({ ms }) => ms),
          99,
        );
        const usualCommand = Math.max(...usual.commands.map(({ ms }) => ms));
        const { reads, commands, problems } = await freeze(running, name, clients);
        const first = reads.filter(({ at }) => at < NOTICED_MS).map(({ ms }) => ms);
        const later = reads.filter(({ at }) => at >= NOTICED_MS).map(({ ms }) => ms);
        const unknown = commands.filter(({ code }) => code === 'outcome_unknown').length;
        const slowest = Math.max(...commands.map(({ ms }) => ms));
        if (percentile(first, 99) > usualRead + bars.first) problems.push(`reads waited for ${percentile(first, 99)} ms (p99) at first`);
        if (percentile(later, 99) > usualRead + bars.later)
          problems.push(`reads waited for ${percentile(later, 99)} ms (p99) after ${NOTICED_MS} ms`);
        if (slowest > usualCommand + bars.command) problems.push(`a command waited for ${slowest} ms`);
        const figures = `${reads.length} reads: p99 ${usualRead} ms before, ${percentile(first, 99)} ms at first, ${percentile(later, 99)} ms after ${NOTICED_MS / 1_000} s; ${commands.length} commands, ${unknown} with an unknown outcome, the slowest ${usualCommand} ms before and ${slowest} ms then`;
        if (problems.length > 0)
          fail(`${name} frozen`, [{ name: 'answers and effects', count: problems.length, problems: problems.slice(0, 20) }], figures);
        else pass(`${name} frozen`, figures);
      }
    }
  });
}

/** Requests through both edges while the process is frozen, and the effects of the commands afterwards. */
async function freeze(running, name, clients) {
  const { pid } = running.servers.get(name);
  const problems = [];
  process.kill(pid, 'SIGSTOP');
  const { reads, commands } = await underLoad(clients, FROZEN_MS).finally(() => process.kill(pid, 'SIGCONT'));
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

/** Sends reads and commands at these intervals, whether or not earlier ones were answered. */
async function underLoad(clients, millis) {
  const [reads, commands, sent] = [[], [], []];
  const begun = Date.now();
  const each = async (every, send) => {
    for (let n = 0; Date.now() - begun < millis; n++) {
      sent.push(send(clients[n % clients.length]));
      await pause(every);
    }
  };
  await Promise.all([
    each(READS_EVERY, async (client) => reads.push(await timed(begun, () => client.bots()))),
    each(WRITES_EVERY, async (client) => {
      const key = `frozen-${begun}-${Math.random()}`;
      commands.push({ client, key, ...(await timed(begun, () => client.createBotOnce(key))) });
    }),
  ]);
  await Promise.all(sent);
  return { reads, commands };
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
