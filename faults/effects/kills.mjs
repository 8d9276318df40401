// Kills the processes of a cluster in turn, in a random order, and starts them again.
import { setTimeout as pause } from 'node:timers/promises';
import { SHARED } from '../scenarios/with-cluster.mjs';

/** How long all processes run before the next kill, and how long a killed one stays away, in milliseconds. */
const RUNS = [200, 2_500];
const STAYS_AWAY = [0, 2_000];
/** How often the other replica of the service, if there is one, is killed as well, so that the service is down. */
const BOTH = 0.25;
/** How often a process is killed again while it starts. */
const DURING_START = 0.15;
const STARTS = [100, 1_500];

/** Kills every process once, and goes on until `isOver` returns true, or until the signal. Returns how often each was killed. */
export async function killInTurn(servers, chance, isOver, signal) {
  const names = [...servers.keys()].filter((name) => !SHARED.includes(name));
  const kills = new Map(names.map((name) => [name, 0]));
  const kill = async (name) => {
    kills.set(name, kills.get(name) + 1);
    await servers.get(name).kill();
  };
  for (let left = []; !signal.aborted && (!isOver() || [...kills.values()].includes(0));) {
    if (left.length === 0) left = [...names];
    const name = chance.pick(left);
    left.splice(left.indexOf(name), 1);
    await pause(chance.between(...RUNS));
    await kill(name);
    const partner = names.find((other) => other !== name && other.split('-')[0] === name.split('-')[0]);
    const killed = partner !== undefined && chance.chance(BOTH) ? [name, partner] : [name];
    if (killed.length > 1) await kill(partner);
    await pause(chance.between(...STAYS_AWAY));
    if (chance.chance(DURING_START)) {
      // The start rejects, because the process ends before it is ready.
      const starting = servers
        .get(name)
        .restart()
        .catch(() => undefined);
      await pause(chance.between(...STARTS));
      await kill(name);
      await starting;
    }
    await Promise.all(killed.map((each) => servers.get(each).restart()));
  }
  return kills;
}
