import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MakeFirstAdminOnFirstStart } from '../src/policies/make-first-admin-on-first-start.ts';
import { adminEmail, type IdentityUnderTest, identityUnderTest, password } from './people.ts';

describe('a later start', () => {
  let identity: IdentityUnderTest;
  let policy: MakeFirstAdminOnFirstStart;
  beforeAll(async () => {
    const started = jest.spyOn(MakeFirstAdminOnFirstStart.prototype, 'onApplicationBootstrap');
    identity = await identityUnderTest();
    [policy] = started.mock.contexts as [MakeFirstAdminOnFirstStart];
    started.mockRestore();
  });
  afterAll(() => identity.stop());

  it('creates no other Admin after the first one was erased', async () => {
    const second = { email: 'second@example.org', first_name: 'Second', last_name: 'Admin', groups: ['Admin'], password };
    const made = await identity.ask('post', '/admin/users', identity.admin, second);
    const by = { userId: made.body.user_id as string, groups: ['Admin'] };
    expect((await identity.ask('delete', `/admin/users/${identity.admin.userId}`, by)).status).toBe(200);
    await policy.onApplicationBootstrap();
    const { status } = await identity.ask('post', '/auth/sign-in', null, { email: adminEmail, password });
    expect(status).toBe(401);
  });
});
