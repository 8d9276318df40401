import { afterAll, describe, expect, it } from '@jest/globals';
import { readPersonalToken } from '@parlance/http';
import request from 'supertest';
import { identityUnderTest, password } from './people.ts';

const identity = await identityUnderTest({ PARLANCE_PERSONAL_TOKEN_MAX_DAYS: '10' });
afterAll(() => identity.stop());

const seconds = () => Math.floor(Date.now() / 1000);
let users = 0;
const person = async (...groups: string[]) => {
  const body = { email: `p${++users}@example.org`, first_name: 'A', last_name: 'B', groups, password };
  return { userId: (await identity.ask('post', '/admin/users', identity.admin, body)).body.user_id as string, groups };
};
const wish = { description: 'My script', scopes: ['chat', 'bots:read'] };
const make = (who: { userId: string }, overrides: object = {}, headers = {}) =>
  identity.ask('post', '/user/me/tokens', who, { ...wish, ...overrides }, headers);
const list = async (who: { userId: string }) => (await identity.ask('get', '/user/me/tokens', who)).body.tokens as { token_id: string }[];
const resolve = (tokenId: string) => request(identity.server).get(`/internal/personal-tokens/${tokenId}`).set(identity.asService('edge'));
const revoked = async (names: readonly string[]) =>
  (
    await request(identity.server)
      .get(`/internal/revocations/state?keys=${names.join(',')}`)
      .set(identity.asService('edge'))
  ).body.revoked;

describe('a personal access token', () => {
  it('is described to other services with its terms, until it is revoked', async () => {
    const ann = await person();
    const models = await make(ann, { description: 'Reports', scopes: ['models'], requests_per_minute: 5 });
    const chat = await make(ann);
    const ids = [models.body.token_id, chat.body.token_id];
    const described = async () =>
      (
        await request(identity.server)
          .post('/internal/personal-tokens/described')
          .set(identity.asService('analytics'))
          .send({ token_ids: [...ids, 'unknown'] })
      ).body.tokens;
    expect(await described()).toEqual(
      expect.arrayContaining([
        { token_id: ids[0], user_id: ann.userId, description: 'Reports', call_terms: expect.objectContaining({ requests_per_minute: 5 }) },
        { token_id: ids[1], user_id: ann.userId, description: wish.description, call_terms: null },
      ]),
    );
    await identity.ask('delete', `/user/me/tokens/${ids[0]}`, ann);
    expect(await described()).toEqual([expect.objectContaining({ token_id: ids[1] })]);
  });
  it('is created by its user, and shown once', async () => {
    const ann = await person();
    const { status, body } = await make(ann, { allowed_ip_ranges: ['192.0.2.7/24'] });
    const { token, ...row } = body;
    expect(status).toBe(201);
    expect(readPersonalToken(token)?.tokenId).toBe(row.token_id);
    expect(row).toMatchObject({
      ...wish,
      user_id: ann.userId,
      created_by: ann.userId,
      allowed_ip_ranges: ['192.0.2.0/24'],
      last_used_time: null,
    });
    expect(await list(ann)).toEqual([row]);
  });
  it('is not shown again to a retry', async () => {
    const ann = await person();
    const nid = '01K0000000000000000000000B';
    const [first, second] = [await make(ann, {}, { nid }), await make(ann, {}, { nid })];
    expect([first.body.token_id, second.body.token_id, second.status, second.body.token]).toEqual([nid, nid, 201, undefined]);
  });
  it('lasts as long as the installation allows, and no longer', async () => {
    const ann = await person();
    const latest = seconds() + 10 * 86_400;
    const { expires_at } = (await make(ann)).body;
    expect([expires_at - latest < 60, expires_at >= latest]).toEqual([true, true]);
    expect((await make(ann, { expires_at: latest + 100 })).body.code).toBe('expiry_too_late');
    expect((await make(ann, { expires_at: 1 })).body.code).toBe('expiry_passed');
  });
  it.each<[string, object]>([
    ['of no scope', { scopes: [] }],
    ['of an unknown scope', { scopes: ['everything'] }],
    ['of no description', { description: '' }],
    ['of an invalid range', { allowed_ip_ranges: ['here'] }],
  ])('is not made %s', async (_, overrides) => expect((await make(await person(), overrides)).status).toBe(400));
  it('is revoked by its user, and by no other user', async () => {
    const [ann, ben] = [await person(), await person()];
    const { token_id } = (await make(ann)).body;
    const end = (who: { userId: string }) => identity.ask('delete', `/user/me/tokens/${token_id}`, who);
    const refused = await end(ben);
    expect([refused.status, refused.body.code, (await list(ann)).length]).toEqual([404, 'token_not_found', 1]);
    expect((await end(ann)).status).toBe(204);
    expect([await list(ann), (await end(ann)).status]).toEqual([[], 404]);
  });
  it('is listed and revoked by administrators', async () => {
    const ann = await person();
    const { token: _, ...row } = (await make(ann)).body;
    const { body } = await identity.ask('get', '/admin/tokens?limit=100', identity.admin);
    expect(body.tokens).toContainEqual(row);
    expect((await identity.ask('get', '/admin/tokens', ann)).body.code).toBe('group_required');
    expect((await identity.ask('delete', `/admin/tokens/${row.token_id}`, ann)).status).toBe(403);
    expect((await identity.ask('delete', `/admin/tokens/${row.token_id}`, identity.admin)).status).toBe(204);
    expect((await identity.ask('delete', `/admin/tokens/${row.token_id}`, identity.admin)).body.code).toBe('token_not_found');
    expect(await list(ann)).toEqual([]);
  });
  it('ends with its user', async () => {
    const ann = await person();
    const { token_id } = (await make(ann)).body;
    const { body } = await identity.ask('delete', `/admin/users/${ann.userId}`, identity.admin);
    expect(body.erased[0].removed).toMatchObject({ tokens: 1 });
    expect((await resolve(token_id)).status).toBe(404);
    expect((await identity.ask('get', '/admin/tokens?limit=100', identity.admin)).text).not.toContain(token_id);
  });
});

describe('the permissions of a token that an edge requests', () => {
  it('are the current permissions of its owner', async () => {
    const ann = await person('CreatingBotAllowed');
    const { token, token_id } = (await make(ann, { allowed_ip_ranges: ['192.0.2.0/24'] })).body;
    const { body } = await resolve(token_id);
    expect(body).toMatchObject({
      user_id: ann.userId,
      email: `p${users}@example.org`,
      groups: ['CreatingBotAllowed'],
      usable: true,
      scopes: wish.scopes,
      hash: readPersonalToken(token)?.hash,
      allowed_ip_ranges: ['192.0.2.0/24'],
    });
    expect(await revoked(body.names)).toEqual([]);
    expect((await identity.ask('get', `/internal/personal-tokens/${token_id}`, ann)).status).toBe(404);
  });

  const admin = (method: 'put' | 'patch' | 'delete' | 'post', path: string, body?: object) =>
    identity.ask(method, path, identity.admin, body);
  it.each<[string, object, (userId: string) => Promise<unknown>]>([
    ['is disabled', { usable: false, groups: [] }, (id) => admin('patch', `/admin/users/${id}`, { enabled: false })],
    ['leaves a group', { usable: true, groups: ['Team'] }, (id) => admin('delete', `/admin/users/${id}/groups/PublishAllowed`)],
    ['is in a group that is deleted', { usable: true, groups: ['PublishAllowed'] }, () => admin('delete', '/admin/groups/Team')],
  ])('end when its owner %s', async (_, then, change) => {
    await admin('post', '/admin/groups', { name: 'Team' });
    const ann = await person('Team', 'PublishAllowed');
    const { token_id } = (await make(ann)).body;
    const before = (await resolve(token_id)).body;
    await change(ann.userId);
    expect(await revoked(before.names)).toHaveLength(1);
    const after = (await resolve(token_id)).body;
    expect(after).toMatchObject(then);
    expect(await revoked(after.names)).not.toContain(after.names[0]);
  });
  it('end when the token is revoked', async () => {
    const ann = await person();
    const { token_id } = (await make(ann)).body;
    const { names } = (await resolve(token_id)).body;
    await identity.ask('delete', `/user/me/tokens/${token_id}`, ann);
    expect(await revoked(names)).toEqual([names[0]]);
    expect((await resolve(token_id)).status).toBe(404);
  });
  it('include the terms for calls of models, and end when these change', async () => {
    const ann = await person();
    const { token_id, ...made } = (await make(ann, { scopes: ['models'], models: ['gpt*'], tags: { app: 'x' } })).body;
    const others = { requests_per_minute: null, cost_centre: null, cache_ttl_seconds: 0 };
    expect(made).toMatchObject({ models: ['gpt*'], tags: { app: 'x' }, ...others });
    const change = (body: object) => identity.ask('patch', `/user/me/tokens/${token_id}`, ann, body);
    for (const limit of [60, 90, null]) {
      const { names } = (await resolve(token_id)).body;
      const { status, body } = await change({ requests_per_minute: limit });
      expect([status, body.requests_per_minute, body.models]).toEqual([200, limit, ['gpt*']]);
      expect(await revoked(names)).toEqual([names[3]]);
    }
    const after = (await resolve(token_id)).body;
    expect([await revoked(after.names), after.call_terms.tags]).toEqual([[], { app: 'x' }]);
    expect((await change({ cache_ttl_seconds: 60 })).body).toMatchObject({ cache_ttl_seconds: 60, tags: { app: 'x' } });
    expect((await resolve(token_id)).body.call_terms).toMatchObject({ cache_ttl_seconds: 60 });
  });
  it('include no such terms without the scope models', async () => {
    const ann = await person();
    const { token_id } = (await make(ann)).body;
    expect((await resolve(token_id)).body.call_terms).toBeNull();
    expect((await identity.ask('patch', `/user/me/tokens/${token_id}`, ann, { models: [] })).body.code).toBe('models_scope_missing');
    expect((await make(ann, { cost_centre: 'x' })).body.code).toBe('models_scope_missing');
  });
  it.each([
    { tags: { a: 1 } },
    { tags: [] },
    { models: ['a*b'] },
    { requests_per_minute: 0 },
    { cost_centre: '' },
    { cache_ttl_seconds: 3_601 },
  ])('are not made with the terms %j', async (terms) =>
    expect((await make(await person(), { scopes: ['models'], ...terms })).status).toBe(400),
  );
  it('are restored when the owner is enabled again', async () => {
    const ann = await person();
    const { token_id } = (await make(ann)).body;
    for (const enabled of [false, true]) await admin('patch', `/admin/users/${ann.userId}`, { enabled });
    const { usable, names } = (await resolve(token_id)).body;
    expect([usable, await revoked(names)]).toEqual([true, []]);
  });
});

describe('the last use of a token', () => {
  it('is recorded as edges report it, at most every ten minutes', async () => {
    const ann = await person();
    const { token_id } = (await make(ann)).body;
    const at = seconds() - 5_000;
    const report = async (...times: number[]) => {
      const uses = times.map((time) => ({ token_id, at: time }));
      await request(identity.server).post('/internal/personal-tokens/uses').set(identity.asService('edge')).send({ uses }).expect(204);
      return (await list(ann))[0];
    };
    expect(await report(at)).toMatchObject({ last_used_time: at });
    expect(await report(at + 599, at - 100)).toMatchObject({ last_used_time: at });
    expect(await report(at + 600)).toMatchObject({ last_used_time: at + 600 });
  });
});
