import { describe, expect, it } from '@jest/globals';
import { sharedProduct } from '@parlance/testing';
import { environment, makeUser } from './deployment.ts';

type Json = Record<string, unknown>;

const { url } = await sharedProduct(environment);
const { token, password } = await makeUser(url, 'camel', 'Admin');

describe('camelCase at the routes of the product', () => {
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json; case=camel',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };

  it('is accepted and returned by retention rules', async () => {
    const rule = { inactiveDays: 30, appliesTo: 'all', enabled: false };
    const { status, body } = await ask('POST', '/admin/retention', rule);
    expect([status, body]).toEqual([201, expect.objectContaining({ ...rule, botId: null, createTime: expect.any(Number) })]);
  });

  it('is accepted and returned by holds', async () => {
    const { body: user } = await ask('POST', '/admin/users', { email: 'camel-held@example.org', firstName: 'He', lastName: 'Ld' });
    const { status, body } = await ask('POST', '/admin/holds', { userId: user['userId'], reason: 'A case.' });
    expect([status, body]).toEqual([201, expect.objectContaining({ userId: user['userId'], botId: null, placedBy: expect.any(String) })]);
  });

  it('is accepted and returned by personal access tokens', async () => {
    const wish = { description: 'Script', scopes: ['chat'], allowedIpRanges: ['192.0.2.0/24'] };
    const { status, body } = await ask('POST', '/user/me/tokens', wish);
    expect([status, body]).toEqual([201, expect.objectContaining({ tokenId: expect.any(String), allowedIpRanges: wish.allowedIpRanges })]);
  });

  it('is returned by exports of own data', async () => {
    const { status, body } = await ask('POST', '/user/me/export');
    const expected = { exportId: expect.any(String), requestedBy: 'user', totalConversations: null, readyTime: null };
    expect([status, body]).toEqual([202, expect.objectContaining(expected)]);
  });

  it('is accepted in the query of an import and returned in its answer, but is not converted in the file', async () => {
    const file = { format: 'parlance-conversation/1', source_id: 'one', sourceId: 'two' };
    const { status, body } = await ask('POST', '/conversations/imports?dryRun=true', file);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ dryRun: true, isComplete: true, leftOut: [expect.objectContaining({ sourceId: expect.any(String) })] }),
    ]);
  });

  describe('keeps the names of WebAuthn', () => {
    const response = { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] };
    const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {}, response };
    const confirm = (passkey: object) => ask('POST', '/user/me/factors/passkeys/confirm', { name: 'Laptop', credential: passkey });

    it('in the options of a passkey, beside names of the product', async () => {
      const { status, body } = await ask('POST', '/user/me/factors/passkeys', { currentPassword: password });
      expect([status, Object.keys(body).toSorted()]).toEqual([201, ['factorId', 'options']]);
      const names = ['authenticatorSelection', 'challenge', 'excludeCredentials', 'pubKeyCredParams', 'rp', 'user'];
      expect(Object.keys(body['options'] as Json)).toEqual(expect.arrayContaining(names));
    });

    it('in a passkey that an authenticator has created', async () => {
      expect((await confirm(credential)).body['code']).toBe('invalid_passkey');
      const renamed = { clientDataJSON: 'e30', attestation_object: 'oA' };
      expect((await confirm({ ...credential, response: renamed })).body['code']).toBe('invalid_body');
    });

    it('in the options and the answer of a sign-in', async () => {
      const { body } = await ask('POST', '/auth/passkeys/options');
      expect(Object.keys(body).toSorted()).toEqual(['challengeToken', 'options']);
      expect(Object.keys(body['options'] as Json)).toEqual(expect.arrayContaining(['allowCredentials', 'rpId', 'userVerification']));
      const assertion = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' };
      const signIn = { challengeToken: body['challengeToken'], passkey: { ...credential, response: assertion } };
      expect((await ask('POST', '/auth/passkeys', signIn)).body['code']).toBe('wrong_passkey');
    });
  });
});
