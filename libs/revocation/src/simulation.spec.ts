import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SimulatedProcess } from '../test/agenda.ts';
import { DistantRegistry } from '../test/distant-registry.ts';
import { SimulatedWorld, type WorldParts } from '../test/simulated-world.ts';
import { RevocationCopy } from './copy.ts';
import type { RevocationNews } from './feed.ts';
import { MemoryWatcherRegistry } from './memory.ts';

const END_MS = 12_000;
/** The time after the last event by which everything that can be answered has been answered. */
const QUIET_MS = 12_000;

type Happening = readonly [at: number, what: keyof typeof happenings, whom: number, millis: number];

const happenings = {
  signOut: (world: SimulatedWorld, whom: number) => world.signOut(whom),
  pauseWatcher: (world: SimulatedWorld, whom: number, millis: number) => world.pauseWatcher(whom, millis),
  killWatcher: (world: SimulatedWorld, whom: number) => world.killWatcher(whom),
  stopWatcher: (world: SimulatedWorld, whom: number) => world.stopWatcher(whom),
  startWatcher: (world: SimulatedWorld) => world.startWatcher(),
  pauseReplica: (world: SimulatedWorld, whom: number, millis: number) => world.pauseReplica(whom, millis),
  startReplica: (world: SimulatedWorld, whom: number) => world.startReplica(whom),
};

const happening = fc.tuple(
  fc.integer({ min: 0, max: END_MS }),
  fc.oneof(
    { weight: 8, arbitrary: fc.constant('signOut' as const) },
    { weight: 4, arbitrary: fc.constant('pauseWatcher' as const) },
    { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[])) },
  ),
  fc.nat({ max: 5 }),
  fc.integer({ min: 100, max: 6_000 }),
);

async function run(seed: number, story: readonly Happening[], parts?: WorldParts): Promise<SimulatedWorld> {
  const world = new SimulatedWorld(seed, parts);
  for (const [at, what, whom, millis] of story) world.agenda.at(at, () => happenings[what](world, whom, millis));
  while (world.broken.length === 0 && (await world.agenda.step(END_MS + QUIET_MS))) world.check();
  return world;
}

/** Checks the promise over random stories. With broken parts, it tries more stories and does not shrink them. */
const promise = (numRuns: number, parts?: () => WorldParts) =>
  fc.check(
    fc.asyncProperty(fc.nat(), fc.array(happening, { minLength: 4, maxLength: 14 }), async (seed, story) => {
      expect((await run(seed, story, parts?.())).broken).toEqual([]);
    }),
    { numRuns, endOnFailure: parts !== undefined },
  );

class GoodFromReceipt extends RevocationCopy {
  constructor(private readonly process: SimulatedProcess) {
    super();
  }
  override take(news: RevocationNews): void {
    super.take(news, this.process.steady());
  }
}

class NotedAfterReading extends DistantRegistry {
  override async note(watcher: string, seen: number): Promise<void> {
    const { agenda, dice } = this.process;
    agenda.at(agenda.now + dice.between(0, 1_500), () => void this.registry.note(watcher, seen));
  }
}

class DropsAtAnyBeat extends MemoryWatcherRegistry {
  override async drop(watcher: string): Promise<void> {
    for (const one of await this.all()) if (one.watcher === watcher) await super.drop(watcher, one.beat);
  }
}

/** A clock that is sometimes set forward, like the time of day. */
class TimeOfDay extends SimulatedProcess {
  constructor(private readonly process: SimulatedProcess) {
    super(process.agenda, process.dice);
  }
  override steady(): number {
    return this.process.steady() + 3_000 * Math.floor(this.agenda.now / 700);
  }
  override sleep(millis: number, signal?: AbortSignal): Promise<void> {
    return this.process.sleep(millis, signal);
  }
}

const forgetful = { watchersOutliveIt: false };

describe('the promise that nothing is accepted after its revocation was answered', () => {
  it('holds with two replicas, whichever processes are stopped, killed, started or slow', async () => {
    const result = await promise(120);
    expect(fc.defaultReportMessage(result)).toBeUndefined();
  });

  it('holds in time: no wait is longer than a lease if rows are written at once', async () => {
    const world = await run(7, [
      [3_000, 'signOut', 0, 0],
      [4_000, 'killWatcher', 1, 0],
      [5_000, 'signOut', 1, 0],
      [9_000, 'signOut', 0, 0],
    ]);
    expect(world.unanswered).toBe(0);
    expect(world.answered).toHaveLength(3);
  });

  const broken: [string, () => WorldParts][] = [
    ['reads the rows before it notes the watcher', () => ({ distant: (registry, process) => new NotedAfterReading(registry, process) })],
    ['counts the lease from the answer', () => ({ copy: (process) => new GoodFromReceipt(process) })],
    ['drops a watcher with a newer note', () => ({ registry: new DropsAtAnyBeat(forgetful) })],
    ['measures waits by the time of day', () => ({ feedTime: (process) => new TimeOfDay(process) })],
  ];
  it.each(broken)('is violated if a participant %s', async (_, parts) => expect((await promise(3_000, parts)).failed).toBe(true));
});
