import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IdentityUnderTest, identityUnderTest, password } from './people.ts';

describe('names of several users', () => {
  let identity: IdentityUnderTest;
  const ids: string[] = [];
  const names = (userIds: readonly string[]) =>
    identity.ask('get', `/user/names?user_ids=${userIds.join(',')}`, { userId: 'ann', groups: [] });
  beforeAll(async () => {
    identity = await identityUnderTest();
    for (const first_name of ['Ben', 'Cat', 'Dan']) {
      const person = { email: `${first_name}@example.org`, first_name, last_name: 'Baker', password };
      ids.push((await identity.ask('post', '/admin/users', identity.admin, person)).body.user_id);
    }
  });
  afterAll(() => identity.stop());

  it('are shown to every signed-in user, in the order of the IDs, without other fields', async () => {
    const [ben, cat] = ids;
    expect((await names([cat!, ben!, cat!])).body).toEqual({
      users: [
        { user_id: cat, first_name: 'Cat', last_name: 'Baker' },
        { user_id: ben, first_name: 'Ben', last_name: 'Baker' },
      ],
    });
    expect((await identity.ask('get', `/user/names?user_ids=${ben}`, null)).status).toBe(401);
  });

  it('leave out unknown and erased users', async () => {
    const [ben, , dan] = ids;
    expect((await identity.ask('delete', `/admin/users/${dan}`, identity.admin)).status).toBe(200);
    expect((await names([dan!, 'nobody', ben!])).body.users.map(({ first_name }: { first_name: string }) => first_name)).toEqual(['Ben']);
  });

  it('are limited to a hundred users', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `user${index}`);
    expect((await names(many(100))).status).toBe(200);
    const { status, body } = await names(many(101));
    expect([status, body.errors[0].path]).toEqual([400, 'user_ids']);
    expect((await names([''])).status).toBe(400);
  });
});
