import { afterAll, describe, expect, it } from '@jest/globals';
import { groupUrn, type ScimClient, scimUnderTest, userUrn } from './scim-rig.ts';

let [ann, ben, cat] = ['', '', ''];
const { identity, scim } = await scimUnderTest();
const create = async (name: string) =>
  (await scim.ask('post', '/Users', { schemas: [userUrn], userName: `${name}@example.org`, name: { givenName: name } })).body.id as string;
[ann, ben, cat] = [await create('ann'), await create('ben'), await create('cat')];
afterAll(() => identity.stop());

const membersOf = async (group: string): Promise<string[]> =>
  (await scim.ask('get', `/Groups/${encodeURIComponent(group)}`)).body.members.map((member: { value: string }) => member.value).sort();
const groupsOf = async (userId: string): Promise<string[]> =>
  (await identity.ask('get', `/admin/users/${userId}`, identity.admin)).body.groups;

describe('a group that Okta pushes', () => {
  it('is searched for, and created with its members', async () => {
    expect((await scim.find('Groups', 'displayName eq "Sales & more"')).body.totalResults).toBe(0);
    const { status, body, headers } = await scim.ask('post', '/Groups', {
      schemas: [groupUrn],
      displayName: 'Sales & more',
      members: [{ value: ann, display: 'ann@example.org' }, { value: ben }],
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe('http://127.0.0.1:8080/scim/v2/Groups/Sales%20%26%20more');
    expect(body).toMatchObject({ schemas: [groupUrn], id: 'Sales & more', displayName: 'Sales & more', meta: { resourceType: 'Group' } });
    expect(body.members).toEqual([
      expect.objectContaining({ value: ann, display: 'ann' }),
      expect.objectContaining({ value: ben, display: 'ben' }),
    ]);
    expect(await groupsOf(ann)).toContain('Sales & more');
    const again = await scim.ask('post', '/Groups', { displayName: 'SALES & more' });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
  });
  it('is the same in any encoding of an accent in its name', async () => {
    const [one, other] = ['A\u0308pfel', '\u00c4pfel'];
    expect((await scim.ask('post', '/Groups', { displayName: one })).body.id).toBe(other);
    const path = `/Groups/${encodeURIComponent(one)}`;
    expect((await scim.ask('put', path, { displayName: one, members: [{ value: ann }] })).status).toBe(200);
    expect((await scim.operations(path, { op: 'add', path: 'members', value: [{ value: ben }] })).status).toBe(204);
    expect(await membersOf(other)).toEqual([ann, ben].sort());
    expect((await scim.ask('delete', path)).status).toBe(204);
    expect((await scim.ask('post', '/Groups', { displayName: 're\u200bd' })).body.scimType).toBe('invalidValue');
  });
  it('has its members replaced, by PATCH and by PUT', async () => {
    const path = `/Groups/${encodeURIComponent('Sales & more')}`;
    const patched = await scim.operations(
      path,
      { op: 'replace', value: { id: 'Sales & more', displayName: 'Sales & more' } },
      { op: 'replace', path: 'members', value: [{ value: ben }, { value: cat }] },
    );
    expect(patched.status).toBe(204);
    expect(await membersOf('Sales & more')).toEqual([ben, cat].sort());
    const put = await scim.ask('put', path, { displayName: 'Sales & more', members: [{ value: ann }] });
    expect([put.status, put.body.members.length]).toEqual([200, 1]);
    expect(await groupsOf(ben)).not.toContain('Sales & more');
  });
});

describe('a group that Entra provisions', () => {
  const path = '/Groups/Red';
  it('begins empty, and is read without members', async () => {
    expect((await scim.ask('post', '/Groups', { displayName: 'Red', externalId: '8aa1a0c0', members: [] })).status).toBe(201);
    const { body } = await scim.ask('get', `${path}?excludedAttributes=members`);
    expect(body).toEqual({ schemas: [groupUrn], id: 'Red', displayName: 'Red', meta: expect.any(Object) });
    const found = await scim.find('Groups', 'displayName eq "red"', '&excludedAttributes=members');
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: 'Red' }] });
  });
  it('has members added and removed, one by one and by lists', async () => {
    await scim.operations(path, { op: 'Add', path: 'members', value: [{ value: ann }, { value: ben }] });
    await scim.operations(path, { op: 'Add', path: 'Members', value: [{ value: cat }, { value: ann }] });
    expect(await membersOf('Red')).toEqual([ann, ben, cat].sort());
    await scim.operations(path, { op: 'Remove', path: 'members', value: [{ value: ben }] });
    await scim.operations(path, { op: 'Remove', path: `members[value eq "${cat}"]` });
    expect(await membersOf('Red')).toEqual([ann]);
    const found = await scim.find('Groups', `members.value eq "${ann}" and displayName sw "r"`, '&excludedAttributes=members');
    expect(found.body.Resources.map((group: { id: string }) => group.id)).toEqual(['Red']);
    await scim.operations(path, { op: 'remove', path: 'members' });
    expect(await membersOf('Red')).toEqual([]);
  });
  it('is returned by a PATCH if the client asks for some of its attributes', async () => {
    const body = { Operations: [{ op: 'add', path: 'members', value: [{ value: ann }] }] };
    const { status, body: answer } = await scim.ask('patch', `${path}?attributes=members.value`, body);
    expect([status, answer.members]).toEqual([200, [{ value: ann }]]);
  });
  it('is deleted', async () => {
    expect((await scim.ask('delete', path)).status).toBe(204);
    expect((await scim.ask('get', path)).status).toBe(404);
    expect((await scim.ask('delete', path)).status).toBe(404);
  });
});

describe('the built-in groups', () => {
  it('can be provisioned', async () => {
    const { body } = await scim.ask('get', '/Groups?excludedAttributes=members');
    expect(body.Resources.map((group: { id: string }) => group.id)).toEqual(expect.arrayContaining(['Admin', 'PublishAllowed']));
    expect((await scim.operations('/Groups/PublishAllowed', { op: 'add', path: 'members', value: [{ value: ann }] })).status).toBe(204);
    expect(await groupsOf(ann)).toContain('PublishAllowed');
  });
  it.each<[string, () => ReturnType<ScimClient['ask']>]>([
    ['deleted', () => scim.ask('delete', '/Groups/Admin')],
    ['renamed', () => scim.operations('/Groups/Admin', { op: 'replace', path: 'displayName', value: 'Root' })],
    ['replaced with another name', () => scim.ask('put', '/Groups/Admin', { displayName: 'Root', members: [] })],
  ])('are not %s', async (_, attempt) => {
    const { status, body } = await attempt();
    expect([status, body.scimType]).toEqual([400, 'mutability']);
  });
  it('keep at least one Admin, who may be replaced', async () => {
    const replace = (...members: string[]) =>
      scim.ask('put', '/Groups/Admin', { displayName: 'Admin', members: members.map((value) => ({ value })) });
    const emptied = await replace();
    expect([emptied.status, emptied.body.status]).toEqual([409, '409']);
    expect((await replace(ann)).status).toBe(200);
    expect(await membersOf('Admin')).toEqual([ann]);
    expect((await replace(ann, identity.admin.userId)).status).toBe(200);
    expect((await replace(identity.admin.userId)).status).toBe(200);
  });
});

describe('a group', () => {
  it('is not created with unknown members', async () => {
    const { status, body } = await scim.ask('post', '/Groups', {
      displayName: 'Ghosts',
      members: [{ value: '01K0000000000000000000000Z' }],
    });
    expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    expect((await scim.ask('get', '/Groups/Ghosts')).status).toBe(404);
  });
  it.each(['a,b', '', 'x'.repeat(101)])('cannot have the name %j', async (displayName) =>
    expect((await scim.ask('post', '/Groups', { displayName })).body.scimType).toBe('invalidValue'),
  );
  it('cannot be searched for by the names of its members', async () =>
    expect((await scim.find('Groups', 'members.display eq "ann"')).body.scimType).toBe('invalidFilter'));
});
