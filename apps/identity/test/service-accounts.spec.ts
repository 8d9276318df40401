import { afterAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { identityUnderTest, password } from './people.ts';

const identity = await identityUnderTest();
await identity.asAdmin('post', '/admin/groups', { name: 'Robots' });
afterAll(() => identity.stop());

const make = async (group = 'Robots') => (await identity.asAdmin('post', '/admin/service-accounts', { name: 'Importer', group })).body;
const tokenOf = async (id: string) =>
  (await identity.asAdmin('post', `/admin/service-accounts/${id}/tokens`, { description: 'CI', scopes: ['chat'] })).body;
const resolve = async (tokenId: string) =>
  (await request(identity.server).get(`/internal/personal-tokens/${tokenId}`).set(identity.asService('edge'))).body;

describe('a service account', () => {
  it('is created by administrators for a group, and listed', async () => {
    const account = await make();
    expect(account).toMatchObject({ name: 'Importer', group: 'Robots', groups: ['Robots'], enabled: true });
    expect((await identity.asAdmin('get', '/admin/service-accounts')).body.service_accounts).toContainEqual(account);
    const answer = await identity.ask('post', '/admin/service-accounts', { userId: 'ann' }, { name: 'Mine', group: 'Robots' });
    expect(answer.body.code).toBe('group_required');
    expect((await identity.asAdmin('post', '/admin/service-accounts', { name: 'X', group: 'Nobody' })).body.code).toBe('group_unknown');
  });
  it('acts for its group with a token, until it is disabled or deleted', async () => {
    const { id } = await make();
    const { token, ...row } = await tokenOf(id);
    expect(token).toMatch(/^pat_/);
    expect(row).toMatchObject({ user_id: id, created_by: identity.admin.userId });
    expect((await identity.asAdmin('get', `/admin/service-accounts/${id}/tokens`)).body.tokens).toEqual([row]);
    expect(await resolve(row.token_id)).toMatchObject({ user_id: id, usable: true, groups: ['Robots'] });
    expect((await identity.asAdmin('patch', `/admin/service-accounts/${id}`, { enabled: false, name: 'Old' })).body).toMatchObject({
      enabled: false,
      name: 'Old',
    });
    expect(await resolve(row.token_id)).toMatchObject({ usable: false });
    expect((await identity.asAdmin('delete', `/admin/service-accounts/${id}`)).status).toBe(200);
    expect(await resolve(row.token_id)).toMatchObject({ code: 'token_not_found' });
    expect((await identity.asAdmin('get', '/admin/service-accounts')).text).not.toContain(id);
  });
  it('is neither changed nor deleted when another administrator has changed it meanwhile', async () => {
    const made = await identity.asAdmin('post', '/admin/service-accounts', { name: 'Importer', group: 'Robots' });
    const path = `/admin/service-accounts/${made.body.id}`;
    const changed = await identity.asAdmin('patch', path, { name: 'Exporter' }).set('if-match', made.headers['etag']!);
    expect([changed.status, changed.body.name]).toEqual([200, 'Exporter']);
    for (const method of ['patch', 'delete'] as const) {
      const stale = await identity.asAdmin(method, path, { enabled: false }).set('if-match', made.headers['etag']!);
      expect([method, stale.status, stale.body.code]).toEqual([method, 412, 'version_stale']);
    }
    const shown = await identity.asAdmin('get', `/admin/users/${made.body.id}`);
    expect([shown.body.enabled, shown.headers['etag']]).toEqual([true, changed.headers['etag']]);
    expect((await identity.asAdmin('delete', path).set('if-match', changed.headers['etag']!)).status).toBe(200);
  });
  it('has no rights when its group is deleted', async () => {
    await identity.asAdmin('post', '/admin/groups', { name: 'Short' });
    const { id } = await make('Short');
    const { token_id } = await tokenOf(id);
    await identity.asAdmin('put', `/admin/users/${id}/groups/Robots`);
    expect(await resolve(token_id)).toMatchObject({ usable: true });
    await identity.asAdmin('delete', '/admin/groups/Short');
    expect(await resolve(token_id)).toMatchObject({ usable: false, groups: [] });
  });
  it('has no rights in a later group of the same name', async () => {
    await identity.asAdmin('post', '/admin/groups', { name: 'Again' });
    const { id } = await make('Again');
    const { token_id } = await tokenOf(id);
    await identity.asAdmin('delete', '/admin/groups/Again');
    await waitFor(async () => (await identity.asAdmin('post', '/admin/groups', { name: 'Again' })).status === 201, {
      what: 'the new group',
    });
    expect(await resolve(token_id)).toMatchObject({ usable: false, groups: [] });
    await identity.asAdmin('put', `/admin/users/${id}/groups/Again`);
    expect(await resolve(token_id)).toMatchObject({ usable: false, groups: [] });
    expect((await tokenOf(id)).code).toBe('owner_group_deleted');
    const { token_id: newest } = await tokenOf((await make('Again')).id);
    expect(await resolve(newest)).toMatchObject({ usable: true, groups: ['Again'] });
  });
  it('loses a token that is revoked', async () => {
    const { id } = await make();
    const { token_id } = await tokenOf(id);
    const other = await make();
    expect((await identity.asAdmin('delete', `/admin/service-accounts/${other.id}/tokens/${token_id}`)).body.code).toBe('token_not_found');
    expect((await identity.asAdmin('delete', `/admin/service-accounts/${id}/tokens/${token_id}`)).status).toBe(204);
    expect((await identity.asAdmin('get', `/admin/service-accounts/${id}/tokens`)).body.tokens).toEqual([]);
  });
  it('cannot sign in, and gets no password', async () => {
    const { id } = await make();
    const { email } = (await identity.asAdmin('get', `/admin/users/${id}`)).body;
    const signIn = await identity.ask('post', '/auth/sign-in', null, { email, password });
    expect([signIn.status, signIn.body.code]).toEqual([401, 'wrong_credentials']);
    const reset = await identity.asAdmin('post', `/admin/users/${id}/password-reset`);
    expect([reset.status, reset.body.code]).toEqual([409, 'service_account']);
  });
  it('does not count as the last Admin', async () => {
    await make('Admin');
    const refused = await identity.asAdmin('delete', `/admin/users/${identity.admin.userId}/groups/Admin`);
    expect([refused.status, refused.body.code]).toEqual([409, 'last_admin']);
  });
  it('is required by these routes: other users are not found', async () => {
    const path = `/admin/service-accounts/${identity.admin.userId}`;
    const answers = [
      await identity.asAdmin('patch', path, { enabled: false }),
      await identity.asAdmin('delete', path),
      await identity.asAdmin('get', `${path}/tokens`),
      await identity.asAdmin('post', `${path}/tokens`, { description: 'Not mine', scopes: ['chat'] }),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(4).fill('service_account_not_found'));
  });
});
