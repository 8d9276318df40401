import { afterAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type ScimClient, scimClient, scimUnderTest } from './scim-rig.ts';

const { identity, scim, tokenId } = await scimUnderTest();
afterAll(() => identity.stop());

const admin = (method: 'get' | 'post' | 'delete', path = '', body?: object, headers = {}) =>
  identity.ask(method, `/admin/scim-tokens${path}`, identity.admin, body, headers);
const mint = async (fields: object = {}) => (await admin('post', '', { description: 'Another', ...fields })).body;

describe('a provisioning token', () => {
  it('is created by administrators, and shown once', async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    const { status, body } = await admin('post', '', { description: 'For an hour', expires_at });
    expect(status).toBe(201);
    expect(body).toMatchObject({ description: 'For an hour', expires_at, created_by: identity.admin.userId });
    expect(body.token).toMatch(new RegExp(`^scim_${body.token_id}_[\\w-]{43}$`));
    const { scim_tokens, next_token } = (await admin('get')).body;
    expect(next_token).toBeNull();
    const { token: _, ...row } = body;
    expect(scim_tokens).toEqual([expect.objectContaining({ token_id: tokenId, expires_at: null }), row]);
    const first = (await admin('get', '?limit=1')).body;
    expect((await admin('get', `?limit=1&next_token=${first.next_token}`)).body).toEqual({ scim_tokens: [row], next_token: null });
    const refused = await identity.ask('post', '/admin/scim-tokens', { userId: 'ann' }, { description: 'Mine' });
    expect([refused.status, refused.body.code]).toEqual([403, 'group_required']);
  });
  it('is not shown again to a retry', async () => {
    const nid = '01K0000000000000000000000A';
    const first = await admin('post', '', { description: 'Twice' }, { nid });
    const second = await admin('post', '', { description: 'Twice' }, { nid });
    expect([first.body.token_id, second.body.token_id, second.status, second.body.token]).toEqual([nid, nid, 201, undefined]);
    expect((await scimClient(identity, first.body.token).ask('get', '/Users?count=0')).status).toBe(200);
  });
  it.each<[string, object]>([
    ['already expired', { expires_at: 1 }],
    ['of no description', { description: '' }],
    ['with an expiry too far in the future', { expires_at: 4e11 }],
  ])('is not made %s', async (_, fields) => expect((await admin('post', '', { description: 'x', ...fields })).status).toBe(400));
  it('is invalid as soon as it is revoked', async () => {
    const { token, token_id } = await mint();
    const client = scimClient(identity, token);
    expect((await client.ask('get', '/Users')).status).toBe(200);
    expect((await admin('delete', `/${token_id}`)).status).toBe(204);
    expect((await client.ask('get', '/Users')).status).toBe(401);
    expect((await admin('delete', `/${token_id}`)).status).toBe(204);
    expect((await admin('delete', '/01K0000000000000000000000Z')).body.code).toBe('scim_token_not_found');
    expect((await admin('get')).body.scim_tokens.map((row: { token_id: string }) => row.token_id)).not.toContain(token_id);
  });
  it('is checked by the edge before a body is read', async () => {
    const { token } = await mint();
    const check = (authorization: string) =>
      request(identity.server).post('/internal/credentials/scim').set(identity.asService('edge')).send({ authorization });
    expect((await check(`Bearer ${token}`)).status).toBe(204);
    expect((await check(`Bearer ${token}x`)).status).toBe(401);
  });
  it('is invalid after its expiry', async () => {
    const { token } = await mint({ expires_at: Math.ceil(Date.now() / 1000) + 3_600 });
    const client = scimClient(identity, token);
    const status = async () => (await client.ask('get', '/Users?count=0')).status;
    expect(await status()).toBe(200);
    identity.later(3_601_000);
    expect(await status()).toBe(401);
  });
});

describe('without a provisioning token', () => {
  it("requests are refused in SCIM's format", async () => {
    const { access_token } = (
      await identity.ask('post', '/auth/sign-in', null, { email: 'first@example.org', password: 'correct horse battery' })
    ).body;
    const other = (await mint()).token as string;
    const wrong = `${scim.token.slice(0, -43)}${other.slice(-43)}`;
    const unknown = scim.token.replace(tokenId, '01K0000000000000000000000Z');
    for (const authorization of ['', 'Bearer', `Bearer ${access_token}`, `Basic ${scim.token}`, `Bearer ${wrong}`, `Bearer ${unknown}`]) {
      for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas', '/ResourceTypes']) {
        const { status, body, headers } = await scim.ask('get', path, undefined, { authorization });
        expect(status).toBe(401);
        expect(headers['content-type']).toMatch(/^application\/scim\+json/);
        expect(headers['www-authenticate']).toBe('Bearer');
        expect(body).toEqual({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '401',
          detail: expect.stringContaining('Bearer scim_'),
        });
      }
    }
  });
  it('a signed-in administrator is refused too', async () =>
    expect((await identity.ask('get', '/scim/v2/Users', identity.admin)).status).toBe(401));
});

describe('the SCIM server', () => {
  it('describes itself to a new client', async () => {
    const config = await scim.ask('get', '/ServiceProviderConfig');
    expect(config.headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
    });
    const types = (await scim.ask('get', '/ResourceTypes')).body;
    expect(types.Resources.map((type: { endpoint: string }) => type.endpoint)).toEqual(['/Users', '/Groups']);
    const schemas = (await scim.ask('get', '/Schemas')).body;
    expect(schemas.totalResults).toBe(2);
    for (const { id } of schemas.Resources) expect((await scim.ask('get', `/Schemas/${id}`)).body).toMatchObject({ id });
    expect((await scim.ask('get', '/ResourceTypes/User')).body.name).toBe('User');
    expect((await scim.ask('get', '/Schemas/urn:nothing')).status).toBe(404);
  });
});

describe('a refusal', () => {
  it.each<[string, () => ReturnType<ScimClient['ask']>, number, string | undefined]>([
    [
      'of a body that is not JSON',
      () => scim.ask('post', '/Users').set('content-type', 'application/scim+json').send('{'),
      400,
      'invalidSyntax',
    ],
    ['of no body', () => scim.ask('post', '/Users'), 400, 'invalidSyntax'],
    ['of another content type', () => scim.ask('post', '/Users').set('content-type', 'text/plain').send('x'), 415, undefined],
    ['of an unknown parameter', () => scim.ask('get', '/Users?color=red'), 400, 'invalidValue'],
    ['of an invalid filter', () => scim.find('Users', 'userName is "ann"'), 400, 'invalidFilter'],
    ['of a filter that would take the parser hours', () => scim.find('Users', `userName eq "${'\n'.repeat(60)}`), 400, 'invalidFilter'],
    ['of an unknown user', () => scim.ask('get', '/Users/7d1b2d1e-0000-4000-8000-000000000000'), 404, undefined],
    ['of an unknown group', () => scim.ask('get', '/Groups/none'), 404, undefined],
  ])('%s is a SCIM error', async (_, attempt, status, scimType) => {
    const answer = await attempt();
    expect([answer.status, answer.body.status, answer.body.scimType]).toEqual([status, String(status), scimType]);
    expect(answer.headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  });
});
