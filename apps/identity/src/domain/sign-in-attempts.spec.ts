import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { signInAttempts, type SignInAttemptsEvent } from './sign-in-attempts.ts';

const given = specify(signInAttempts);
const noon = Instant.ofSeconds(1_800_000_000);
const after = (seconds: number) => Instant.plus(noon, seconds * 1000);
const tried = (count: number): SignInAttemptsEvent[] => Array.from({ length: count }, () => ({ type: 'SignInTried', at: noon }));

describe('trying to sign in', () => {
  it('is free ten times', () =>
    given(...tried(9))
      .when({ type: 'Try', now: noon })
      .emits({ type: 'SignInTried', at: noon }));
  it('is refused the eleventh time', () =>
    given(...tried(10))
      .when({ type: 'Try', now: noon })
      .refuses('too_many_attempts'));
  it('is free again after a success', () =>
    given(...tried(10), { type: 'SignInSucceeded' })
      .when({ type: 'Try', now: noon })
      .emits({ type: 'SignInTried', at: noon }));
  it.each([
    [10, 30],
    [11, 60],
    [12, 120],
    [14, 480],
    [15, 900],
    [50, 900],
  ])('after %i failures has to wait %i s', (failures, seconds) => {
    const state = fold(signInAttempts, tried(failures));
    const early = signInAttempts.decide({ type: 'Try', now: after(seconds - 1) }, state);
    expect(early).toBeInstanceOf(Refusal);
    expect((early as Refusal).facts).toEqual({ retry_after: 1 });
    expect(signInAttempts.decide({ type: 'Try', now: after(seconds) }, state)).toEqual([{ type: 'SignInTried', at: after(seconds) }]);
  });
});

describe('the outcome of a try', () => {
  it('is told when it failed', () =>
    given(...tried(1))
      .when({ type: 'Fail', userId: null, signedIn: false })
      .emits({ type: 'SignInFailed', userId: null }));
  it('is no failed sign-in within a session', () =>
    given(...tried(1))
      .when({ type: 'Fail', userId: 'ann', signedIn: true })
      .emits({ type: 'PasswordNotProved' }));
  it('clears the count when it succeeded', () =>
    given(...tried(3))
      .when({ type: 'Succeed' })
      .emits({ type: 'SignInSucceeded' }));
  it('has nothing to clear where nothing was tried', () => given().when({ type: 'Succeed' }).emits());
});
