import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { STATEMENT_HEADER } from '@parlance/http';
import { generateSync } from 'otplib';
import request from 'supertest';
import { adminEmail, type Asking, claimsOf, identityUnderTest, type IdentityUnderTest, password } from '../people.ts';

let identity: IdentityUnderTest;
let codes: readonly string[];
/** The session that added the factor, and one whose factor is not known to be fresh. */
let fresh: Asking;
const stale = (): Asking => identity.admin;

beforeAll(async () => {
  identity = await identityUnderTest();
  const { body } = await identity.ask('post', '/auth/sign-in', null, { email: adminEmail, password });
  fresh = { ...identity.admin, sessionId: claimsOf(body.access_token).sid };
  const earlier = { ...identity.admin, sessionId: await otherSession() };
  before = await tokenMadeBy(earlier);
  const { body: offer } = await identity.ask('post', '/user/me/factors/totp', fresh, { current_password: password });
  const code = generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) });
  codes = (await identity.ask('post', '/user/me/factors/totp/confirm', fresh, { code })).body.recovery_codes;
  unproved = earlier;
});
afterAll(() => identity.stop());

/** A session of the same Admin, begun with the password alone before the factor was added. */
let unproved: Asking;
/** The status of creating a SCIM token before the factor was added. */
let before: number;

const otherSession = async (): Promise<string> =>
  claimsOf((await identity.ask('post', '/auth/sign-in', null, { email: adminEmail, password })).body.access_token).sid;
const tokenMadeBy = async (who: Asking) => (await identity.ask('post', '/admin/scim-tokens', who, { description: 'IdP' })).status;
let people = 0;
async function person(): Promise<string> {
  const email = `p${++people}@example.org`;
  const made = await identity.ask('post', '/admin/users', fresh, { email, password, first_name: 'P', last_name: 'Q', groups: [] });
  return made.body.user_id;
}

describe('an Admin with a second factor', () => {
  const actions: readonly [string, (who: Asking, userId: string) => PromiseLike<Awaited<ReturnType<typeof identity.ask>>>][] = [
    ['erases a user', (who, userId) => identity.ask('delete', `/admin/users/${userId}`, who)],
    ['adds a user to Admin', (who, userId) => identity.ask('put', `/admin/users/${userId}/groups/Admin`, who)],
    ['removes a user from Admin', (who, userId) => identity.ask('delete', `/admin/users/${userId}/groups/Admin`, who)],
    ['creates a SCIM token', (who) => identity.ask('post', '/admin/scim-tokens', who, { description: 'IdP' })],
    [
      'creates a token for administrators',
      (who) => identity.ask('post', '/user/me/tokens', who, { description: 'a program', scopes: ['chat', 'admin:read'] }),
    ],
    [
      'creates a token that reads exports',
      (who) => identity.ask('post', '/user/me/tokens', who, { description: 'a program', scopes: ['exports:read'] }),
    ],
    [
      'creates a service account that is an Admin',
      (who) => identity.ask('post', '/admin/service-accounts', who, { name: 'Bot', group: 'Admin' }),
    ],
    [
      'disables an Admin',
      async (who, userId) => {
        await identity.ask('put', `/admin/users/${userId}/groups/Admin`, fresh);
        return identity.ask('patch', `/admin/users/${userId}`, who, { enabled: false });
      },
    ],
    ['resets second factors', (who, userId) => identity.ask('delete', `/admin/users/${userId}/factors`, who)],
  ];
  it.each(actions)('%s only with a fresh second factor', async (_, act) => {
    const userId = await person();
    for (const who of [unproved, stale()]) {
      const { status, body } = await act(who, userId);
      expect([status, body.code]).toEqual([403, 'step_up_required']);
      expect(body.detail).toContain('POST /user/me/step-up');
    }
    // A caller without a session uses a personal access token, which cannot prove a second factor.
    expect((await act(stale(), userId)).body.detail).toContain('Sign in with POST /auth/sign-in');
    expect((await act(fresh, userId)).status).toBeLessThan(300);
  });
  it('creates a token without administrator rights as before', async () => {
    const body = { description: 'a program', scopes: ['chat'] };
    expect((await identity.ask('post', '/user/me/tokens', unproved, body)).status).toBe(201);
  });
  it('disables other users as before, and renames an Admin', async () => {
    const change = async (userId: string, body: object) => (await identity.ask('patch', `/admin/users/${userId}`, unproved, body)).status;
    expect(await change(await person(), { enabled: false })).toBe(200);
    expect(await change(identity.admin.userId, { first_name: 'Ann' })).toBe(200);
  });
  it('needs a fresh one to create administrator tokens of a service account, delete the account, and disable one that is an Admin', async () => {
    const { body: account } = await identity.ask('post', '/admin/service-accounts', unproved, { name: 'Bot', group: 'CreatingBotAllowed' });
    const token = { description: 'a program', scopes: ['admin:write'] };
    const make = (who: Asking) => identity.ask('post', `/admin/service-accounts/${account.id}/tokens`, who, token);
    const remove = (who: Asking) => identity.ask('delete', `/admin/service-accounts/${account.id}`, who);
    const { body: all } = await identity.ask('post', '/admin/service-accounts', fresh, { name: 'All', group: 'Admin' });
    const disable = (who: Asking) => identity.ask('patch', `/admin/service-accounts/${all.id}`, who, { enabled: false });
    for (const act of [make, disable, remove]) {
      expect((await act(unproved)).body.code).toBe('step_up_required');
      expect((await act(fresh)).status).toBeLessThan(300);
    }
  });
  it('must prove one for actions in other services', async () => {
    const status = async ({ userId, sessionId }: Asking) => {
      const rid = newId();
      const statement = {
        sub: userId,
        groups: ['Admin'],
        sid: sessionId ?? null,
        kind: 'user',
        call: true,
        ip: null,
        ua: null,
        rid,
        cid: rid,
      } as const;
      const header = identity.host.statements.sign(statement, Instant.ofMillis(Date.now()));
      return (await request(identity.server).post('/internal/step-ups').set(STATEMENT_HEADER, header).send({})).status;
    };
    expect([await status(fresh), await status(unproved), await status({ userId: newId() })]).toEqual([204, 403, 204]);
  });
  it('did not need one before adding it', () => expect(before).toBe(201));
  it('creates an Admin only with a fresh one, and other users as before', async () => {
    const body = { email: 'new-admin@example.org', password, first_name: 'P', last_name: 'Q' };
    expect((await identity.ask('post', '/admin/users', unproved, { ...body, groups: ['Admin'] })).body.code).toBe('step_up_required');
    expect((await identity.ask('post', '/admin/users', unproved, { ...body, groups: [] })).status).toBe(201);
  });
  it('proves a second factor in a session, with a code that can be used once', async () => {
    const again = await identity.ask('post', '/user/me/step-up', unproved, { recovery_code: codes[0] });
    expect(again.status).toBe(204);
    expect(await tokenMadeBy(unproved)).toBe(201);
    const { status, body } = await identity.ask('post', '/user/me/step-up', fresh, { recovery_code: codes[0] });
    expect([status, body.code]).toEqual([401, 'wrong_second_factor']);
  });
});
