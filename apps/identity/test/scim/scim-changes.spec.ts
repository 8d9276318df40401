import { afterAll, describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { adminEmail } from '../people.ts';
import { patchUrn, scimUnderTest, userUrn } from './scim-rig.ts';

const heard: CloudEvent[] = [];
const { identity, scim, tokenId } = await scimUnderTest();
await identity.host.broker.subscribe({
  group: 'listener',
  topics: ['parlance.identity'],
  handle: async (deliveries) => void heard.push(...deliveries.map(({ event }) => event)),
});
afterAll(() => identity.stop());

let createdUsers = 0;
const create = async (fields: object = {}) =>
  scim.ask('post', '/Users', {
    schemas: [userUrn],
    userName: `user${++createdUsers}@example.org`,
    name: { givenName: 'Ben', familyName: 'Baker' },
    active: true,
    ...fields,
  });

describe('a change', () => {
  it('applies only to the version that its client has seen', async () => {
    const { body, headers } = await create();
    const [path, etag] = [`/Users/${body.id}`, headers['etag'] as string];
    const rename = (givenName: string, match: string) =>
      scim.ask(
        'patch',
        path,
        { schemas: [patchUrn], Operations: [{ op: 'replace', path: 'name.givenName', value: givenName }] },
        { 'if-match': match },
      );
    const renamed = await rename('Bo', etag);
    expect([renamed.status, renamed.headers['etag'] === etag]).toEqual([200, false]);
    const moved = { ...body, name: renamed.body.name, userName: 'moved@example.org' };
    const moving = await scim.ask('put', path, moved, { 'if-match': etag });
    for (const stale of [moving, await rename('Bob', etag), await scim.ask('put', path, body, { 'if-match': etag })])
      expect([stale.status, stale.body.status]).toEqual([412, '412']);
    expect((await scim.ask('delete', path, undefined, { 'if-match': etag })).status).toBe(412);
    const same = await rename('Bo', '*');
    expect(same.headers['etag']).toBe(renamed.headers['etag']);
  });
  it('that is refused leaves everything else in the request unchanged', async () => {
    const { body } = await create();
    const refused = await scim.operations(
      `/Users/${body.id}`,
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: adminEmail },
    );
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await scim.ask('get', `/Users/${body.id}`)).body).toEqual(body);
  });
  it('does not remove the last Admin, and the attempt is recorded', async () => {
    const path = `/Users/${identity.admin.userId}`;
    for (const tried of [await scim.operations(path, { op: 'replace', path: 'active', value: false }), await scim.ask('delete', path)])
      expect([tried.status, tried.body.detail]).toEqual([409, expect.stringContaining('last enabled Admin')]);
    const refusals = () => heard.filter(({ type, actor }) => type.includes('action-refused') && actor === `scim:${tokenId}`);
    await waitFor(() => refusals().some(({ data }) => (data as { code: string }).code === 'last_admin'));
    expect(refusals().at(-1)?.data).toMatchObject({ resource_type: 'user', resource_id: identity.admin.userId });
  });
  it('names the token as its actor', async () => {
    const { body } = await create();
    await waitFor(() => heard.some(({ subject, actor }) => subject === `user-${body.id}` && actor === `scim:${tokenId}`));
  });
  it.each<[string, object, string]>([
    ['no address', { userName: 'ann' }, 'invalidValue'],
    ['another kind of name', { name: { givenName: 1 } }, 'invalidValue'],
    ['half a truth', { active: 'perhaps' }, 'invalidValue'],
    ['a short password', { password: '1234567' }, 'invalidValue'],
  ])('is refused for %s', async (_, fields, scimType) => {
    const refused = await create(fields);
    expect([refused.status, refused.body.scimType]).toEqual([400, scimType]);
  });
  it.each<[string, object, string]>([
    ['on a read-only attribute', { op: 'replace', path: 'groups', value: [] }, 'mutability'],
    ['on a value that does not exist', { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x' } }, 'noTarget'],
    ['with an invalid path', { op: 'add', path: 'name..x', value: 'x' }, 'invalidPath'],
    ['with an invalid filter', { op: 'add', path: 'emails[type is "work"].value', value: 'x' }, 'invalidFilter'],
    ['of nothing', { op: 'remove' }, 'noTarget'],
    ['of another kind', { op: 'move', path: 'active' }, 'invalidSyntax'],
  ])('is refused: an operation %s', async (_, operation, scimType) => {
    const { body } = await create();
    const refused = await scim.operations(`/Users/${body.id}`, operation);
    expect([refused.status, refused.body.scimType]).toEqual([400, scimType]);
  });
});
