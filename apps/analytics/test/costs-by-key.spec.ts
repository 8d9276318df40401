import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { costsOfCalls } from './costs-of-calls.ts';
import { enterDescriptions, enterTitles } from './titles.ts';

const [first, second] = [newId(), newId()] as const;
const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

describe('costs by API key', () => {
  let service: ServiceUnderTest;
  let tokens = 0;
  const get = async (path: string, userId = 'root', ...groups: string[]) =>
    (
      await request(service.server)
        .get(path)
        .set(service.as(userId, ...groups))
    ).body;
  const summary = (query = '') => get(`/admin/costs/summary${query}`, 'root', 'Admin');
  const charge = async (nano: number, key: string | null, { user = 'ann', bot = 'guide', model = 'm', isTitle = false } = {}) => {
    const conversation = newId();
    const api = key === null ? {} : { api_id: 'a1', api_key_id: key };
    const data = { conversation_id: conversation, user_id: user, bot_id: bot, ...api, model, usage, cost_nano_dollars: nano };
    const more = isTitle ? { charge_id: newId(), purpose: 'tool' } : { reply_id: newId() };
    const type = isTitle ? 'tokens-charged' : 'reply-completed';
    await service.hear(`parlance.inference.${type}.v1`, `conversation-${conversation}`, { ...data, ...more });
    tokens += usage.input_tokens;
  };
  const arrived = () => waitFor(async () => (await summary()).total_input_tokens === tokens, { what: `${tokens} tokens` });

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterTitles(service.host, { guide: 'Guide' });
    await enterDescriptions(service.host, { [first]: 'Shop' });
    await charge(100, first);
    await charge(20, first, { model: 'other' });
    await charge(3, first, { isTitle: true });
    await charge(50, second, { bot: 'helper' });
    await charge(7, null);
    await charge(1, null, { user: 'ben' });
    await arrived();
  });
  afterAll(() => service.stop());

  it('are in the summary, highest first, and add up to the total with the usage of users', async () => {
    const body = await summary();
    expect(body.by_key).toEqual([
      {
        api_key_id: first,
        description: 'Shop',
        bot_id: 'guide',
        bot_title: 'Guide',
        total_cost: 123e-9,
        as_billed: 123e-9,
        as_corrected: 123e-9,
        input_tokens: 30,
        output_tokens: 15,
        by_model: { m: 103e-9, other: 20e-9 },
        by_model_as_corrected: { m: 103e-9, other: 20e-9 },
      },
      {
        api_key_id: second,
        description: null,
        bot_id: 'helper',
        bot_title: null,
        total_cost: 50e-9,
        as_billed: 50e-9,
        as_corrected: 50e-9,
        input_tokens: 10,
        output_tokens: 5,
        by_model: { m: 50e-9 },
        by_model_as_corrected: { m: 50e-9 },
      },
    ]);
    expect([body.total_cost, body.total_cost_by_keys]).toEqual([181e-9, 173e-9]);
  });

  it.each([
    ['hours', 2 * 3_600],
    ['days', 3 * 86_400],
  ])('cover a window of %s too', async (_, seconds) => {
    const now = Math.floor(Date.now() / 1_000);
    const body = await summary(`?start_time=${now - seconds}&end_time=${now + seconds}`);
    const { by_key, total_cost_by_keys } = await summary();
    expect([body.by_key, body.total_cost_by_keys]).toEqual([by_key, total_cost_by_keys]);
  });

  it('are limited to the highest ones by top_n, with the sum of all', async () => {
    const { by_key, total_cost_by_keys } = await summary('?top_n=1');
    expect([by_key.map(({ api_key_id }: { api_key_id: string }) => api_key_id), total_cost_by_keys]).toEqual([[first], 173e-9]);
  });

  it('are in the usage of the owner, and of no other user', async () => {
    expect(await get('/user/me/usage', 'ann')).toMatchObject({
      total_cost: 180e-9,
      by_bot: { guide: 130e-9, helper: 50e-9 },
      by_key: { [first]: 123e-9, [second]: 50e-9 },
    });
    expect(await get('/user/me/usage', 'ben')).toMatchObject({ total_cost: 1e-9, by_key: {} });
  });

  it('count as spent in a budget of the key, even before the budget was created', async () => {
    const { body } = await request(service.server)
      .put('/admin/budgets')
      .set(service.as('root', 'Admin'))
      .send({ scope: 'key', scope_id: first, period: 'DAY', limit: 1, mode: 'hard' });
    expect(body).toMatchObject({ scope: 'key', scope_id: first, spent: 123e-9 });
    await request(service.server).delete(`/admin/budgets/${body.id}`).set(service.as('root', 'Admin')).expect(204);
  });

  costsOfCalls(() => service);
});
