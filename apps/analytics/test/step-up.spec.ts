import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { analytics } from '../src/service.ts';

let service: ServiceUnderTest;
let webhook: string;

beforeAll(async () => {
  service = await serviceUnderTest(analytics);
  const users = new KeysOfUsers();
  users.unproved.add('root');
  await users.enter(service.host);
  webhook = `/admin/webhooks/${(await inSession('ann', 'post', '/admin/webhooks', { url: 'https://hooks.example.org' })).body.id}`;
});
afterAll(() => service.stop());

type Method = 'get' | 'post' | 'patch' | 'delete';
const ask = (headers: Readonly<Record<string, string>>, method: Method, path: string, body: object = {}) => {
  const asking = request(service.server)[method](path).set(headers);
  return method === 'get' ? asking : asking.send(body);
};
const inSession = (userId: string, ...its: [Method, string, object?]) => ask(service.as(userId, 'Admin'), ...its);
const byToken = (userId: string, ...its: [Method, string, object?]) => ask(service.asToken('t1', userId, 'Admin'), ...its);

const exports: readonly [string, Method, string, object][] = [
  ['asks for the address of an export', 'get', '/admin/exports/2026112210', {}],
  ['queries the exports', 'post', '/admin/exports/query', { sql: 'SELECT 1' }],
];
const webhooks: readonly [string, Method, string, object][] = [
  ['creates a webhook', 'post', '/admin/webhooks', { url: 'https://hooks.example.org' }],
  ['changes a webhook', 'patch', '', { enabled: false }],
  ['replaces the secret of a webhook', 'post', '/secret', {}],
  ['removes a webhook', 'delete', '', {}],
];

describe('an administrator whose second factor is not fresh', () => {
  it.each([...exports, ...webhooks])('must prove it again to do this: %s', async (_, method, path, body) => {
    const answer = await inSession('root', method, path.startsWith('/admin') ? path : `${webhook}${path}`, body);
    expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
  });
  it('may read', async () => {
    for (const path of ['/admin/exports', '/admin/webhooks', webhook]) expect((await inSession('root', 'get', path)).status).toBe(200);
  });
  it.each(exports)('does not have to prove it again when a token does this: %s', async (_, method, path, body) =>
    expect((await byToken('root', method, path, body)).body.code).not.toBe('step_up_required'),
  );
  it('must prove it again when the token removes a webhook', async () =>
    expect((await byToken('root', 'delete', webhook)).body.code).toBe('step_up_required'));
});
