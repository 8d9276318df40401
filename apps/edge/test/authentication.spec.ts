import { afterAll, describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { raw } from './raw.ts';
import { edgeWith, type Operations, statementIn, stub } from './rig.ts';

const operation = (operationId: string, security: readonly object[] = [{ bearer: [] }]) => ({
  operationId,
  security,
  responses: { 200: { description: 'OK' } },
});

const paths: Operations = {
  '/auth/password': { post: operation('password') },
  '/auth/sign-out': { post: operation('sign_out') },
  '/auth/sign-in': { post: operation('sign_in', []) },
  '/user/me': { get: operation('me'), patch: operation('rename') },
  '/shared/{token}': { get: operation('shared', [{}, { bearer: [] }]) },
  '/user/{user_id}': { get: operation('user') },
};

/** Answers with the caller that the edge states, and with the client's headers that reached the service. */
function reported(request: FastifyRequest) {
  const { authorization = null, cookie = null, 'x-api-key': key = null } = request.headers;
  return { who: statementIn(request).sub, passed: [authorization, cookie, key] };
}

function services() {
  const identity = stub('identity', paths);
  for (const path of ['/auth/password', '/auth/sign-out', '/auth/sign-in']) identity.post(path, reported);
  for (const path of ['/user/me', '/user/:id']) identity.get(path, reported);
  identity.get('/shared/:token', reported);
  identity.patch('/user/me', reported);
  return { identity };
}

const edge = await edgeWith(services());
afterAll(() => edge.stop());

const read = async (path: string, headers: Record<string, string | string[]>, method = 'GET') => {
  const answer = await raw(edge.url, path, { method, headers });
  return [answer.status, answer.code ?? (JSON.parse(answer.body || '{}') as unknown)];
};
const others = { cookie: 'a=b', 'x-api-key': 'prl_x' };

describe('the caller', () => {
  it('is stated to the service, without its credentials', async () => {
    expect(await read('/user/me', { ...(await edge.as('ann')), ...others })).toEqual([200, { who: 'ann', passed: [null, null, null] }]);
    expect(await read('/user/me', others)).toEqual([401, 'sign_in_required']);
  });

  it('is stated, without credentials, to the service of a route that accepts a token but does not need one', async () => {
    expect(await read('/shared/x', { ...(await edge.as('ann')), ...others })).toEqual([200, { who: 'ann', passed: [null, null, null] }]);
    expect(await read('/shared/x', others)).toEqual([200, { who: null, passed: [null, null, null] }]);
    expect(await read('/shared/x', { authorization: 'Bearer of.another.kind' })).toEqual([401, 'invalid_token']);
  });

  it('is left to the service of an open route, with all credentials', async () => {
    const stale = { authorization: 'Bearer of.another.kind' };
    expect(await read('/auth/sign-in', { ...stale, ...others }, 'POST')).toEqual([
      200,
      { who: null, passed: [stale.authorization, others.cookie, others['x-api-key']] },
    ]);
  });

  it.each([
    ['Basic', async () => 'Basic YW5uOnNlY3JldA=='],
    ['nothing', async () => ''],
    ['no token', async () => 'Bearer '],
    ['a key', async () => 'Bearer prl_x'],
    ['two tokens in one', async (good: string) => `${good}, ${good}`],
    ['followed by more text', async (good: string) => `${good} x`],
    ['two headers', async (good: string) => [good, good]],
    ['together with another header', async (good: string) => [good, 'Basic YW5uOnNlY3JldA==']],
  ])('is unknown by %s', async (_, made) => {
    const { authorization = '' } = await edge.as('ann');
    expect(await read('/user/me', { authorization: await made(authorization) })).toEqual([401, 'invalid_token']);
  });

  it('is refused when two credentials are sent', async () => {
    expect(await read('/auth/sign-in', { authorization: ['Bearer a.b.c', 'Bearer d.e.f'] }, 'POST')).toEqual([401, 'invalid_token']);
  });

  it('is not read from headers larger than a server accepts', async () => {
    expect(await read('/user/me', await edge.bearing({ filling: 'x'.repeat(9_000) }))).toEqual([401, 'invalid_token']);
    expect(await read('/user/me', await edge.bearing({ filling: 'x'.repeat(20_000) }))).toEqual([431, 'headers_too_large']);
  });

  it('is valid until half a minute after the token has expired', async () => {
    const headers = await edge.as('ann');
    edge.later(1_825_000);
    expect((await read('/user/me', headers))[0]).toBe(200);
    edge.later(10_000);
    expect(await read('/user/me', headers)).toEqual([401, 'invalid_token']);
  });
});

describe('a session that lacks the second factor that a group needs', () => {
  it.each([
    ['GET', '/user/me'],
    ['POST', '/auth/password'],
    ['POST', '/auth/sign-out'],
  ])('may %s %s', async (method, path) => expect((await read(path, await edge.bearing({ sfr: true }), method))[0]).toBe(200));

  it.each([
    ['GET', '/user/ben'],
    ['PATCH', '/user/me'],
  ])('may not %s %s', async (method, path) => {
    const answer = await raw(edge.url, path, { method, headers: await edge.bearing({ sfr: true }) });
    expect([answer.status, answer.code]).toEqual([403, 'second_factor_missing']);
  });
});

describe('a user whose password was chosen by an administrator', () => {
  it.each([
    ['POST', '/auth/password'],
    ['POST', '/auth/sign-out'],
    ['GET', '/user/me'],
    ['GET', '/user/%6De'],
    ['HEAD', '/user/me'],
  ])('may %s %s', async (method, path) => expect((await read(path, await edge.bearing({ pcr: true }), method))[0]).toBe(200));

  it.each([
    ['GET', '/user/ben'],
    ['PATCH', '/user/me'],
    ['GET', '/user/auth%2Fpassword'],
  ])('may not %s %s', async (method, path) => {
    const answer = await raw(edge.url, path, { method, headers: await edge.bearing({ pcr: true }) });
    expect([answer.status, answer.code]).toEqual([403, 'password_change_required']);
    expect((JSON.parse(answer.body) as { detail: string }).detail).toContain('POST /auth/password');
  });
});

describe('a route that accepts a token but does not need one', () => {
  it('counts requests without a token towards the address', async () => {
    const limited = await edgeWith(services(), { settings: { PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '2' } });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await raw(limited.url, '/shared/x')).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await raw(limited.url, '/shared/x', { headers: await limited.as('ann') })).status).toBe(200);
    await limited.stop();
  });
});
