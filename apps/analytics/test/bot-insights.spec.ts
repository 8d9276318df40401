import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterTitles } from './titles.ts';

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

describe('how a bot is used', () => {
  let service: ServiceUnderTest;
  let events = 0;
  const [guide, fresh] = [newId(), newId()];
  const asked: string[][] = [];
  const ask = async (path: string) =>
    (await request(service.server).get(`/admin/bots/${guide}/${path}`).set(service.as('root', 'Admin'))).body;
  const hear = (type: string, conversation: string, user_id: string, bot_id: string | null, more: object) =>
    service.hear(
      `parlance.inference.${type}.v1`,
      `conversation-${conversation}`,
      { conversation_id: conversation, user_id, bot_id, ...more },
      `e${++events}`,
    );
  const message = (conversation: string, user: string, bot: string | null = guide) =>
    hear('message-submitted', conversation, user, bot, { reply_id: 'r', message_id: 'm', model: 'large' });
  const reply = (conversation: string, user: string, cost: number) =>
    hear('reply-completed', conversation, user, guide, { reply_id: 'r', model: 'large', usage, cost_nano_dollars: cost });
  const rate = (conversation: string, reply_id: string, thumbs_up: boolean, category: string | null = null, has_comment = false) =>
    hear('feedback-given', conversation, 'ann', guide, { reply_id, thumbs_up, category, has_comment });

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    const inference = fastify();
    inference.post<{ Body: { replies: string[] } }>('/internal/feedback/comments', async ({ body: { replies } }) => {
      asked.push(replies);
      return { comments: { 'c1/r2': 'Too long.' } };
    });
    await service.host.local.enter('inference', inference);
    await enterTitles(service.host, { [fresh]: 'Fresh' });
  });
  afterAll(() => service.stop());

  it.each(['analytics', 'satisfaction', 'bad-ratings'])('is 404 for a bot that never existed: %s', async (path) => {
    const { status, body } = await request(service.server).get(`/admin/bots/${newId()}/${path}`).set(service.as('root', 'Admin'));
    expect([status, body.code]).toEqual([404, 'bot_not_found']);
  });
  it.each(['analytics', 'satisfaction'])('is empty for a bot whose event has not arrived yet: %s', async (path) => {
    const { status, body } = await request(service.server).get(`/admin/bots/${fresh}/${path}`).set(service.as('root', 'Admin'));
    expect([status, body.bot_id]).toEqual([200, fresh]);
  });
  it('is zero at first, on each of 30 days', async () => {
    await service.hear('parlance.bots.bot-created.v1', `bot-${guide}`, { bot_id: guide, owner_user_id: 'ann' }, 'e0');
    await waitFor(async () => (await ask('analytics')).bot_id === guide, { what: 'the bot to be known' });
    const { daily, ...rest } = await ask('analytics');
    expect(rest).toEqual({
      as_of: null,
      bot_id: guide,
      currency: 'USD',
      total_queries: 0,
      unique_users: 0,
      average_satisfaction: null,
      total_cost: 0,
      as_billed: 0,
      as_corrected: 0,
    });
    expect([daily.length, daily[0].date, daily[29].date]).toEqual([30, dayBefore(29), dayBefore(0)]);
    expect(await ask('satisfaction')).toMatchObject({ average: null, rated_share: null, comments: [], daily: [] });
  });
  it('shows queries, users, cost and ratings, without those of other bots', async () => {
    for (const [conversation, user] of [
      ['c1', 'ann'],
      ['c1', 'ann'],
      ['c2', 'ben'],
    ] as const)
      await message(conversation, user);
    await message('c3', 'cid', newId());
    await message('c4', 'cid', null);
    for (const [conversation, user] of [
      ['c1', 'ann'],
      ['c1', 'ann'],
      ['c2', 'ben'],
      ['c2', 'ben'],
    ] as const)
      await reply(conversation, user, 10);
    await rate('c1', 'r1', false, 'wrong');
    await rate('c1', 'r1', true);
    await rate('c1', 'r2', false, 'too_long', true);
    await rate('c2', 'r3', true, null, true);
    await waitFor(async () => (await ask('satisfaction')).thumbs_up === 2, { what: 'the ratings' });
    const body = await ask('analytics?days=1');
    expect(body).toEqual({
      as_of: { position: expect.any(Number), time: expect.any(String) },
      bot_id: guide,
      currency: 'USD',
      total_queries: 3,
      unique_users: 2,
      average_satisfaction: 2 / 3,
      total_cost: 40e-9,
      as_billed: 40e-9,
      as_corrected: 40e-9,
      daily: [{ date: dayBefore(0), query_count: 3, unique_users: 2, cost: 40e-9, as_corrected: 40e-9, satisfaction: 2 / 3 }],
    });
    expect(await ask(`analytics?start_date=${dayBefore(9)}&end_date=${dayBefore(1)}`)).toMatchObject({ total_queries: 0, total_cost: 0 });
  });
  it('contains the latest rating of each reply, and the comments that are not erased', async () => {
    expect(await ask('satisfaction')).toEqual({
      as_of: { position: expect.any(Number), time: expect.any(String) },
      bot_id: guide,
      average: 2 / 3,
      thumbs_up: 2,
      thumbs_down: 1,
      rated_share: 0.75,
      by_category: { too_long: 1 },
      comments: [{ message_id: 'r2', comment: 'Too long.', category: 'too_long', create_time: expect.any(Number) }],
      daily: [{ date: dayBefore(0), thumbs_up: 2, thumbs_down: 1, satisfaction: 2 / 3 }],
    });
    expect(asked.at(-1)).toEqual(['c2/r3', 'c1/r2']);
  });
  it('has a share of rated replies of at most one, even if earlier replies are rated', async () => {
    for (const earlier of ['r5', 'r6', 'r7']) await rate('c1', earlier, true);
    await waitFor(async () => (await ask('satisfaction')).thumbs_up === 5, { what: 'the ratings' });
    expect(await ask('satisfaction')).toMatchObject({ rated_share: 1 });
  });
  it.each([
    ['analytics?days=3&start_date=2026-01-01&end_date=2026-01-02', 'days'],
    ['analytics?start_date=2026-01-01', 'end_date'],
    ['analytics?end_date=2026-01-01', 'start_date'],
    ['analytics?start_date=2026-01-02&end_date=2026-01-01', 'end_date'],
    ['analytics?start_date=2026-02-30&end_date=2026-03-01', 'start_date'],
    ['analytics?start_date=2024-01-01&end_date=2025-01-02', 'end_date'],
    ['analytics?start_date=2020-01-01&end_date=2020-01-31', 'start_date'],
    ['analytics?days=367', 'days'],
    ['satisfaction?days=0', 'days'],
  ])('is refused for %s', async (path, field) => expect(await ask(path)).toMatchObject({ status: 400, errors: [{ path: field }] }));
  it('is for administrators only', async () => {
    for (const path of ['analytics', 'satisfaction'])
      expect((await request(service.server).get(`/admin/bots/${guide}/${path}`).set(service.as('ann', 'PublishAllowed'))).status).toBe(403);
  });
});
