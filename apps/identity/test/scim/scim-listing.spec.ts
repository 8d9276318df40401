import { afterAll, describe, expect, it } from '@jest/globals';
import { scimUnderTest, userUrn } from './scim-rig.ts';

const many = 250;
const { identity, scim } = await scimUnderTest();
const create = (n: number) =>
  scim.ask('post', '/Users', { schemas: [userUrn], userName: `many${n}@example.com`, name: { givenName: 'Ben', familyName: 'Baker' } });
await Promise.all(Array.from({ length: many }, (_, n) => create(n)));
afterAll(() => identity.stop());

describe('many users', () => {
  it('are returned in pages, with the total number', async () => {
    const all = await scim.ask('get', '/Users?count=0');
    const { totalResults } = all.body;
    expect([all.body.Resources, totalResults]).toEqual([[], many + 1]);
    const ids: string[] = [];
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 200) {
      const { body } = await scim.ask('get', `/Users?startIndex=${startIndex}&count=1000`);
      expect([body.totalResults, body.startIndex, body.itemsPerPage]).toEqual([totalResults, startIndex, body.Resources.length]);
      ids.push(...body.Resources.map((user: { id: string }) => user.id));
    }
    expect([ids.length, new Set(ids).size]).toEqual([totalResults, totalResults]);
    expect((await scim.ask('get', '/Users')).body.itemsPerPage).toBe(100);
    expect((await scim.ask('get', '/Users?startIndex=-3&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    const beyond = await scim.ask('get', `/Users?startIndex=${totalResults + 1}`);
    expect(beyond.body).toMatchObject({ totalResults, itemsPerPage: 0, Resources: [] });
  });
  it('are found by a filter', async () => {
    const count = async (filter: string) => (await scim.find('Users', filter, '&count=1')).body.totalResults;
    expect(await count('userName ew "@example.com"')).toBe(many);
    expect(await count('userName sw "MANY24" and userName co "@example.c"')).toBe(11);
    expect(await count('emails[value eq "many7@example.com" and primary eq true]')).toBe(1);
    expect(await count('emails.value eq "many7@example.com" and active eq false')).toBe(0);
    expect(await count('userName sw "many" and not (name.givenName eq "ben")')).toBe(0);
    expect(await count('active eq true and externalId pr')).toBe(0);
    expect(await count('active eq "True" or active eq false')).toBe(many + 1);
    expect(await count(`id eq "${identity.admin.userId}"`)).toBe(1);
    expect(await count('nickName eq "x"')).toBe(0);
    const page = await scim.find('Users', 'userName ew "@example.com"', '&startIndex=241&count=20');
    expect(page.body).toMatchObject({ totalResults: many, startIndex: 241, itemsPerPage: 10 });
  });
  it('are shown with the requested attributes', async () => {
    const [some, others] = await Promise.all([
      scim.find('Users', 'userName eq "many7@example.com"', '&attributes=userName,name.givenName'),
      scim.find('Users', 'userName eq "many7@example.com"', '&excludedAttributes=groups,meta,emails.type'),
    ]);
    expect(some.body.Resources).toEqual([
      { schemas: [userUrn], id: expect.any(String), userName: 'many7@example.com', name: { givenName: 'Ben' } },
    ]);
    expect(Object.keys(others.body.Resources[0])).toEqual(['schemas', 'id', 'userName', 'name', 'displayName', 'active', 'emails']);
    expect(others.body.Resources[0].emails).toEqual([{ value: 'many7@example.com', primary: true }]);
  });
});
