import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { generateSync } from 'otplib';
import request from 'supertest';
import { adminEmail, type Asking, claimsOf, type IdentityUnderTest, identityUnderTest, password } from '../people.ts';
import { scimUnderTest } from '../scim/scim-rig.ts';

let identity: IdentityUnderTest;
/** The first Admin, with a fresh second factor. */

const signedIn = async (email: string, userId: string): Promise<Asking> => {
  const { body } = await identity.ask('post', '/auth/sign-in', null, { email, password });
  return { userId, groups: [], sessionId: claimsOf(body.access_token).sid };
};
const addFactor = async (who: Asking) => {
  const { body: offer } = await identity.ask('post', '/user/me/factors/totp', who, { current_password: password });
  const code = generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) });
  expect((await identity.ask('post', '/user/me/factors/totp/confirm', who, { code })).status).toBe(200);
};
const factorsOf = async (who: Asking) => (await identity.ask('get', '/user/me/factors', who)).body.factors;
const isUsable = async (tokenId: string) =>
  (await request(identity.server).get(`/internal/personal-tokens/${tokenId}`).set(identity.asService('edge'))).body.usable;
const tokenOf = async (who: Asking) =>
  (await identity.ask('post', '/user/me/tokens', who, { description: 'a program', scopes: ['chat'] })).body.token_id as string;
let people = 0;
async function person(): Promise<Asking> {
  const email = `p${++people}@example.org`;
  const { body } = await identity.ask('post', '/admin/users', admin, { email, password, first_name: 'P', last_name: 'Q', groups: [] });
  return signedIn(email, body.user_id);
}
const makeAdmin = ({ userId }: Asking) => identity.ask('put', `/admin/users/${userId}/groups/Admin`, admin);

identity = await identityUnderTest({ PARLANCE_REQUIRE_SECOND_FACTOR_FOR: 'Admin' });
const admin = { ...(await signedIn(adminEmail, identity.admin.userId)), groups: ['Admin'] };
await addFactor(admin);
afterAll(() => identity.stop());

describe('a personal access token', () => {
  it('is void while a group needs a second factor that was not proved when it was created', async () => {
    const ann = await person();
    const early = await tokenOf(ann);
    expect(await isUsable(early)).toBe(true);
    await addFactor(ann);
    const late = await tokenOf(ann);
    expect((await makeAdmin(ann)).status).toBe(200);
    expect([await isUsable(early), await isUsable(late)]).toEqual([false, true]);
    await identity.ask('delete', `/admin/users/${ann.userId}/groups/Admin`, admin);
    expect(await isUsable(early)).toBe(true);
  });
  it('is not created in a session that has ended meanwhile', async () => {
    const bob = await person();
    await identity.ask('delete', `/auth/sessions/${bob.sessionId}`, bob);
    const { status, body } = await identity.ask('post', '/user/me/tokens', bob, { description: 'a program', scopes: ['chat'] });
    expect([status, body.code]).toEqual([401, 'invalid_token']);
  });
  it('cannot change membership of Admin', async () => {
    const cat = await person();
    const program = { ...admin, tokenId: newId() };
    const body = { email: 'made@example.org', password, first_name: 'P', last_name: 'Q', groups: ['Admin'] };
    for (const { status, body: refusal } of [
      await identity.ask('put', `/admin/users/${cat.userId}/groups/Admin`, program),
      await identity.ask('delete', `/admin/users/${admin.userId}/groups/Admin`, program),
      await identity.ask('post', '/admin/users', program, body),
      await identity.ask('post', '/admin/service-accounts', program, { name: 'Bot', group: 'Admin' }),
    ])
      expect([status, refusal.code]).toEqual([403, 'token_not_allowed']);
    expect((await identity.ask('post', '/admin/service-accounts', program, { name: 'Bot', group: 'PublishAllowed' })).status).toBe(201);
  });
});

describe('an offer of a password reset', () => {
  it('needs a fresh second factor, because anybody with the token can read what the user can', async () => {
    const [dan, eve] = [await person(), await person()];
    await addFactor(dan);
    await makeAdmin(dan);
    const stale = { userId: admin.userId, groups: ['Admin'], sessionId: newId() };
    const offered = async ({ userId }: Asking, who: Asking) =>
      (await identity.ask('post', `/admin/users/${userId}/password-reset`, who)).status;
    expect([await offered(dan, stale), await offered(eve, stale)]).toEqual([403, 403]);
    expect([await offered(dan, admin), await offered(eve, admin)]).toEqual([201, 201]);
  });
});

describe('an account that was signed up for with the address of another person', () => {
  it('loses its second factors and tokens when SCIM adopts it', async () => {
    await identity.stop();
    const { identity: provisioned, scim } = await scimUnderTest({});
    identity = provisioned;
    const email = 'victim@example.org';
    const { body } = await identity.ask('post', '/auth/sign-up', null, { email, password, first_name: 'A', last_name: 'B' });
    const stranger = await signedIn(email, body.user_id);
    await addFactor(stranger);
    expect(await factorsOf(stranger)).toHaveLength(1);
    const token = await tokenOf(stranger);
    expect(await isUsable(token)).toBe(true);
    const change = { op: 'replace', path: 'externalId', value: 'victim-1' };
    expect((await scim.operations(`/Users/${body.user_id}`, change)).status).toBe(200);
    expect(await isUsable(token)).toBe(false);
    await waitFor(async () => (await factorsOf(stranger)).length === 0, { what: 'the factors to be removed' });
  });
});
