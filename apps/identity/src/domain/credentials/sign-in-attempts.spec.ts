import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import {
  FAILURES_FORGOTTEN_AFTER_MILLIS,
  signInAttempts,
  type SignInAttemptsCommand,
  type SignInAttemptsEvent,
} from './sign-in-attempts.ts';

const given = specify(signInAttempts);
const noon = Instant.ofSeconds(1_800_000_000);
const after = (seconds: number) => Instant.plus(noon, seconds * 1000);
const failed = (count: number): SignInAttemptsEvent[] =>
  Array.from({ length: count }, () => ({ type: 'SignInFailed', userId: 'ann', at: noon }));
const conclude = (matches: boolean, now = noon): SignInAttemptsCommand => ({
  type: 'Conclude',
  matches,
  userId: 'ann',
  signedIn: false,
  now,
});
const succeeded: SignInAttemptsEvent = { type: 'SignInSucceeded' };

describe('trying a password', () => {
  it('records nothing before the outcome is known', () =>
    given(...failed(9))
      .when({ type: 'Try', now: noon })
      .emits());
  it('is refused after ten failures, before and after the check, whatever the result of the check', () => {
    for (const command of [{ type: 'Try', now: noon }, conclude(true), conclude(false)] as const)
      given(...failed(10))
        .when(command)
        .refuses('too_many_attempts');
  });
  it('is allowed again after a success', () =>
    given(...failed(10), succeeded)
      .when({ type: 'Try', now: noon })
      .emits());
  it('is never refused because of a slow clock', () =>
    given(...failed(9))
      .when(conclude(true, after(-60)))
      .emits(succeeded));
  it.each([
    [10, 30],
    [11, 60],
    [12, 120],
    [14, 480],
    [15, 900],
    [50, 900],
  ])('after %i failures is refused for %i s', (failures, seconds) => {
    const state = fold(signInAttempts, failed(failures));
    const early = signInAttempts.decide({ type: 'Try', now: after(seconds - 1) }, state);
    expect(early).toBeInstanceOf(Refusal);
    expect((early as Refusal).facts).toEqual({ retry_after: 1 });
    expect(signInAttempts.decide({ type: 'Try', now: after(seconds) }, state)).toEqual([]);
  });
});

describe('the outcome of a check', () => {
  it('is recorded if the password was wrong', () => given().when(conclude(false)).emits({ type: 'SignInFailed', userId: 'ann', at: noon }));
  it('is not a failed sign-in if the user is signed in', () =>
    given()
      .when({ type: 'Conclude', matches: false, userId: 'ann', signedIn: true, now: noon })
      .emits({ type: 'PasswordNotProved', at: noon }));
  it('clears the count if the password was right', () =>
    given(...failed(3))
      .when(conclude(true))
      .emits(succeeded));
  it('is not recorded if the password was right and nothing had failed', () => given().when(conclude(true)).emits());
});

describe('failures', () => {
  const nextDay = Instant.plus(noon, FAILURES_FORGOTTEN_AFTER_MILLIS);
  it('are forgiven by a reset', () => {
    given(...failed(3))
      .when({ type: 'ClearFailures' })
      .emits(succeeded);
    given().when({ type: 'ClearFailures' }).emits();
  });
  it('are forgotten a day after the last of them', () => {
    const again: SignInAttemptsEvent = { type: 'SignInFailed', userId: 'ann', at: nextDay };
    given(...failed(50))
      .when(conclude(true, nextDay))
      .emits();
    given(...failed(50))
      .when(conclude(false, nextDay))
      .emits(again);
    expect(fold(signInAttempts, [...failed(50), again])).toEqual({ tries: 1, lastAt: nextDay });
    // The last of them counts, not the first.
    given(...failed(9), { type: 'SignInFailed', userId: 'ann', at: after(60) })
      .when(conclude(false, Instant.plus(nextDay, -1)))
      .emits({ type: 'SignInFailed', userId: 'ann', at: Instant.plus(nextDay, -1) });
  });
  it('allow fewer guesses by waiting until they are forgotten than by waiting out the delays', () =>
    expect(10 / FAILURES_FORGOTTEN_AFTER_MILLIS).toBeLessThan(1 / (15 * 60_000)));
});
