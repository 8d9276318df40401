import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';
import { firstMonthKept } from '@parlance/contracts';

const ANN = '01K0000000000000000000000A';
const HOUR = 3_600;

describe('the usage of the signed-in user', () => {
  let service: ServiceUnderTest;
  let events = 0;
  const now = Math.floor(Date.now() / 1_000);
  const [today, month] = [new Date().toISOString().slice(0, 10), new Date().toISOString().slice(0, 7)];
  const ask = async (query = '', user = ANN) => (await request(service.server).get(`/user/me/usage${query}`).set(service.as(user))).body;
  const charge = (user_id: string, bot_id: string | null, model: string, cost_nano_dollars: number) => ({
    user_id,
    bot_id,
    model,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
    cost_nano_dollars,
  });
  const hear = (type: string, data: object) =>
    service.hear(`parlance.inference.${type}.v1`, `c-${events}`, { conversation_id: 'c', ...data }, `u${++events}`);
  const put = (body: object) => request(service.server).put('/admin/budgets').set(service.as('root', 'Admin')).send(body);

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterPeople(service.host, [person(ANN)]);
  });
  afterAll(() => service.stop());

  it('is zero at first', async () => {
    expect(await ask()).toEqual({
      as_of: null,
      period: month,
      currency: 'USD',
      total_cost: 0,
      as_billed: 0,
      as_corrected: 0,
      input_tokens: 0,
      output_tokens: 0,
      by_model: {},
      by_bot: {},
      by_key: {},
      daily: [],
      budget: null,
    });
  });
  it('has all charges of the user by model, bot and day, and none of other users', async () => {
    await hear('reply-completed', { ...charge(ANN, 'guide', 'large', 100), reply_id: 'r' });
    await hear('tokens-charged', { ...charge(ANN, null, 'small', 7), charge_id: 't', purpose: 'title' });
    const { bot_id, ...rest } = charge(ANN, 'atlas', 'vectors', 3);
    await service.hear('parlance.inference.knowledge-charged.v1', 'k', { ...rest, bot_id, charge_id: 'k', purpose: 'embedding' }, 'k');
    // A model check is charged to the administrator, and to no bot.
    const check = { ...charge(ANN, null, 'checked', 5), check_id: 'c', failure: null };
    await service.hear('parlance.inference.model-checked.v1', 'c', check, 'c');
    await hear('reply-completed', { ...charge('ben', 'guide', 'large', 1_000), reply_id: 'r' });
    await waitFor(async () => (await ask('', 'ben')).total_cost > 0 && (await ask()).input_tokens === 40, { what: 'the charges' });
    expect(await ask()).toMatchObject({
      as_of: { position: expect.any(Number) },
      total_cost: 115e-9,
      input_tokens: 40,
      output_tokens: 20,
      by_model: { large: 100e-9, small: 7e-9, checked: 5e-9, vectors: 3e-9 },
      by_bot: { guide: 100e-9, atlas: 3e-9 },
      daily: [{ date: today, cost: 115e-9, as_corrected: 115e-9, input_tokens: 40, output_tokens: 20 }],
    });
  });
  it('covers the requested hours, both included', async () => {
    const of = async (from: number, to: number) => (await ask(`?start_time=${from}&end_time=${to}`)).total_cost;
    expect([await of(now, now), await of(now - 5 * HOUR, now), await of(now - 5 * HOUR, now - 2 * HOUR)]).toEqual([115e-9, 115e-9, 0]);
    expect((await ask('?start_time=0&end_time=3599')).period).toBe('1970-01-01T00/1970-01-01T00');
    expect((await ask('?period=2020-02')).total_cost).toBe(0);
  });
  it.each([
    ['?start_time=5', 'end_time'],
    ['?end_time=5', 'start_time'],
    ['?start_time=6&end_time=5', 'end_time'],
    ['?start_time=0&end_time=40000000', 'end_time'],
    ['?period=2026-11&start_time=0&end_time=5', 'period'],
    ['?period=2026-13', 'period'],
  ])('refuses the window %s', async (query, path) => {
    expect(await ask(query)).toMatchObject({ status: 400, errors: [{ path }] });
  });
  it("names the user's own budget with the least left", async () => {
    for (const [period, limit] of Object.entries({ DAY: 0.000_000_2, MONTH: 5 }))
      await put({ scope: 'user', scope_id: ANN, period, limit, mode: 'soft' });
    await put({ scope: 'all', period: 'DAY', limit: 0.000_000_001, mode: 'soft' });
    const { budget } = await ask();
    expect(budget).toEqual({ limit: 200e-9, spent: 115e-9, resets_at: Math.floor(now / 86_400 + 1) * 86_400 });
    expect((await ask('', 'ben')).budget).toBeNull();
  });
});

describe('hours of usage', () => {
  it.each([
    ['2026-11-22T00:00:00Z', '2025-10'],
    ['2027-01-01T00:00:00Z', '2025-12'],
  ])('are kept for 13 months before the month of %s', (time, month) => expect(firstMonthKept(time)).toBe(month));
});
