import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { withUnrecordedReads } from './unrecorded-reads.ts';
import { enterTitles } from './titles.ts';

const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

describe('when a user is erased', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const figures = async () => (await request(service.server).get('/admin/costs/summary').set(service.as('root', 'Admin'))).body;
  const audit = async () =>
    (await request(service.server).get('/admin/audit-logs?resource_type=user').set(service.as('root', 'Admin'))).body.audit_logs;
  const signedIn = async (userId: string) =>
    service.hear('parlance.identity.signed-in.v1', `session-${userId}`, { user_id: userId, session_id: userId });
  const verdict = async () => (await request(service.server).get('/admin/audit-logs/verify').set(service.as('root', 'Admin'))).body;
  const erase = async (user_id: string) =>
    (await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id })).body;
  const registered = async (userId: string, id?: string) => {
    const [email, first_name] = await Promise.all([keys.seal(userId, `${userId}@example.org`), keys.seal(userId, userId)]);
    const data = { user_id: userId, email, first_name, last_name: first_name, groups: [] };
    await service.hear('parlance.identity.user-registered.v1', `user-${userId}`, data, id);
  };
  let lateEmail: string;
  /** Titles that the bots service returns. */
  const titles: Record<string, string> = { 'bot-of-ann': 'Guide of ann', 'bot-of-ben': 'Guide of ben' };
  const created = (botId: string, owner: string) =>
    service.hear('parlance.bots.bot-created.v1', `bot-${botId}`, { bot_id: botId, owner_user_id: owner });
  const charged = (userId: string, botId: string, cost: number) =>
    service.hear('parlance.inference.reply-completed.v1', `conversation-${userId}`, {
      conversation_id: `c-${userId}`,
      reply_id: 'r',
      user_id: userId,
      bot_id: botId,
      model: 'm',
      usage,
      cost_nano_dollars: cost,
    });
  const names = async () => {
    const { top_users, top_bots } = await figures();
    return [top_users.map((user: { email: string }) => user.email), top_bots.map((bot: { title: string }) => bot.title)];
  };
  const named = (...expected: unknown[]) =>
    waitFor(async () => JSON.stringify(await names()) === JSON.stringify(expected), { what: JSON.stringify(expected) });

  beforeAll(async () => {
    service = await serviceUnderTest(withUnrecordedReads);
    await keys.enter(service.host);
    await enterTitles(service.host, titles);
    lateEmail = await keys.seal('ann', 'late@example.org');
    for (const [userId, cost] of [
      ['ann', 2_000],
      ['ben', 1_000],
    ] as const) {
      await registered(userId);
      await created(`bot-of-${userId}`, userId);
      await charged(userId, `bot-of-${userId}`, cost);
    }
    await named(['ann@example.org', 'ben@example.org'], ['Guide of ann', 'Guide of ben']);
  });
  afterAll(() => service.stop());

  it('(before that, a new address replaces the old one)', async () => {
    const email = await keys.seal('ann', 'ann@example.com');
    await service.hear('parlance.identity.user-email-changed.v1', 'user-ann', { user_id: 'ann', email });
    await named(['ann@example.com', 'ben@example.org'], ['Guide of ann', 'Guide of ben']);
  });
  it('names are removed, and figures and entries stay', async () => {
    await waitFor(async () => (await audit()).length === 3, { what: 'the entries' });
    const [before, entries] = [await figures(), await audit()];
    await keys.erase('ann');
    expect(await erase('ann')).toEqual({ service: 'analytics', removed: { emails: 1 } });
    delete titles['bot-of-ann'];
    expect(await names()).toEqual([
      [null, 'ben@example.org'],
      [null, 'Guide of ben'],
    ]);
    const after = await figures();
    expect([after.total_cost, after.top_users[0].total_cost, after.top_bots[0].total_cost]).toEqual([0.000003, 0.000002, 0.000002]);
    expect(after.by_model).toEqual(before.by_model);
    // Names are looked up when entries are read.
    const nameless = (entry: { resource_id: string }) => (entry.resource_id === 'ann' ? { ...entry, resource_name: null } : entry);
    expect(await audit()).toEqual(entries.map(nameless));
  });
  it('and the IP addresses are removed, from an audit log that stays intact', async () => {
    for (const user of ['dan', 'eve']) await signedIn(user);
    const addresses = async () => {
      const signIns = (await audit()).filter((entry: { action_type: string }) => entry.action_type === 'sign_in');
      return Object.fromEntries(signIns.map((entry: { user_id: string; ip_address: string }) => [entry.user_id, entry.ip_address]));
    };
    await waitFor(async () => Object.keys(await addresses()).length === 2, { what: 'both entries' });
    expect(await addresses()).toEqual({ dan: '203.0.113.9', eve: '203.0.113.9' });
    await keys.erase('dan');
    await erase('dan');
    expect(await addresses()).toEqual({ dan: null, eve: '203.0.113.9' });
    expect(await verdict()).toMatchObject({ valid: true, first_broken: null });
  });
  it('the receipt stays the same, however often it is requested', async () => {
    await service.hear('parlance.identity.user-erased.v1', 'user-ann', { user_id: 'ann' });
    expect(await erase('ann')).toEqual({ service: 'analytics', removed: { emails: 1 } });
    expect(await erase('cat')).toEqual({ service: 'analytics', removed: { emails: 0 } });
  });
  it('later events about the user are not stored', async () => {
    await service.hear('parlance.identity.user-email-changed.v1', 'user-ann', { user_id: 'ann', email: lateEmail });
    await created('late', 'ann');
    await charged('ann', 'late', 10_000);
    await named([null, 'ben@example.org'], [null, null, 'Guide of ben']);
  });
  it('the event alone causes the erasure', async () => {
    await keys.erase('ben');
    delete titles['bot-of-ben'];
    await service.hear('parlance.identity.user-erased.v1', 'user-ben', { user_id: 'ben' });
    await named([null, null], [null, null, null]);
    expect(await erase('ben')).toMatchObject({ removed: { emails: 1 } });
  });
});
