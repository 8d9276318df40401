import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { sharedProduct, waitFor } from '@parlance/testing';
import { environment, makeUser, tokenOf } from './deployment.ts';

const { url } = await sharedProduct(environment);
const { token: admin } = await makeUser(url, 'addresses-admin', 'Admin');
const user = await makeUser(url, 'addresses', 'CreatingBotAllowed');

describe('signed addresses of the product', () => {
  const call = async (method: string, path: string, token: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return text === '' ? null : JSON.parse(text);
  };
  const uploadAddress = async (token: string) =>
    (await call('GET', `/bot/${newId()}/presigned-url?filename=a.txt&content_type=text/plain`, token)).url;
  const upload = async (to: string) => {
    const answer = await fetch(to, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' });
    return answer.status === 200 ? 200 : ((await answer.json()) as { code: string }).code;
  };

  it('are invalid after the sign-out of their session is answered, for own data and for uploads', async () => {
    const session = await tokenOf(url, user);
    await call('POST', '/user/me/export', session);
    await waitFor(async () => (await call('GET', '/user/me/export', session)).status === 'ready', { what: 'the export' });
    const own = (await call('GET', '/user/me/export', session)).url;
    const to = await uploadAddress(session);
    expect([(await fetch(own)).status, await upload(to)]).toEqual([200, 200]);
    await call('POST', '/auth/sign-out', session);
    expect([((await (await fetch(own)).json()) as { code: string }).code, await upload(to)]).toEqual([
      'address_revoked',
      'address_revoked',
    ]);
    // Another session of the user gets a different address for the same file.
    expect((await fetch((await call('GET', '/user/me/export', user.token)).url)).status).toBe(200);
  });

  it('are invalid after the revocation of their access token', async () => {
    const { token, token_id } = await call('POST', '/user/me/tokens', user.token, { description: 'Script', scopes: ['bots:write'] });
    const to = await uploadAddress(token);
    expect(await upload(to)).toBe(200);
    await call('DELETE', `/user/me/tokens/${token_id}`, user.token);
    expect(await upload(to)).toBe('address_revoked');
  });

  it('are invalid after their user is disabled', async () => {
    const { token } = await call('POST', '/user/me/tokens', user.token, { description: 'Script', scopes: ['bots:write'] });
    const addresses = [await uploadAddress(user.token), await uploadAddress(token)];
    for (const to of addresses) expect(await upload(to)).toBe(200);
    await call('PATCH', `/admin/users/${user.id}`, admin, { enabled: false });
    for (const to of addresses) expect(await upload(to)).toBe('address_revoked');
  });
});
