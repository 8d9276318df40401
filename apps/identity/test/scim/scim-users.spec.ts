import { afterAll, describe, expect, it } from '@jest/globals';
import { scimUnderTest, userUrn } from './scim-rig.ts';

const { identity, scim } = await scimUnderTest();
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

describe('a request from Okta', () => {
  let id: string;
  it('searches for the user, and creates one with all attributes', async () => {
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
    const signedIn = (await identity.signIn('ann@example.org', 'one that Okta made up')).body;
    const elsewhere = (await identity.signIn('ann@example.org', 'one that Okta made up')).body;
    expect(signedIn.password_change_required).toBe(true);
    const off = await scim.operations(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token: signedIn.refresh_token })).status).toBe(401);
    expect((await identity.signIn('ann@example.org', 'one that Okta made up')).body.code).toBe('user_disabled');
    const on = await scim.operations(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(on.body.active).toBe(true);
    // Ended sessions stay ended, even for clients that sent nothing meanwhile.
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token: elsewhere.refresh_token })).status).toBe(401);
  });
  it('creates a disabled user, who could never sign in before being enabled', async () => {
    const { status, body } = await create({ active: false, password: 'one that Okta made up' });
    // The user has only one version, so there is no version at which the user was enabled.
    expect([status, body.active, body.meta.version]).toEqual([201, false, '"1"']);
    expect((await identity.signIn(body.userName, 'one that Okta made up')).body.code).toBe('user_disabled');
    const on = await scim.operations(`/Users/${body.id}`, { op: 'replace', value: { active: true } });
    expect(on.body.active).toBe(true);
    expect((await identity.signIn(body.userName, 'one that Okta made up')).status).toBe(200);
  });
  it('replaces the complete user, with another name and address', async () => {
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
  it('sets another password, which ends the sessions begun with the previous one', async () => {
    const { refresh_token } = (await identity.signIn('ann.baker@example.org', 'one that Okta made up')).body;
    const { status, body } = await scim.operations(`/Users/${id}`, { op: 'replace', value: { password: 'and another of them' } });
    expect([status, body.password]).toEqual([200, undefined]);
    expect((await identity.ask('post', '/auth/refresh', null, { refresh_token })).status).toBe(401);
    expect((await identity.signIn('ann.baker@example.org', 'and another of them')).body.password_change_required).toBe(true);
  });
});

describe('a request from Entra', () => {
  let id: string;
  it('creates a user with an extension and booleans as strings, and searches by its own ID', async () => {
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
  it('deletes the user permanently', async () => {
    expect((await scim.ask('delete', `/Users/${id}`)).status).toBe(204);
    expect((await scim.ask('get', `/Users/${id}`)).status).toBe(404);
    expect((await scim.ask('delete', `/Users/${id}`)).status).toBe(404);
    expect((await scim.find('Users', 'userName eq "cc@example.org"')).body.totalResults).toBe(0);
    expect((await create({ userName: 'cc@example.org' })).status).toBe(201);
  });
});
