import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedProduct, waitFor } from '@parlance/testing';
import { environment, makeUser, tokenOf } from './deployment.ts';

// The answers have no types, because the test checks their fields.
type Answered = any; // oxlint-disable-line no-explicit-any
interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

const text = (body: string) => ({ message: { content: [{ content_type: 'text', body }] } });

const { url: product } = await sharedProduct(environment);

describe('a published bot in the product', () => {
  let root = '';
  let owner = '';
  let botId = '';
  let endpoint = '';
  let key: { readonly id: string; readonly value: string };

  const call = async (method: string, url: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(url.startsWith('http') ? url : `${product}${url}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const content = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text: content,
      body: (content.startsWith('{') ? JSON.parse(content) : null) as Answered,
    };
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const user = (method: string, path: string, body?: object) => call(method, path, as(owner), body);
  const program = (method: string, rest: string, body?: object, more: Record<string, string> = {}) =>
    call(method, `${endpoint}${rest}`, { 'x-api-key': key.value, ...more }, body);
  const newKey = async (description: string) => (await user('POST', `/bot/${botId}/publication/api-key`, { description })).body;
  const finished = async ({ conversation_id, message_id }: Place) => {
    const read = () => program('GET', `/conversation/${conversation_id}/${message_id}`);
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    return (await read()).body;
  };

  beforeAll(async () => {
    root = (await makeUser(product, 'api-admin', 'Admin')).token;
    owner = (await makeUser(product, 'api-owner', 'CreatingBotAllowed', 'PublishAllowed')).token;
    botId = (await user('POST', '/bot', { title: 'Guide', instruction: 'Be brief.' })).body.id;
    await user('PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'all' });
    await user('POST', `/bot/${botId}/publication`, { allowed_origins: ['*'], quota: { limit: 1_000, period: 'DAY' } });
    const publication = async () => (await user('GET', `/bot/${botId}/publication`)).body;
    await waitFor(async () => (await publication()).codebuild_status === 'SUCCEEDED', { what: 'the deployment' });
    endpoint = (await publication()).endpoint;
    key = await newKey('Shop');
  });

  it('answers a message, and its reply can be polled, waited for and streamed', async () => {
    const { status, body } = await program('POST', '/conversation', text('What is a table?'));
    expect([status, (await finished(body)).status]).toEqual([202, 'completed']);
    const { conversation_id } = body;
    const waited = await program('POST', '/conversation', { ...text('And a chair?'), conversation_id }, { prefer: 'wait=20' });
    expect([waited.status, waited.body.conversation_id]).toEqual([200, conversation_id]);
    const streamed = await program('POST', '/conversation', text('And a lamp?'), { accept: 'text/event-stream' });
    expect([streamed.headers.get('content-type'), streamed.text.split('\n')[1]]).toEqual([
      'text/event-stream; charset=utf-8',
      'event: start',
    ]);
    expect(streamed.text).toContain('event: done');
    const conversation = await program('GET', `/conversation/${conversation_id}`);
    expect(Object.keys(conversation.body.message_map)).toHaveLength(4);
  });

  it('answers a prediction', async () => {
    const { status, body } = await program('POST', '/predict', { message: 'What is rain?', max_tokens: 50 });
    expect([status, body.status]).toEqual([202, 'processing']);
    const result = () => program('GET', `/result/${body.request_id}`);
    await waitFor(async () => (await result()).body.status === 'completed', { what: 'the result' });
    expect((await result()).body).toMatchObject({ request_id: body.request_id, response: expect.any(String) });
  });

  it('gives the same answer to a repeated request', async () => {
    const repeatKey = { 'idempotency-key': 'order-7' };
    const [one, two] = [
      await program('POST', '/conversation', text('Once'), repeatKey),
      await program('POST', '/conversation', text('Once'), repeatKey),
    ];
    expect([one.status, two.body]).toEqual([202, one.body]);
  });

  it('has no conversations in the list of its owner, who is charged', async () => {
    const { body } = await program('POST', '/conversation', text('Whose is this?'));
    await finished(body);
    expect((await user('GET', `/conversation/${body.conversation_id}`)).body.code).toBe('conversation_not_found');
    expect((await user('GET', '/conversations')).body.conversations).toEqual([]);
    const cost = async () => (await user('GET', '/user/me/usage')).body.by_key[key.id] ?? 0;
    await waitFor(async () => (await cost()) > 0, { what: 'the cost of the key' });
    const summary = (await call('GET', '/admin/costs/summary?top_n=100', as(root))).body;
    const keys = summary.by_key as { api_key_id: string; bot_id: string; total_cost: number }[];
    expect(keys.filter(({ bot_id }) => bot_id === botId)).toEqual([expect.objectContaining({ api_key_id: key.id })]);
    const nano = (dollars: number) => Math.round(dollars * 1e9);
    expect(nano(summary.total_cost_by_keys)).toBe(keys.reduce((sum, { total_cost }) => sum + nano(total_cost), 0));
  });

  it('refuses a revoked key, and continues with another one in the same conversation', async () => {
    const { conversation_id, message_id } = (await program('POST', '/conversation', text('Before'))).body as Place;
    await finished({ conversation_id, message_id });
    const before = key;
    key = await newKey('Web site');
    expect((await user('DELETE', `/bot/${botId}/publication/api-key/${before.id}`)).status).toBe(204);
    const refused = await program('POST', '/conversation', text('After'), { 'x-api-key': before.value });
    expect([refused.status, refused.body.code]).toEqual([403, 'invalid_api_key']);
    const next = await program('POST', '/conversation', { ...text('After'), conversation_id }, { prefer: 'wait=20' });
    expect([next.status, next.body.conversation_id]).toEqual([200, conversation_id]);
    expect(Object.keys((await program('GET', `/conversation/${conversation_id}`)).body.message_map)).toHaveLength(4);
  });

  it('keeps working after its owner has left PublishAllowed and cannot change it, until an administrator ends it', async () => {
    const { user_id } = (await user('GET', '/user/me')).body;
    await call('DELETE', `/admin/users/${user_id}/groups/PublishAllowed`, as(root));
    const former = as(await tokenOf(product, { email: 'api-owner@example.org', password: 'correct horse battery' }));
    const publication = `/bot/${botId}/publication`;
    const changes = [
      await call('POST', `${publication}/api-key`, former, { description: 'More' }),
      await call('PATCH', publication, former, { quota: null }),
      await call('DELETE', publication, former),
    ];
    expect(changes.map(({ body }) => body.code)).toEqual(['group_required', 'group_required', 'group_required']);
    expect((await program('POST', '/conversation', text('Still there?'))).status).toBe(202);
    expect((await call('PATCH', `${publication}/api-key/${key.id}`, as(root), { enabled: false })).status).toBe(200);
    expect((await program('POST', '/conversation', text('Still there?'))).body.code).toBe('invalid_api_key');
    await call('PATCH', `${publication}/api-key/${key.id}`, as(root), { enabled: true });
    await call('PUT', `/admin/users/${user_id}/groups/PublishAllowed?confirm_unverified=true`, as(root));
  });

  it('is removed with its publication, and so are its conversations', async () => {
    const { user_id } = (await user('GET', '/user/me')).body;
    const conversations = async () => (await call('GET', `/admin/users/${user_id}/conversations`, as(root))).body.conversations;
    expect((await conversations()).length).toBeGreaterThan(3);
    expect((await conversations())[0]).toMatchObject({ bot_id: botId, bot_title: 'Guide' });
    expect((await user('DELETE', `/bot/${botId}/publication`)).status).toBe(204);
    const refused = await program('POST', '/conversation', text('After'));
    expect([refused.status, refused.body.code]).toEqual([404, 'not_published']);
    await waitFor(async () => (await conversations()).length === 0, { what: 'the conversations to go' });
  });
});
