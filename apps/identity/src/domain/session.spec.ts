import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { session, type SessionEvent } from './session.ts';

const given = specify(session);
const noon = Instant.ofSeconds(1_800_000_000);
const evening = Instant.plus(noon, 6 * 3_600_000);
const started: SessionEvent = { type: 'SessionStarted', userId: 'ann', via: 'password', epoch: 2, expiresAt: evening };
const refreshed: SessionEvent = { type: 'SessionRefreshed', userId: 'ann', generation: 1 };
const ended: SessionEvent = { type: 'SessionEnded', userId: 'ann', reason: 'signed_out' };

describe('starting a session', () => {
  const start = { type: 'Start', userId: 'ann', via: 'password', epoch: 2, expiresAt: evening } as const;
  it('records whose it is, and how they came in', () => given().when(start).emits(started));
  it('refuses an id that is taken', () => given(started).when(start).refuses('session_exists'));
});

describe('refreshing a session', () => {
  it('hands out the next token', () => given(started).when({ type: 'Refresh', generation: 0, now: noon }).emits(refreshed));
  it('ends it when a token comes a second time', () =>
    given(started, refreshed)
      .when({ type: 'Refresh', generation: 0, now: noon })
      .emits({ type: 'SessionEnded', userId: 'ann', reason: 'refresh_token_reused' }));
  it.each<[string, SessionEvent[], number, Instant]>([
    ['one that is over', [started, ended], 0, noon],
    ['one that never was', [], 0, noon],
    ['one that has expired', [started], 0, evening],
    ['a token that was never given out', [started], 1, noon],
    ['a session of the first release', [{ type: 'SessionStarted', userId: 'ann' }], 0, noon],
  ])('refuses %s', (_, history, generation, now) =>
    given(...history)
      .when({ type: 'Refresh', generation, now })
      .refuses('invalid_refresh_token'),
  );
});

describe('ending a session', () => {
  it('says why', () => given(started).when({ type: 'End', reason: 'signed_out' }).emits(ended));
  it('does nothing the second time', () => given(started, ended).when({ type: 'End', reason: 'user_disabled' }).emits());
  it('knows no session that never was', () => given().when({ type: 'End', reason: 'signed_out' }).refuses('session_not_found'));
});
