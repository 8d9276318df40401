import { afterAll, describe, expect, it } from '@jest/globals';
import { raw } from './raw.ts';
import { edgeWith, stub } from './rig.ts';

const operation = (operationId: string, security: readonly object[] = [{ bearer: [] }]) => ({
  operationId,
  security,
  responses: { 200: { description: 'OK' } },
});

const bots = stub('bots', {
  '/bot': { get: operation('list'), post: operation('create') },
  '/bot/{id}': { delete: operation('remove') },
});
const edge = await edgeWith({ bots }, { settings: { PARLANCE_PUBLISHED_DOMAIN: 'apis.example.org' } });
afterAll(() => edge.stop());
const ask = async (method: string, path: string, headers = {}) => {
  const answer = await raw(edge.url, path, { method, headers });
  return [answer.status, answer.code ?? answer.body, answer.headers.allow];
};

describe('the methods of a path', () => {
  it.each([
    ['/bot', 'GET, HEAD, POST, OPTIONS'],
    ['/bot/b1', 'DELETE, OPTIONS'],
    ['/asyncapi.json', 'GET, HEAD, OPTIONS'],
  ])('are listed for OPTIONS of %s', async (path, allow) => {
    expect(await ask('OPTIONS', path)).toEqual([204, '', allow]);
    expect(await ask('PATCH', path)).toEqual([405, 'method_not_allowed', allow]);
  });
  it('are not listed for an unknown path', async () => expect(await ask('OPTIONS', '/nowhere')).toEqual([404, 'no_such_route', undefined]));
  it.each(['OPTIONS', 'PATCH'])('are not listed below the domain of published APIs: %s', async (method) =>
    expect(await ask(method, '/bot', { host: 'x1.apis.example.org' })).toEqual([404, 'not_published', undefined]),
  );
});
