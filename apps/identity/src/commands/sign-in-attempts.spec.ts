import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal } from '@parlance/decider';
import { type Append, type Commit, type EventStore, execute, VersionConflict } from '@parlance/event-store';
import fc from 'fast-check';
import { freeFailures, signInAttempts, type SignInAttemptsCommand } from '../domain/sign-in-attempts.ts';

type Turn = () => Promise<unknown>;

const noon = Instant.ofSeconds(1_800_000_000);
const metadata = { at: noon, actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'r', causationId: null };

/** The attempts of one address in memory, as replicas share them. */
class SharedAttempts {
  readonly commits: Commit[] = [];

  /** What one replica carries out for one request. Each step at the store waits for its turn, and may be where the replica is killed. */
  as(turn: Turn) {
    const store = {
      read: async (_: string, after = 0) => (await turn(), this.commits.slice(after)),
      append: async (append: Append) => (await turn(), this.append(append)),
    } as unknown as EventStore;
    return (command: SignInAttemptsCommand) => execute(store, signInAttempts, { stream: 'attempts-1', command, metadata, attempts: 1_000 });
  }

  private append({ stream, expected, events }: Append) {
    if (this.commits.length !== expected) throw new VersionConflict(stream, expected);
    const recorded = events.map((event, index) => ({ id: `${expected}.${index}`, schema: 1, event }));
    this.commits.push({ position: 0, stream, version: expected + 1, events: recorded, metadata });
    return { version: expected + 1, written: true, events: recorded };
  }

  /** The longest row of failures without a success in between. */
  longestRow(): number {
    let [row, longest] = [0, 0];
    for (const { events } of this.commits)
      for (const { event } of events) {
        row = event.type === 'SignInSucceeded' ? 0 : row + 1;
        longest = Math.max(longest, row);
      }
    return longest;
  }
}

const killed = new Error('killed');

/** As `SignIn` does it. */
async function tryPassword(run: ReturnType<SharedAttempts['as']>, isRight: boolean, check: Turn): Promise<string> {
  try {
    await run({ type: 'Try', now: noon });
    await check();
    await run({ type: 'Conclude', matches: isRight, userId: 'ann', signedIn: false, now: noon });
    return isRight ? 'let in' : 'wrong';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    if (error === killed) return 'killed';
    throw error;
  }
}

const tries = (isRight: fc.Arbitrary<boolean>) =>
  fc.array(fc.record({ isRight, steps: fc.option(fc.integer({ min: 0, max: 8 }), { nil: Number.POSITIVE_INFINITY, freq: 8 }) }), {
    minLength: 1,
    maxLength: 40,
  });

async function race(scheduler: fc.Scheduler, all: readonly { isRight: boolean; steps: number }[]) {
  const shared = new SharedAttempts();
  const answers = all.map(({ isRight, steps }) => {
    let left = steps;
    const turn = async () => {
      await scheduler.schedule(Promise.resolve());
      if (left-- <= 0) throw killed;
    };
    return tryPassword(shared.as(turn), isRight, turn);
  });
  await scheduler.waitFor(Promise.all(answers));
  const told = await Promise.all(answers);
  return { shared, told, count: (answer: string) => told.filter((its) => its === answer).length };
}

describe('passwords that are tried at the same time, at several replicas', () => {
  it(
    'are told to be wrong ten times at most, and as often as that where nobody is killed',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.constant(false)), async (scheduler, all) => {
          const { count } = await race(scheduler, all);
          expect(count('wrong')).toBeLessThanOrEqual(freeFailures);
          if (count('killed') === 0) expect(count('wrong')).toBe(Math.min(freeFailures, all.length));
        }),
      ),
    60_000,
  );
  it(
    'are never refused while all of them are right',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.constant(true)), async (scheduler, all) => {
          const { count, shared } = await race(scheduler, all);
          expect(count('let in') + count('killed')).toBe(all.length);
          expect(shared.commits).toEqual([]);
        }),
      ),
    60_000,
  );
  it(
    'are refused only after ten that were wrong in a row, of which no more are ever recorded',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.boolean()), async (scheduler, all) => {
          const { count, shared } = await race(scheduler, all);
          expect(shared.longestRow()).toBeLessThanOrEqual(freeFailures);
          if (shared.longestRow() < freeFailures) expect(count('too_many_attempts')).toBe(0);
        }),
      ),
    60_000,
  );
});
