import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { sharedProduct, waitFor } from '@parlance/testing';
import { environment, makeUser } from './deployment.ts';

interface Entry {
  readonly action_type: string;
  readonly resource_id: string;
  readonly success: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

const { url } = await sharedProduct(environment);
const { id: userId, token: session } = await makeUser(url, 'tokens', 'Admin');

describe('a personal access token of the product', () => {
  const call = async (method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  const make = async (...scopes: string[]) =>
    (await call('POST', '/user/me/tokens', session, { description: 'Script', scopes })).body as { token: string; token_id: string };

  it('is named in the audit entries of its successful and refused requests', async () => {
    const [writing, reading] = [await make('admin:write'), await make('admin:read')];
    expect((await call('POST', '/admin/groups', writing.token, { name: 'Robots' })).status).toBe(201);
    expect((await call('POST', '/admin/groups', reading.token, { name: 'Others' })).body.code).toBe('scope_missing');
    const entries = async () =>
      (await call('GET', `/admin/audit-logs?action_type=create_group&user_id=${userId}`, reading.token)).body.audit_logs as Entry[];
    await waitFor(async () => (await entries()).length >= 2, { what: 'both entries' });
    const audited = (await entries()).map(({ success, details }) => [success, details['token_id']]);
    expect(audited.toSorted()).toEqual(
      [
        [false, reading.token_id],
        [true, writing.token_id],
      ].toSorted(),
    );
    expect(JSON.stringify(await entries())).not.toContain('pat_');
  });
  it('has the rights of its user until a request that revokes them is answered', async () => {
    const user = await makeUser(url, 'tokens-of-another', 'Admin');
    const wish = { description: 'Mine', scopes: ['admin:read', 'chat'] };
    const { token } = (await call('POST', '/user/me/tokens', user.token, wish)).body;
    const code = async (path: string) => {
      const { status, body } = await call('GET', path, token);
      return body?.code ?? status;
    };
    expect([await code('/admin/groups'), await code('/user/me')]).toEqual([200, 200]);
    await call('DELETE', `/admin/users/${user.id}/groups/Admin`, session);
    expect([await code('/admin/groups'), await code('/user/me')]).toEqual(['group_required', 200]);
    await call('PATCH', `/admin/users/${user.id}`, session, { enabled: false });
    expect(await code('/user/me')).toBe('invalid_token');
  });
  it('cannot approve tool calls without the scope for approvals', async () => {
    const [chatting, approving] = [await make('chat'), await make('approve')];
    const decide = async (token: string) =>
      (await call('POST', `/conversation/${newId()}/${newId()}/tool-calls/${newId()}`, token, { approve: true })).body.code;
    expect([await decide(chatting.token), await decide(approving.token)]).toEqual(['scope_missing', 'message_not_found']);
  });
  it('cannot create or revoke tokens', async () => {
    const { token, token_id } = await make(
      'chat',
      'approve',
      'bots:read',
      'bots:write',
      'publish',
      'models',
      'admin:read',
      'admin:write',
      'exports:read',
    );
    const answers = [
      await call('POST', '/user/me/tokens', token, { description: 'More', scopes: ['chat'] }),
      await call('PATCH', `/user/me/tokens/${token_id}`, token, { models: [] }),
      await call('DELETE', `/user/me/tokens/${token_id}`, token),
      await call('GET', '/auth/sessions', token),
      await call('POST', '/auth/sign-out', token),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'token_not_allowed']));
  });
});
