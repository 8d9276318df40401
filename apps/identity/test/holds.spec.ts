import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import request from 'supertest';
import { SettleHoldsThatAreOver } from '../src/policies/settle-holds-that-are-over.ts';
import { adminEmail, type Asking, type IdentityUnderTest, identityUnderTest, password } from './people.ts';
import { scimClient, type ScimClient } from './scim/scim-rig.ts';

let identity: IdentityUnderTest;
let scim: ScimClient;
const botId = newId();
let owner: string;
/** The calls that bots and inference have answered, and whether they answer. */
const calls: string[] = [];
let isAway = false;

beforeAll(async () => {
  identity = await identityUnderTest();
  type Local = Parameters<typeof identity.host.local.enter>[1];
  const problem = { status: 404, headers: { 'content-type': 'application/problem+json' } };
  for (const name of ['bots', 'inference'] as const) {
    const inject = async ({ url, payload }: { url: string; payload: string }) => {
      const body = JSON.parse(payload) as { bot_id?: string; user_id?: string };
      if (name === 'inference' && isAway) throw new Error('away');
      if (url.startsWith('/internal/holds')) calls.push(`${name} ${url.split('/').at(-1)} ${body.bot_id ?? body.user_id}`);
      const isUnknown = name === 'bots' && body.bot_id !== undefined && body.bot_id !== botId && url.endsWith('place');
      const answer = isUnknown ? { code: 'bot_not_found', detail: 'There is no such bot.' } : { owner_user_id: owner, removed: {} };
      const { status, headers } = isUnknown ? problem : { status: 200, headers: {} };
      return { status, statusCode: status, headers, payload: JSON.stringify(answer), body: JSON.stringify(answer) };
    };
    await identity.host.local.enter(name, { ready: async () => undefined, inject } as unknown as Local);
  }
  const { body } = await identity.asAdmin('post', '/admin/scim-tokens', { description: 'The directory' });
  scim = scimClient(identity, body.token);
});
afterAll(() => identity.stop());
beforeEach(() => {
  calls.length = 0;
  isAway = false;
});

let people = 0;
const person = async (groups: readonly string[] = []): Promise<string> => {
  const fields = { first_name: 'P', last_name: 'Q', groups };
  return (await identity.asAdmin('post', '/admin/users', { email: `p${++people}@example.org`, password, ...fields })).body.user_id;
};
const place = async (subject: object, headers?: Record<string, string>) =>
  identity.asAdmin('post', '/admin/holds', { reason: 'Case 7: Ann Archer', ...subject }, headers);
const held = async (userId: string): Promise<string> => (await place({ user_id: userId })).body.id;
const listed = async () =>
  (await identity.asAdmin('get', '/admin/holds')).body.holds as { id: string; reason: string; placed_by: string }[];
const endAll = async () => {
  for (const { id } of await listed()) await identity.asAdmin('delete', `/admin/holds/${id}`);
};

describe('a hold on a user', () => {
  const ways: readonly [string, boolean, (userId: string) => Promise<{ status: number; text: string; body: { code?: string } }>][] = [
    ['an administrator', true, async (userId) => identity.asAdmin('delete', `/admin/users/${userId}`)],
    ['a SCIM client', false, async (userId) => scim.ask('delete', `/Users/${userId}`)],
  ];
  it.each(ways)('stops the erasure by %s until it ends', async (_, isNamed, erase) => {
    const userId = await person();
    const id = await held(userId);
    expect(calls).toEqual([`inference place ${userId}`]);
    const refused = await erase(userId);
    expect(refused.status).toBe(409);
    expect(refused.text.includes(id)).toBe(isNamed);
    expect((await identity.asAdmin('get', `/admin/users/${userId}`)).status).toBe(200);
    expect((await identity.asAdmin('delete', `/admin/holds/${id}`)).status).toBe(204);
    expect(calls).toEqual([`inference place ${userId}`, `inference end ${userId}`]);
    expect((await erase(userId)).status).toBeLessThan(300);
    expect((await identity.asAdmin('get', `/admin/users/${userId}`)).status).toBe(404);
  });

  it('is reported to services that delete copies, until it ends', async () => {
    const subjects = async (): Promise<{ user_ids: string[]; bot_ids: string[] }> =>
      (await request(identity.server).get('/internal/holds/subjects').set(identity.asService('analytics'))).body;
    const userId = await person();
    const ids = [await held(userId), await held(userId)];
    expect((await subjects()).user_ids.filter((id) => id === userId)).toEqual([userId]);
    for (const id of ids) await identity.asAdmin('delete', `/admin/holds/${id}`);
    expect((await subjects()).user_ids).not.toContain(userId);
  });

  it('stops the deletion of a service account', async () => {
    await identity.asAdmin('post', '/admin/groups', { name: 'Robots' });
    const { id: accountId } = (await identity.asAdmin('post', '/admin/service-accounts', { name: 'Importer', group: 'Robots' })).body;
    const id = await held(accountId);
    expect((await identity.asAdmin('delete', `/admin/service-accounts/${accountId}`)).body.code).toBe('on_hold');
    await identity.asAdmin('delete', `/admin/holds/${id}`);
    expect((await identity.asAdmin('delete', `/admin/service-accounts/${accountId}`)).status).toBe(200);
  });

  it('stops the erasure of an Admin, who remains an Admin', async () => {
    const other = await person(['Admin']);
    const id = await held(other);
    expect((await identity.asAdmin('delete', `/admin/users/${other}`)).body.code).toBe('on_hold');
    expect((await identity.asAdmin('get', `/admin/users/${other}`)).body.groups).toEqual(['Admin']);
    // The other Admin may leave, because this Admin's seat was not given up.
    const by: Asking = { userId: other, groups: ['Admin'] };
    expect((await identity.ask('delete', `/admin/users/${identity.admin.userId}/groups/Admin`, by)).status).toBe(204);
    await identity.ask('put', `/admin/users/${identity.admin.userId}/groups/Admin`, by);
    await identity.asAdmin('delete', `/admin/holds/${id}`);
  });

  it('is one of several', async () => {
    const userId = await person();
    const [one, two] = [await held(userId), await held(userId)];
    await identity.asAdmin('delete', `/admin/holds/${one}`);
    expect((await identity.asAdmin('delete', `/admin/users/${userId}`)).text).toContain(two);
    await identity.asAdmin('delete', `/admin/holds/${two}`);
    expect((await identity.asAdmin('delete', `/admin/users/${userId}`)).status).toBe(200);
  });

  it('is not placed after the erasure', async () => {
    const userId = await person();
    await identity.asAdmin('delete', `/admin/users/${userId}`);
    expect((await place({ user_id: userId })).body.code).toBe('user_not_found');
    expect(await listed()).toEqual([]);
  });

  it('is listed in pages with its reason, until it ends', async () => {
    const ids = [await held(await person()), await held(await person()), await held(await person())];
    const first = (await identity.asAdmin('get', '/admin/holds?limit=2')).body;
    const rest = (await identity.asAdmin('get', `/admin/holds?limit=2&next_token=${first.next_token}`)).body;
    expect([first.holds, rest.holds].map((page: { id: string }[]) => page.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(rest.next_token).toBeNull();
    expect(first.holds[0]).toMatchObject({ bot_id: null, reason: 'Case 7: Ann Archer', placed_by: identity.admin.userId });
    await endAll();
    expect(await listed()).toEqual([]);
    expect((await identity.asAdmin('delete', `/admin/holds/${ids[0]}`)).status).toBe(204);
    expect((await identity.asAdmin('delete', `/admin/holds/${newId()}`)).body.code).toBe('hold_not_found');
  });

  it('is placed once by a repeated request', async () => {
    const [userId, nid] = [await person(), newId()];
    const [one, again] = [await place({ user_id: userId }, { nid }), await place({ user_id: userId }, { nid })];
    expect([one.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(one.body);
    await endAll();
    expect((await place({ user_id: userId }, { nid })).body.code).toBe('hold_is_over');
  });

  it('has no effect if inference does not answer, even when inference answers again', async () => {
    const userId = await person();
    isAway = true;
    expect((await place({ user_id: userId })).status).toBe(503);
    expect(await listed()).toEqual([]);
    isAway = false;
    await identity.app.get(SettleHoldsThatAreOver).settle();
    expect(calls).toContain(`inference end ${userId}`);
    expect((await identity.asAdmin('delete', `/admin/users/${userId}`)).status).toBe(200);
  });

  it('ends while inference does not answer, and inference is notified later', async () => {
    const userId = await person();
    const id = await held(userId);
    isAway = true;
    expect((await identity.asAdmin('delete', `/admin/holds/${id}`)).status).toBe(204);
    expect(calls).not.toContain(`inference end ${userId}`);
    isAway = false;
    await identity.app.get(SettleHoldsThatAreOver).settle();
    expect(calls).toContain(`inference end ${userId}`);
  });

  it('stays with its reason when the Admin who placed it is erased', async () => {
    const [userId, other] = [await person(), await person(['Admin'])];
    const by: Asking = { userId: other, groups: ['Admin'] };
    const { id } = (await identity.ask('post', '/admin/holds', by, { user_id: userId, reason: 'Case 8' })).body;
    expect((await identity.asAdmin('delete', `/admin/users/${other}`)).status).toBe(200);
    expect(await listed()).toEqual([expect.objectContaining({ id, reason: 'Case 8', placed_by: other })]);
    expect((await identity.asAdmin('delete', `/admin/users/${userId}`)).body.code).toBe('on_hold');
    await endAll();
  });

  it('ends the copies of personal access tokens at edges, since it changes the version of the user', async () => {
    const userId = await person();
    const { body: made } = await identity.ask('post', '/user/me/tokens', { userId }, { description: 'Mine', scopes: ['chat'] });
    const asEdge = (path: string) => request(identity.server).get(path).set(identity.asService('edge'));
    const owners = async (): Promise<string> => (await asEdge(`/internal/personal-tokens/${made.token_id}`)).body.names[1];
    const isOver = async (name: string) => (await asEdge(`/internal/revocations/state?keys=${name}`)).body.revoked.length === 1;
    const before = await owners();
    const id = await held(userId);
    const meanwhile = await owners();
    await identity.asAdmin('delete', `/admin/holds/${id}`);
    const after = await owners();
    expect([await isOver(before), await isOver(meanwhile), await isOver(after)]).toEqual([true, true, false]);
  });

  it('is allowed only for administrators', async () => {
    const userId = await person();
    for (const [method, path] of [
      ['get', '/admin/holds'],
      ['post', '/admin/holds'],
      ['delete', `/admin/holds/${newId()}`],
    ] as const)
      expect((await identity.ask(method, path, { userId })).status).toBe(403);
  });

  it.each([[{}], [{ user_id: 'x' }], [{ user_id: newId(), bot_id: newId() }], [{ user_id: newId(), reason: '' }]])(
    'is not placed by %j',
    async (wrong) => expect((await place(wrong)).status).toBe(400),
  );
});

describe('a hold on a bot', () => {
  it('stops the erasure of its owner, which would delete the bot', async () => {
    owner = await person();
    const { status, body } = await place({ bot_id: botId });
    expect([status, body.bot_id, body.user_id]).toEqual([201, botId, null]);
    expect(calls).toEqual([`bots place ${botId}`, `inference place ${botId}`]);
    expect((await identity.asAdmin('delete', `/admin/users/${owner}`)).body.code).toBe('on_hold');
    await identity.asAdmin('delete', `/admin/holds/${body.id}`);
    expect(calls.slice(2)).toEqual([`bots end ${botId}`, `inference end ${botId}`]);
    expect((await identity.asAdmin('delete', `/admin/users/${owner}`)).status).toBe(200);
  });
  it('is refused for an unknown bot', async () => {
    expect((await place({ bot_id: newId() })).body.code).toBe('bot_not_found');
    expect(await listed()).toEqual([]);
  });
});

describe('an Admin with a second factor', () => {
  it('ends a hold only with a fresh second factor', async () => {
    const { generateSync } = await import('otplib');
    const userId = await person();
    const id = await held(userId);
    const { body: signedIn } = await identity.ask('post', '/auth/sign-in', null, { email: adminEmail, password });
    const { sid } = JSON.parse(Buffer.from(signedIn.access_token.split('.')[1], 'base64url').toString());
    const fresh = { ...identity.admin, sessionId: sid };
    const { body: offer } = await identity.ask('post', '/user/me/factors/totp', fresh, { current_password: password });
    const code = generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) });
    await identity.ask('post', '/user/me/factors/totp/confirm', fresh, { code });
    expect((await identity.asAdmin('delete', `/admin/holds/${id}`)).body.code).toBe('step_up_required');
    expect((await identity.ask('delete', `/admin/holds/${id}`, fresh)).status).toBe(204);
  });
});
