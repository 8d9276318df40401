import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { adminEmail, type IdentityUnderTest, password } from './scim-dev-people.ts';
import { patchUrn, type ScimClient, scimUnderTest, userUrn } from './scim-dev-rig.ts';

let identity: IdentityUnderTest;
let scim: ScimClient;
let tokenId: string;
const heard: CloudEvent[] = [];
beforeAll(async () => {
  ({ identity, scim, tokenId } = await scimUnderTest());
  await identity.host.broker.subscribe({
    group: 'listener',
    topics: ['parlance.identity'],
    handle: async ({ event }) => void heard.push(event),
  });
});
afterAll(() => identity.stop());

let made = 0;
const create = async (its: object = {}) =>
  scim.ask('post', '/Users', {
    schemas: [userUrn],
    userName: `user${++made}@example.org`,
    name: { givenName: 'Ben', familyName: 'Baker' },
    active: true,
    ...its,
  });
const signIn = (email: string, its = password) => identity.ask('post', '/auth/sign-in', null, { email, password: its });

describe('what Okta sends', () => {
  let id: string;
  it('looks whether the user is there, and makes one with all that it knows', async () => {
    const before = await scim.find('Users', 'userName eq "ann@example.org"', '&startIndex=1&count=100');
    expect(before.body).toMatchObject({ totalResults: 0, Resources: [] });
    const { status, body, headers } = await scim.ask(
      'post',
      '/Users',
      {
        schemas: [userUrn],
        userName: 'ann@example.org',
        name: { givenName: 'Ann', familyName: 'Archer' },
        emails: [{ primary: true, value: 'ann.archer@example.org', type: 'work' }],
        displayName: 'Ann Archer',
        locale: 'en-GB',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: 'one that Okta made up',
        active: true,
      },
      { accept: 'application/scim+json' },
    );
    id = body.id;
    expect(status).toBe(201);
    expect(headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(headers['location']).toBe(`http://127.0.0.1:8080/scim/v2/Users/${id}`);
    expect(body).toEqual({
      schemas: [userUrn],
      id,
      externalId: '00ujl29u0le5T6Aj10h7',
      userName: 'ann@example.org',
      name: { formatted: 'Ann Archer', givenName: 'Ann', familyName: 'Archer' },
      displayName: 'Ann Archer',
      active: true,
      emails: [{ value: 'ann@example.org', type: 'work', primary: true }],
      groups: [expect.objectContaining({ value: 'CreatingBotAllowed' })],
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lastModified: expect.any(String),
        version: headers['etag'],
        location: headers['location'],
      },
    });
    const found = await scim.find('Users', 'userName eq "ANN@example.org"');
    expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] });
    const again = await create({ userName: 'Ann@example.org' });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
  });
  it('deactivates, which signs out everywhere, and reactivates', async () => {
    const signedIn = (await signIn('ann@example.org', 'one that Okta made up')).body;
    expect(signedIn.password_change_required).toBe(true);
    const off = await scim.operations(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token: signedIn.refresh_token })).status).toBe(401);
    expect((await signIn('ann@example.org', 'one that Okta made up')).body.code).toBe('user_disabled');
    const on = await scim.operations(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(on.body.active).toBe(true);
  });
  it('replaces the whole, with another name and address', async () => {
    const { body } = await scim.ask('get', `/Users/${id}`);
    const { status, body: after } = await scim.ask('put', `/Users/${id}`, {
      ...body,
      userName: 'ann.baker@example.org',
      name: { givenName: 'Ann', familyName: 'Baker' },
    });
    expect(status).toBe(200);
    expect(after).toMatchObject({ userName: 'ann.baker@example.org', displayName: 'Ann Baker', externalId: '00ujl29u0le5T6Aj10h7' });
    expect((await scim.find('Users', 'userName eq "ann@example.org"')).body.totalResults).toBe(0);
    expect((await scim.find('Users', 'userName eq "ann.baker@example.org"')).body.totalResults).toBe(1);
    expect((await create({ userName: 'ann@example.org' })).status).toBe(201);
  });
  it('brings another password', async () => {
    const { status, body } = await scim.operations(`/Users/${id}`, { op: 'replace', value: { password: 'and another of them' } });
    expect([status, body.password]).toEqual([200, undefined]);
    expect((await signIn('ann.baker@example.org', 'and another of them')).body.password_change_required).toBe(true);
  });
});

describe('what Entra sends', () => {
  let id: string;
  it('makes a user with an extension, booleans as texts, and looks by its own id', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const { status, body } = await create({
      schemas: [userUrn, enterprise],
      userName: 'cat@example.org',
      active: 'True',
      externalId: 'Cat-1',
      displayName: 'Cat',
      [enterprise]: { department: 'Sales', manager: { value: '1' } },
    });
    id = body.id;
    expect([status, body.active]).toEqual([201, true]);
    expect(body[enterprise]).toBeUndefined();
    expect((await scim.find('Users', 'externalId eq "Cat-1"')).body.Resources).toEqual([expect.objectContaining({ id })]);
    expect((await scim.find('Users', 'externalId eq "cat-1"')).body.totalResults).toBe(0);
  });
  it('changes parts by paths with capitals and quotes', async () => {
    const { status, body } = await scim.operations(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.givenName', value: 'Catherine' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'Cooper' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'other@example.org' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Tools' },
      { op: 'Replace', path: 'Active', value: 'False' },
    );
    expect([status, body.displayName, body.active, body.userName]).toEqual([200, 'Catherine Cooper', false, 'cat@example.org']);
    const named = await scim.operations(`/Users/${id}`, { op: 'Replace', value: { 'name.givenName': 'Cat', active: 'True' } });
    expect(named.body).toMatchObject({ name: { givenName: 'Cat', familyName: 'Cooper' }, active: true });
    const renamed = await scim.operations(`/Users/${id}`, { op: 'Replace', path: 'userName', value: 'cc@example.org' });
    expect(renamed.body).toMatchObject({ userName: 'cc@example.org', emails: [{ value: 'cc@example.org' }] });
    const called = await scim.operations(`/Users/${id}`, { op: 'Remove', path: 'externalId' });
    expect(called.body.externalId).toBeUndefined();
  });
  it('deletes for good', async () => {
    expect((await scim.ask('delete', `/Users/${id}`)).status).toBe(204);
    expect((await scim.ask('get', `/Users/${id}`)).status).toBe(404);
    expect((await scim.ask('delete', `/Users/${id}`)).status).toBe(404);
    expect((await scim.find('Users', 'userName eq "cc@example.org"')).body.totalResults).toBe(0);
    expect((await create({ userName: 'cc@example.org' })).status).toBe(201);
  });
});

describe('a change', () => {
  it('is held to what its client has seen', async () => {
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
    for (const stale of [await rename('Bob', etag), await scim.ask('put', path, body, { 'if-match': etag })])
      expect([stale.status, stale.body.status]).toEqual([412, '412']);
    expect((await scim.ask('delete', path, undefined, { 'if-match': etag })).status).toBe(412);
    const same = await rename('Bo', '*');
    expect(same.headers['etag']).toBe(renamed.headers['etag']);
  });
  it('that is refused changes nothing of what came with it', async () => {
    const { body } = await create();
    const refused = await scim.operations(
      `/Users/${body.id}`,
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: adminEmail },
    );
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await scim.ask('get', `/Users/${body.id}`)).body).toEqual(body);
  });
  it('does not take the last Admin away, and that it was tried is on record', async () => {
    const path = `/Users/${identity.admin.userId}`;
    for (const tried of [await scim.operations(path, { op: 'replace', path: 'active', value: false }), await scim.ask('delete', path)])
      expect([tried.status, tried.body.detail]).toEqual([409, expect.stringContaining('last enabled Admin')]);
    const refusals = () => heard.filter(({ type, actor }) => type.includes('action-refused') && actor === `scim:${tokenId}`);
    await waitFor(() => refusals().some(({ data }) => (data as { code: string }).code === 'last_admin'));
    expect(refusals().at(-1)?.data).toMatchObject({ resource_type: 'user', resource_id: identity.admin.userId });
  });
  it('is said to be done by the token', async () => {
    const { body } = await create();
    await waitFor(() => heard.some(({ subject, actor }) => subject === `user-${body.id}` && actor === `scim:${tokenId}`));
  });
  it.each<[string, object, string]>([
    ['no address', { userName: 'ann' }, 'invalidValue'],
    ['another kind of name', { name: { givenName: 1 } }, 'invalidValue'],
    ['half a truth', { active: 'perhaps' }, 'invalidValue'],
    ['a short password', { password: '1234567' }, 'invalidValue'],
  ])('is refused for %s', async (_, its, scimType) => {
    const refused = await create(its);
    expect([refused.status, refused.body.scimType]).toEqual([400, scimType]);
  });
  it.each<[string, object, string]>([
    ['of what is read alone', { op: 'replace', path: 'groups', value: [] }, 'mutability'],
    ['of what can not be found', { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x' } }, 'noTarget'],
    ['by an unreadable path', { op: 'add', path: 'name..x', value: 'x' }, 'invalidPath'],
    ['by an unreadable filter', { op: 'add', path: 'emails[type is "work"].value', value: 'x' }, 'invalidFilter'],
    ['of nothing', { op: 'remove' }, 'noTarget'],
    ['of another kind', { op: 'move', path: 'active' }, 'invalidSyntax'],
  ])('is refused: an operation %s', async (_, operation, scimType) => {
    const { body } = await create();
    const refused = await scim.operations(`/Users/${body.id}`, operation);
    expect([refused.status, refused.body.scimType]).toEqual([400, scimType]);
  });
});
