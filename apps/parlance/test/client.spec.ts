import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance, ParlanceError, PublishedBot, textOf, type Tokens } from '@parlance/client';
import type { CreatedApiKey } from '@parlance/client/types';
import { sharedProduct, waitFor } from '@parlance/testing';
import { type BreakingProxy, breakingProxy } from './breaking-proxy.ts';
import { allOf } from './all-of.ts';
import { environment, makeUser } from './deployment.ts';

const text = (body: string) => ({ message: { content: [{ content_type: 'text' as const, body }] } });
const { url } = await sharedProduct(environment);
const user = await makeUser(url, 'client', 'Admin');

describe('@parlance/client with the product', () => {
  const began = Math.floor(Date.now() / 1_000);
  let proxy: BreakingProxy;
  let client: Parlance;
  let token = '';
  beforeAll(async () => {
    proxy = await breakingProxy(url);
    client = new Parlance({ baseUrl: url, onTokens: (tokens) => (token = tokens?.accessToken ?? '') });
    await client.signIn(user.email, user.password);
  });
  afterAll(() => proxy?.stop());

  it('signs in, refreshes once for many requests, and signs out', async () => {
    const received: (Tokens | null)[] = [];
    const single = new Parlance({ baseUrl: url, onTokens: (tokens) => received.push(tokens) });
    expect((await single.signIn(user.email, user.password)).email).toBe(user.email);
    const expired = { ...received[0]!, expiresAt: 0 };
    const two = new Parlance({ baseUrl: url, tokens: expired, onTokens: (tokens) => received.push(tokens) });
    const me = await Promise.all(Array.from({ length: 20 }, () => two.me()));
    expect([new Set(me.map(({ email }) => email)), received.length]).toEqual([new Set([user.email]), 2]);
    await two.signOut();
    await expect(two.me()).rejects.toMatchObject({ code: 'signed_out' });
    const late = new Parlance({ baseUrl: url, tokens: received[1]! });
    await expect(late.me()).rejects.toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('reports a refusal with its code and its fields', async () => {
    const refused = await client.bots.create({ title: '' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ParlanceError);
    expect(refused).toMatchObject({ status: 400, code: 'invalid_body', errors: [{ path: 'title' }], requestId: expect.any(String) });
    await expect(client.bots.get('01ARZ3NDEKTSV4RRFFQ69G5FAV')).rejects.toMatchObject({ status: 404, code: 'bot_not_found' });
  });

  it('streams a reply, resumes it after any event, and waits for a reply', async () => {
    const events = await allOf(client.conversations.stream(text('What is a stream?')));
    expect(events.map(({ event }) => event)).toEqual(['start', 'delta', 'done']);
    const [start] = events;
    if (start?.event !== 'start') throw new Error('The first event is the start.');
    const { conversation_id, message_id } = start.data;
    expect(await allOf(client.conversations.follow(conversation_id, message_id))).toEqual(events);
    const lastEventId = start.id;
    expect(await allOf(client.conversations.follow(conversation_id, message_id, { lastEventId }))).toEqual(events.slice(1));
    const waited = await client.conversations.ask({ ...text('And waiting?'), conversation_id });
    expect([waited.status, waited.conversation_id]).toEqual(['completed', conversation_id]);
  });

  it('returns one reply from a stream whose connections break at any position', async () => {
    const through = new Parlance({ baseUrl: proxy.url, accessToken: () => token });
    const ask = () => through.conversations.stream(text('How long is a piece of string?')).finished();
    await ask();
    const totalBytes = proxy.passed();
    const before = (await allOf(client.conversations.list())).length;
    const places = Array.from({ length: 8 }, (_, index) => 1 + Math.floor((totalBytes * index) / 8));
    for (const position of places) {
      proxy.breakAfter(position);
      const reply = await ask();
      expect(proxy.cuts).toEqual([]);
      const { message, status } = await client.conversations.wait(reply.conversationId, reply.messageId);
      expect([status, message.content]).toEqual(['completed', [{ content_type: 'text', body: reply.text }]]);
    }
    expect(await allOf(client.conversations.list())).toHaveLength(before + places.length);
  });

  it('creates one bot although answers are lost', async () => {
    const through = new Parlance({ baseUrl: proxy.url, accessToken: () => token });
    proxy.breakAfter(1, 100);
    const { id } = await through.bots.create({ title: 'Lost and found' });
    const found = (await allOf(client.bots.list())).filter(({ title }) => title === 'Lost and found');
    expect(found.map((bot) => bot.id)).toEqual([id]);
  });

  it('uploads knowledge and waits until the bot uses it in an answer', async () => {
    const bot = await client.bots.create({ title: 'Workshop' });
    await client.bots.upload(bot.id, 'leave.txt', 'text/plain', 'Each apprentice has thirty days of leave in a year.');
    await client.bots.change(bot.id, { knowledge: { added_filenames: ['leave.txt'] } });
    expect(await client.bots.synced(bot.id)).toMatchObject({ sync_status: 'SUCCEEDED', chunks_in_service: 1 });
    const reply = await client.conversations.stream({ bot_id: bot.id, ...text('How many days of leave?') }).finished();
    expect(reply.text).toContain('thirty days of leave');
    expect(reply.citations).toEqual([expect.objectContaining({ source: 'leave.txt' })]);
    await client.bots.change(bot.id, { knowledge: { added_filenames: ['never-sent.txt'] } });
    await expect(client.bots.synced(bot.id)).rejects.toMatchObject({ code: 'sync_failed', message: expect.stringContaining('never-sent') });
  });

  describe('and a published bot', () => {
    let botId: string;
    let endpoint: string;
    let key: CreatedApiKey;
    let bot: PublishedBot;
    beforeAll(async () => {
      botId = (await client.bots.create({ title: 'Lantern' })).id;
      await client.bots.share(botId, { target_shared_scope: 'all' });
      const published = await client.bots.publish(botId, { allowed_origins: ['*'], throttle: { rate_limit: 6, burst_limit: 20 } });
      endpoint = new URL(published.endpoint ?? '').pathname;
      key = await client.bots.createKey(botId, { description: 'Pier' });
      bot = new PublishedBot({ endpoint: `${url}${endpoint}`, apiKey: key.value });
    });

    it('reports why a bot cannot be published', async () => {
      const { id } = await client.bots.create({ title: 'Private' });
      await expect(client.bots.publish(id, { allowed_origins: ['*'] })).rejects.toMatchObject({ code: 'bot_not_public' });
    });
    it('sends a message, reads the conversation and removes it', async () => {
      const reply = await bot.ask(text('What can you do?'));
      expect([reply.status, textOf(reply.message)]).toEqual(['completed', expect.stringContaining('offline model')]);
      const { conversation_id } = reply;
      const second = await bot.stream({ ...text('And now?'), conversation_id }).finished();
      expect(second.conversationId).toBe(conversation_id);
      expect(Object.keys((await bot.conversation(conversation_id)).message_map)).toHaveLength(4);
      await expect(client.conversations.get(conversation_id)).rejects.toMatchObject({ code: 'conversation_not_found' });
      expect((await bot.delete(conversation_id)).removed.messages).toBe(4);
      await expect(bot.conversation(conversation_id)).rejects.toMatchObject({ status: 404 });
    });
    it('returns one reply from a stream whose connections break', async () => {
      const through = new PublishedBot({ endpoint: `${proxy.url}${endpoint}`, apiKey: key.value });
      for (const position of [1, 700, 1_500]) {
        proxy.breakAfter(position);
        const reply = await through.stream(text('How long is a piece of string?')).finished();
        expect(textOf((await bot.wait(reply.conversationId, reply.messageId)).message)).toBe(reply.text);
        expect(Object.keys((await bot.conversation(reply.conversationId)).message_map)).toHaveLength(2);
      }
    });
    it('waits for the time that the throttle returns', async () => {
      const statuses: number[] = [];
      const counted: typeof fetch = async (...request) => {
        const answer = await fetch(...request);
        statuses.push(answer.status);
        return answer;
      };
      const eager = new PublishedBot({ endpoint: `${url}${endpoint}`, apiKey: key.value, fetch: counted });
      const { conversation_id } = await eager.ask(text('What can you do?'));
      const answers = await Promise.all(Array.from({ length: 26 }, () => eager.conversation(conversation_id)));
      expect(new Set(answers.map((each) => each.conversation_id))).toEqual(new Set([conversation_id]));
      expect(statuses).toContain(429);
    });
    it('counts the requests for its owner', async () => {
      const counted = async () => JSON.stringify(await client.bots.publicationUsage(botId)).includes(key.id);
      await waitFor(counted, { what: 'the usage of the key' });
    });
    it('reports that a revoked key is refused', async () => {
      expect((await allOf(client.bots.keys(botId))).map(({ id }) => id)).toEqual([key.id]);
      await client.bots.revokeKey(botId, key.id);
      await expect(bot.ask(text('Hello?'))).rejects.toMatchObject({ status: 403, code: 'invalid_api_key' });
      await client.bots.unpublish(botId);
      await expect(client.bots.publication(botId)).rejects.toMatchObject({ code: 'not_published' });
    });
  });

  it('lists users, groups, costs and the audit log of an administrator, page after page', async () => {
    const created = await client.admin.createUser({ email: 'ida@example.org', first_name: 'Ida', last_name: 'Noor' });
    expect(created.temporary_password).toEqual(expect.any(String));
    expect((await client.admin.addToGroup(created.user_id, 'CreatingBotAllowed')).groups).toContain('CreatingBotAllowed');
    const { etag } = await client.api.request('get', '/admin/users/{userId}', { path: { userId: created.user_id } });
    await client.admin.changeUser(created.user_id, { first_name: 'Ada' }, { ifMatch: etag! });
    const stale = client.admin.changeUser(created.user_id, { first_name: 'Eda' }, { ifMatch: etag! });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'version_stale' });
    expect((await allOf(client.admin.groups())).map(({ name }) => name)).toContain('Admin');
    const me = await client.me();
    let total_cost = 0;
    await waitFor(
      async () => {
        total_cost = (await client.usage()).total_cost;
        const { top_users } = await client.admin.costs({ top_n: 100 });
        return total_cost > 0 && top_users.find(({ user_id }) => user_id === me.user_id)?.total_cost === total_cost;
      },
      { what: 'the costs' },
    );
    expect((await allOf(client.admin.users({ prefix: 'client' }))).map(({ user_id }) => user_id)).toEqual([me.user_id]);
    expect((await client.admin.userCosts(me.user_id)).periods.at(-1)).toMatchObject({ total_cost });
    expect(await allOf(client.admin.userConversations(me.user_id))).toHaveLength((await allOf(client.conversations.list())).length);
    const until = { start_time: began, end_time: Math.floor(Date.now() / 1_000) - 1 };
    const entries = await allOf(client.admin.auditLog(until));
    expect(await allOf(client.admin.auditLog({ ...until, limit: 7 }))).toEqual(expect.arrayContaining(entries));
    expect((await client.admin.eraseUser(created.user_id)).user_id).toBe(created.user_id);
  });
});
