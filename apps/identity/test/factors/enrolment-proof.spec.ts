import { afterAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { newId } from '@parlance/event-store';
import { generateSync } from 'otplib';
import { ExecuteSession } from '../../src/commands/aggregates.ts';
import { CommandBus } from '@nestjs/cqrs';
import { Sessions } from '../../src/workflows/sessions.ts';
import { type Asking, claimsOf, password } from '../people.ts';
import { scimUnderTest } from '../scim/scim-rig.ts';
import { origin } from './software-authenticator.ts';

const { identity, scim } = await scimUnderTest({ PARLANCE_PUBLIC_BASE_URL: origin });
afterAll(() => identity?.stop());

let people = 0;
/** A signed-in user with a password. */
async function person(): Promise<Asking> {
  const email = `person${++people}@example.org`;
  const { body } = await identity.ask('post', '/admin/users', identity.admin, { email, password, first_name: 'P', last_name: 'Q' });
  const signedIn = await identity.ask('post', '/auth/sign-in', null, { email, password });
  return { userId: body.user_id, sessionId: claimsOf(signedIn.body.access_token).sid };
}
/** A user without a password, who signs in through a provider. */
async function external(): Promise<Asking> {
  const userName = `external${++people}@example.org`;
  const { body } = await scim.ask('post', '/Users', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName });
  const { access_token } = await identity.app.get(Sessions).begin(body.id, 'acme');
  return { userId: body.id, sessionId: claimsOf(access_token).sid };
}
/** A session of the user that began at this time. */
async function sessionOf({ userId }: Asking, startedAt: Instant | null): Promise<Asking> {
  const sessionId = newId();
  const expiresAt = Instant.plus(identity.app.get(Clock).now(), 86_400_000);
  const start = { type: 'Start', userId, via: 'acme', epoch: 0, expiresAt, ...(startedAt !== null && { startedAt }) } as const;
  await identity.app.get(CommandBus).execute(new ExecuteSession(sessionId, start));
  return { userId, sessionId };
}
const proofOf = async (who: Asking) => (await identity.ask('get', '/user/me/factors', who)).body.proof_to_add;
const offered = async (path: string, who: Asking, body?: object) => {
  const { status, body: answer } = await identity.ask('post', path, who, body);
  return [status, answer.code];
};

describe.each(['/user/me/factors/totp', '/user/me/factors/passkeys'])('the first second factor: POST %s', (path) => {
  it('needs the password if the user has one', async () => {
    const who = await person();
    expect(await proofOf(who)).toBe('password');
    expect(await offered(path, who)).toEqual([403, 'password_required']);
    expect(await offered(path, who, {})).toEqual([403, 'password_required']);
    expect(await offered(path, who, { current_password: 'wrong password' })).toEqual([403, 'wrong_password']);
    expect(await offered(path, who, { current_password: password })).toEqual([201, undefined]);
  });
  it('counts wrong passwords together with those of password changes', async () => {
    const who = await person();
    const change = (current_password: string) =>
      offered('/auth/password', who, { current_password, new_password: 'another good password' });
    for (let tries = 0; tries < 5; tries++) await change('wrong password');
    for (let tries = 0; tries < 5; tries++)
      expect(await offered(path, who, { current_password: 'wrong password' })).toEqual([403, 'wrong_password']);
    expect(await offered(path, who, { current_password: password })).toEqual([429, 'too_many_attempts']);
    expect(await change(password)).toEqual([429, 'too_many_attempts']);
  });
  it('needs a sign-in in the last ten minutes if the user has no password', async () => {
    const who = await external();
    expect(await proofOf(who)).toBe('recent_sign_in');
    const now = identity.app.get(Clock).now();
    for (const [expected, startedAt] of [
      [201, Instant.plus(now, -9 * 60_000)],
      [403, Instant.plus(now, -10 * 60_000)],
      [403, null],
    ] as const) {
      const { status, body } = await identity.ask('post', path, await sessionOf(who, startedAt), { current_password: password });
      expect([status, body.code]).toEqual([expected, expected === 201 ? undefined : 'recent_sign_in_required']);
      if (expected === 403) expect(body.detail).toContain('Sign in again');
    }
    expect(await offered(path, who)).toEqual([201, undefined]);
    expect(await offered(path, { userId: who.userId })).toEqual([403, 'recent_sign_in_required']);
  });
  it('is not added in a session that has ended', async () => {
    const who = await external();
    await identity.app.get(Sessions).end(who.sessionId!, 'signed_out');
    expect(await offered(path, who)).toEqual([401, 'invalid_token']);
  });
});

describe('a further second factor', () => {
  it('needs an earlier factor, not the password', async () => {
    const who = await person();
    const { body: offer } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
    const code = generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) });
    expect((await identity.ask('post', '/user/me/factors/totp/confirm', who, { code })).status).toBe(200);
    expect(await proofOf(who)).toBe('second_factor');
    expect(await offered('/user/me/factors/passkeys', who)).toEqual([201, undefined]);
    const elsewhere = await sessionOf(who, identity.app.get(Clock).now());
    expect(await offered('/user/me/factors/passkeys', elsewhere, { current_password: password })).toEqual([403, 'step_up_required']);
  });
});
