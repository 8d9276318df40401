import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterTitles } from './titles.ts';

const month = new Date().toISOString().slice(0, 7);
const reply = (conversation: string, user: string, bot: string | null, nano: number) => ({
  conversation_id: conversation,
  reply_id: `${conversation}-reply`,
  user_id: user,
  bot_id: bot,
  model: 'model.with.dots',
  usage: { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
  cost_nano_dollars: nano,
});

describe('figures from the events of other services', () => {
  let service: ServiceUnderTest;
  const ask = async (path: string) => (await request(service.server).get(path).set(service.as('root', 'Admin'))).body;
  const charged = (id: string, ...of: Parameters<typeof reply>) =>
    service.hear('parlance.inference.reply-completed.v1', `conversation-${of[0]}`, reply(...of), id);
  const tokens = (count: number) =>
    waitFor(async () => (await ask('/admin/costs/summary')).total_input_tokens === count, { what: `${count} tokens` });

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterTitles(service.host, { guide: 'Guide' });
  });
  afterAll(() => service.stop());

  it('are zero, and as of nothing, at first', async () => {
    expect(await ask('/admin/costs/summary')).toMatchObject({
      as_of: null,
      period: month,
      total_cost: 0,
      by_model: {},
      top_users: [],
      top_bots: [],
    });
  });
  it('add up to the nano-dollar', async () => {
    await service.hear('parlance.bots.bot-created.v1', 'bot-guide', { bot_id: 'guide', owner_user_id: 'ann' });
    await charged('e1', 'c1', 'ann', 'guide', 1);
    await charged('e2', 'c1', 'ann', 'guide', 2);
    await charged('e3', 'c2', 'ann', null, 100_000_000);
    await charged('e4', 'c3', 'ben', 'guide', 200_000_000);
    await tokens(40);
    const body = await ask('/admin/costs/summary');
    expect(body).toMatchObject({
      as_of: { position: 5, time: expect.stringMatching(/^\d{4}-.*Z$/) },
      total_cost: 0.300000003,
      by_model: { 'model.with.dots': 0.300000003 },
      top_users: [
        { user_id: 'ben', total_cost: 0.2, by_model: { 'model.with.dots': 0.2 }, conversation_count: 1 },
        { user_id: 'ann', total_cost: 0.100000003, conversation_count: 2, input_tokens: 30, output_tokens: 15 },
      ],
      top_bots: [
        {
          bot_id: 'guide',
          title: 'Guide',
          owner_user_id: 'ann',
          total_cost: 0.200000003,
          by_model: { 'model.with.dots': 0.200000003 },
          user_count: 2,
        },
      ],
    });
  });
  it('count an event once, even if it is delivered twice', async () => {
    await charged('e1', 'c1', 'ann', 'guide', 1);
    await charged('e5', 'c1', 'ann', null, 0);
    await tokens(50);
    expect((await ask('/admin/costs/summary')).total_cost).toBe(0.300000003);
  });
  it('include charges other than completed replies: titles and broken replies', async () => {
    const { reply_id: _, ...title } = reply('c4', 'cid', 'guide', 3);
    await service.hear('parlance.inference.tokens-charged.v1', 'conversation-c4', { ...title, charge_id: 't1', purpose: 'title' }, 'e6');
    await tokens(60);
    const body = await ask('/admin/costs/summary');
    expect(body.total_cost).toBe(0.300000006);
    expect(body.top_users.at(-1)).toMatchObject({ user_id: 'cid', total_cost: 0.000000003, conversation_count: 1 });
    expect(body.top_bots[0]).toMatchObject({ total_cost: 0.200000006, user_count: 3 });
  });
  it('include what the knowledge of a bot cost its owner, without a conversation', async () => {
    const before = await ask('/admin/costs/summary');
    const { usage } = reply('', '', null, 0);
    const charge = { charge_id: 'k', purpose: 'embedding', user_id: 'eve', bot_id: 'atlas', model: 'small', usage, cost_nano_dollars: 7 };
    for (let time = 1; time <= 2; time++) await service.hear('parlance.inference.knowledge-charged.v1', 'knowledgecharge-k', charge, 'k');
    await tokens(before.total_input_tokens + 10);
    const { total_cost, top_users, top_bots } = await ask('/admin/costs/summary');
    expect(Math.round((total_cost - before.total_cost) * 1e9)).toBe(7);
    expect(top_users).toContainEqual(expect.objectContaining({ user_id: 'eve', total_cost: 7e-9, conversation_count: 0 }));
    expect(top_bots).toContainEqual(expect.objectContaining({ bot_id: 'atlas', total_cost: 7e-9, user_count: 0 }));
  });
  it('cover the requested month', async () => {
    expect(await ask('/admin/costs/summary?period=2020-01')).toMatchObject({ period: '2020-01', total_cost: 0 });
    expect((await ask('/admin/costs/summary?period=2020-13')).code).toBe('invalid_query');
  });
  it('rank no more than requested', async () => {
    expect((await ask('/admin/costs/summary?top_n=1')).top_users).toHaveLength(1);
    expect((await ask('/admin/costs/summary?top_n=101')).code).toBe('invalid_query');
  });
  it('are for administrators only', async () => {
    const answer = await request(service.server).get('/admin/costs/summary').set(service.as('ann', 'CreatingBotAllowed'));
    expect(answer.status).toBe(403);
  });
});
