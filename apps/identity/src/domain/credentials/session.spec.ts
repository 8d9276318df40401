import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { REFRESH_GRACE_MILLIS, type LivingSession, requireOfEpoch, session, type SessionEvent } from './session.ts';

const given = specify(session);
const noon = Instant.ofSeconds(1_800_000_000);
const evening = Instant.plus(noon, 6 * 3_600_000);
const started: SessionEvent = { type: 'SessionStarted', userId: 'ann', via: 'password', epoch: 2, expiresAt: evening };
const refreshedTo = (generation: number, at: Instant | null): SessionEvent => ({ type: 'SessionRefreshed', userId: 'ann', generation, at });
const refreshed = refreshedTo(1, noon);
const soon = Instant.plus(noon, REFRESH_GRACE_MILLIS);
const late = Instant.plus(soon, 1);
const reused: SessionEvent = { type: 'SessionEnded', userId: 'ann', reason: 'refresh_token_reused' };
const ended: SessionEvent = { type: 'SessionEnded', userId: 'ann', reason: 'signed_out' };

describe('starting a session', () => {
  const start = { type: 'Start', userId: 'ann', via: 'password', epoch: 2, expiresAt: evening } as const;
  it('records the user and how they signed in', () => given().when(start).emits(started));
  it('refuses an id that is taken', () => given(started).when(start).refuses('session_exists'));
});

describe('refreshing a session', () => {
  it('issues the next token', () => given(started).when({ type: 'Refresh', generation: 0, now: noon }).emits(refreshed));
  it('changes nothing when the token is used again in its grace period', () => {
    for (const now of [Instant.plus(noon, -50), noon, soon])
      given(started, refreshed).when({ type: 'Refresh', generation: 0, now }).emits();
  });
  it('ends the session when a token is used again later', () =>
    given(started, refreshed).when({ type: 'Refresh', generation: 0, now: late }).emits(reused));
  it('ends the session when another client uses a token again in its grace period', () => {
    const [one, other] = ['a', 'b'].map((client) => ({ type: 'Refresh', generation: 0, now: soon, client }) as const);
    given(started, { ...refreshed, client: 'a' } as SessionEvent)
      .when(one!)
      .emits();
    given(started, { ...refreshed, client: 'a' } as SessionEvent)
      .when(other!)
      .emits(reused);
  });
  it('starts the grace period of each token when that token is used', () => {
    const history = [started, refreshed, refreshedTo(2, soon)];
    given(...history)
      .when({ type: 'Refresh', generation: 0, now: soon })
      .emits();
    given(...history)
      .when({ type: 'Refresh', generation: 0, now: late })
      .emits(reused);
    given(...history)
      .when({ type: 'Refresh', generation: 1, now: late })
      .emits();
  });
  it('remembers only tokens used in the last seconds', () => {
    const many = Array.from({ length: 50 }, (_, n) => refreshedTo(n + 1, Instant.plus(noon, n * 4_000)));
    const state = fold(session, [started, ...many]) as LivingSession;
    expect(state.justUsed?.map(({ generation }) => generation)).toEqual([47, 48, 49]);
  });
  it('has no grace period for events of an earlier release', () =>
    given(started, refreshedTo(1, null)).when({ type: 'Refresh', generation: 0, now: noon }).emits(reused));
  it.each<[string, SessionEvent[], number, Instant]>([
    ['an ended session', [started, ended], 0, noon],
    ['an unknown session', [], 0, noon],
    ['an expired session', [started], 0, evening],
    ['a token that was never issued', [started], 1, noon],
    ['a session of the first release', [{ type: 'SessionStarted', userId: 'ann' }], 0, noon],
  ])('refuses %s', (_, history, generation, now) =>
    given(...history)
      .when({ type: 'Refresh', generation, now })
      .refuses('invalid_refresh_token'),
  );
});

describe('ending a session', () => {
  it('records why', () => given(started).when({ type: 'End', reason: 'signed_out' }).emits(ended));
  it('does nothing the second time', () => given(started, ended).when({ type: 'End', reason: 'user_disabled' }).emits());
  it('refuses a session that never existed', () => given().when({ type: 'End', reason: 'signed_out' }).refuses('session_not_found'));
});

describe('what a session adds to an account', () => {
  const invalid = expect.objectContaining({ code: 'invalid_token' });
  it('is accepted from the current user', () => expect(() => requireOfEpoch(fold(session, [started]), 2)).not.toThrow());
  it('is refused after the account has passed to another user', () =>
    expect(() => requireOfEpoch(fold(session, [started]), 3)).toThrow(invalid));
  it('is refused after the end of the session', () => expect(() => requireOfEpoch(fold(session, [started, ended]), 2)).toThrow(invalid));
});
