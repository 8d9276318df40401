import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import request from 'supertest';
import { identityUnderTest, password } from './people.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Documented = Record<string, Record<string, { responses: Record<string, object> }>>;

const identity = await identityUnderTest();
const person = { email: 'gone@example.org', password, first_name: 'G', last_name: 'O', groups: [] };
const erased = { userId: (await identity.ask('post', '/admin/users', identity.admin, person)).body.user_id };
await identity.ask('delete', `/admin/users/${erased.userId}`, identity.admin).expect(200);
const paths: Documented = (await request(identity.server).get('/internal/openapi.json').set(identity.asService('edge'))).body.paths;
afterAll(() => identity.stop());

describe('a request of a user who is erased meanwhile', () => {
  it.each<[Method, string, object | undefined, string]>([
    ['post', '/user/me/factors/totp', undefined, '/user/me/factors/totp'],
    ['post', '/user/me/factors/recovery-codes', undefined, '/user/me/factors/recovery-codes'],
    ['post', '/user/me/step-up', { code: '123456' }, '/user/me/step-up'],
    ['delete', `/user/me/factors/${newId()}`, undefined, '/user/me/factors/{factorId}'],
  ])('gets an answer that the OpenAPI document declares: %s %s', async (method, path, body, template) => {
    const { status, body: answer } = await identity.ask(method, path, erased, body);
    expect([status, answer.code]).toEqual([404, 'user_not_found']);
    expect(JSON.stringify(paths[template]![method]!.responses[404])).toContain('user_not_found');
  });
  it.each([
    ['post', '/user/me/factors/totp/confirm'],
    ['post', '/auth/second-factor'],
    ['post', '/admin/service-accounts'],
    ['patch', '/admin/service-accounts/{id}'],
    ['post', '/admin/service-accounts/{id}/tokens'],
  ])('may be erased between two steps of %s %s', (method, template) =>
    expect(JSON.stringify(paths[template]![method]!.responses[404])).toContain('user_not_found'),
  );
});
