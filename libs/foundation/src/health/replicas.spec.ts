import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { ShutdownPlan } from '@parlance/observability';
import { MemoryWatcherRegistry } from '@parlance/revocation';
import type { Timers } from '../timers.ts';
import type { Storage } from '../wiring/storage.module.ts';
import { Replicas } from './replicas.ts';

const BEAT_MS = 10_000;

describe('the replicas of a service', () => {
  let millis = 1_000_000;
  const clock = { now: () => Instant.ofMillis(millis), steady: () => millis };

  /** Replicas with one database. Their beats are sent by the test. */
  function replicasOf(registry: MemoryWatcherRegistry) {
    return () => {
      let beat = async () => undefined as void;
      const timers = { every: (_: number, __: string, work: typeof beat) => void (beat = work) } as unknown as Timers;
      const shutdown = { stop: () => undefined } as unknown as ShutdownPlan;
      const replicas = new Replicas({ replicas: registry } as unknown as Storage, 'bots', clock, timers, shutdown);
      return { replicas, beat: () => beat() };
    };
  }

  it('are counted while they send beats, then named for a while, and then forgotten', async () => {
    const registry = new MemoryWatcherRegistry({ watchersOutliveIt: false });
    const start = replicasOf(registry);
    const [one, two, stopped] = [start(), start(), start()];
    for (const { replicas } of [one, two, stopped]) await replicas.onModuleInit();
    expect(await one.replicas.states()).toEqual({ live: 3, silent: [] });
    for (let beats = 1; beats <= 6; beats++) {
      millis += BEAT_MS;
      for (const { beat } of [one, two]) {
        await beat();
        expect(await one.replicas.states()).toEqual(beats * BEAT_MS < 25_000 ? { live: 3, silent: [] } : { live: 2, silent: [hostname()] });
      }
    }
    expect(await registry.all()).toHaveLength(3);
    millis += 600_000;
    for (let beats = 1; beats <= 6; beats++) for (const { beat } of [one, two]) await beat();
    expect(await registry.all()).toHaveLength(2);
  });

  it('are forgotten a minute after another process was started in their place', async () => {
    const start = replicasOf(new MemoryWatcherRegistry({ watchersOutliveIt: false }));
    await start().replicas.onModuleInit();
    millis += 2_000;
    const restarted = start();
    await restarted.replicas.onModuleInit();
    for (let beats = 1; beats <= 6; beats++) {
      millis += BEAT_MS;
      await restarted.beat();
      const silent = beats * BEAT_MS + 2_000 >= 25_000 && beats < 6 ? [hostname()] : [];
      expect((await restarted.replicas.states()).silent).toEqual(silent);
    }
  });
});
