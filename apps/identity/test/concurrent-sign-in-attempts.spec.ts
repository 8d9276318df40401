import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { cutOff, StreamsInMemory, type Turn } from './streams-in-memory.ts';
import {
  FREE_FAILURES,
  signInAttempts,
  type SignInAttemptsCommand,
  type SignInAttemptsEvent,
  signInAttemptsStream,
} from '../src/domain/credentials/sign-in-attempts.ts';

const stream = signInAttemptsStream('ann');
const noon = Instant.ofSeconds(1_800_000_000);

/** The longest series of failures without a success in between. */
function longestRow(log: StreamsInMemory): number {
  let [row, longest] = [0, 0];
  for (const { type } of log.events<SignInAttemptsEvent>(stream)) {
    row = type === 'SignInSucceeded' ? 0 : row + 1;
    longest = Math.max(longest, row);
  }
  return longest;
}

type Run = (command: SignInAttemptsCommand) => Promise<unknown>;

/** Tries a password with the steps of `SignIn`. */
async function tryPassword(run: Run, isRight: boolean, check: Turn): Promise<string> {
  try {
    await run({ type: 'Try', now: noon });
    await check();
    await run({ type: 'Conclude', matches: isRight, userId: 'ann', signedIn: false, now: noon });
    return isRight ? 'let in' : 'wrong';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    if (error === cutOff) return 'killed';
    throw error;
  }
}

const tries = (isRight: fc.Arbitrary<boolean>) =>
  fc.array(fc.record({ isRight, steps: fc.option(fc.integer({ min: 0, max: 8 }), { nil: Number.POSITIVE_INFINITY, freq: 8 }) }), {
    minLength: 1,
    maxLength: 40,
  });

async function race(scheduler: fc.Scheduler, all: readonly { isRight: boolean; steps: number }[]) {
  const log = new StreamsInMemory();
  const answers = all.map(({ isRight, steps }) => {
    let left = steps;
    const turn = async () => {
      await scheduler.schedule(Promise.resolve());
      if (left-- <= 0) throw cutOff;
    };
    const streams = log.as(turn);
    return tryPassword((command) => streams.execute(signInAttempts, stream, command), isRight, turn);
  });
  await scheduler.waitFor(Promise.all(answers));
  const outcomes = await Promise.all(answers);
  return { log, outcomes, count: (answer: string) => outcomes.filter((outcome) => outcome === answer).length };
}

describe('passwords that are tried at the same time, at several replicas', () => {
  it(
    'are reported as wrong at most ten times, and exactly ten times if no process is killed',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.constant(false)), async (scheduler, all) => {
          const { count } = await race(scheduler, all);
          expect(count('wrong')).toBeLessThanOrEqual(FREE_FAILURES);
          if (count('killed') === 0) expect(count('wrong')).toBe(Math.min(FREE_FAILURES, all.length));
        }),
      ),
    60_000,
  );
  it(
    'are never refused while all of them are right',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.constant(true)), async (scheduler, all) => {
          const { count, log } = await race(scheduler, all);
          expect(count('let in') + count('killed')).toBe(all.length);
          expect(log.events<SignInAttemptsEvent>(stream)).toEqual([]);
        }),
      ),
    60_000,
  );
  it(
    'are refused only after ten wrong ones in a row, and never more are recorded',
    () =>
      fc.assert(
        fc.asyncProperty(fc.scheduler(), tries(fc.boolean()), async (scheduler, all) => {
          const { count, log } = await race(scheduler, all);
          expect(longestRow(log)).toBeLessThanOrEqual(FREE_FAILURES);
          if (longestRow(log) < FREE_FAILURES) expect(count('too_many_attempts')).toBe(0);
        }),
      ),
    60_000,
  );
});
