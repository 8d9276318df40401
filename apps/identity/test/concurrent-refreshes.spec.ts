import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import fc from 'fast-check';
import { cutOff, StreamsInMemory, type Turn } from './streams-in-memory.ts';
import { REFRESH_GRACE_MILLIS, session, type SessionCommand, type SessionEvent, sessionStream } from '../src/domain/credentials/session.ts';

const noon = Instant.ofSeconds(1_800_000_000);
const expiresAt = Instant.plus(noon, 3_600_000);
const stream = sessionStream('1');
const start = { type: 'Start', userId: 'ann', via: 'password', epoch: 0, expiresAt } as const;

/** The session as one replica sees it. */
function sessionAt(log: StreamsInMemory, turn: Turn) {
  const streams = log.as(turn);
  return (command: SessionCommand) => streams.execute(session, stream, command);
}

describe('tabs that refresh at the same time, at several replicas of which some are killed', () => {
  it(
    'get the same successor for the same token, and keep their session',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          // Each tab sends its token again if it got no answer.
          fc.array(fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 3 }), { minLength: 2, maxLength: 8 }),
          fc.integer({ min: 1, max: 4 }),
          async (scheduler, tabs, rounds) => {
            const log = new StreamsInMemory();
            await sessionAt(log, async () => undefined)(start);
            const refresh = async (generation: number, steps: number) => {
              let left = steps;
              const run = sessionAt(log, async () => {
                await scheduler.schedule(Promise.resolve());
                if (left-- <= 0) throw cutOff;
              });
              const { state } = await run({ type: 'Refresh', generation, now: noon });
              // `Sessions.refresh` does the same.
              return state.status === 'living' ? generation + 1 : null;
            };
            const tab = async (deaths: readonly number[]) => {
              let generation = 0;
              for (let round = 0; round < rounds; round++) {
                for (const steps of deaths) await refresh(generation, steps).catch((error: unknown) => expect(error).toBe(cutOff));
                const next = await refresh(generation, Number.POSITIVE_INFINITY);
                expect(next).toBe(generation + 1);
                generation = next as number;
              }
            };
            const all = Promise.all(tabs.map(tab));
            await scheduler.waitFor(all);
            await all;
            const refreshed = log.events<SessionEvent>(stream).filter(({ type }) => type === 'SessionRefreshed');
            expect(refreshed.map((event) => (event as { generation: number }).generation)).toEqual(
              Array.from({ length: rounds }, (_, n) => n + 1),
            );
            expect(log.events<SessionEvent>(stream).some(({ type }) => type === 'SessionEnded')).toBe(false);
          },
        ),
      ),
    60_000,
  );

  it(
    'lose their session if one of them refreshes after the grace period, however many there are',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 8 }), async (scheduler, count) => {
          const log = new StreamsInMemory();
          const at = sessionAt(log, async () => undefined);
          await at(start);
          await at({ type: 'Refresh', generation: 0, now: noon });
          const late = Instant.plus(noon, REFRESH_GRACE_MILLIS + 1);
          const run = sessionAt(log, () => scheduler.schedule(Promise.resolve()));
          const all = Promise.allSettled(Array.from({ length: count }, () => run({ type: 'Refresh', generation: 0, now: late })));
          await scheduler.waitFor(all);
          const states = (await all).flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.state.status] : []));
          expect(states).toEqual(['ended']);
          expect(log.events<SessionEvent>(stream).filter(({ type }) => type === 'SessionEnded')).toHaveLength(1);
        }),
      ),
    60_000,
  );
});
