import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';
import { enterTitles } from './titles.ts';

const now = Math.floor(Date.now() / 1_000);
const HOUR = 3_600;
const [today, month] = [new Date().toISOString().slice(0, 10), new Date().toISOString().slice(0, 7)];

describe('the costs of a window', () => {
  let service: ServiceUnderTest;
  let events = 0;
  const [ann, ben, guide, dan, draft] = [newId(), newId(), newId(), newId(), newId()];
  const ask = async (path: string) => (await request(service.server).get(`/admin/costs${path}`).set(service.as('root', 'Admin'))).body;
  const charge = (conversation: string, user_id: string, bot_id: string | null, model: string, cost_nano_dollars: number) =>
    service.hear(
      'parlance.inference.tokens-charged.v1',
      `conversation-${conversation}`,
      {
        charge_id: `t${events}`,
        purpose: 'chat',
        conversation_id: conversation,
        user_id,
        bot_id,
        model,
        usage: { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
        cost_nano_dollars,
      },
      `e${++events}`,
    );

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterTitles(service.host, { [guide]: 'Guide', [draft]: 'Draft' });
    await new KeysOfUsers().enter(service.host);
    await enterPeople(service.host, [person(dan)]);
    await service.hear('parlance.identity.user-registered.v1', `user-${ann}`, { user_id: ann, email: null }, 'u0');
    await charge('a1', ann, guide, 'large', 100);
    await charge('a1', ann, guide, 'small', 1);
    await charge('a2', ann, null, 'large', 10);
    await charge('b1', ben, guide, 'large', 1_000);
    await waitFor(async () => (await ask('/summary')).total_input_tokens === 40, { what: 'the charges' });
  });
  afterAll(() => service.stop());

  it("equal the month's if the hours contain all of its charges", async () => {
    const { period: _, projected_total_cost, ...ofMonth } = await ask('/summary');
    const { period, projected_total_cost: none, ...ofHours } = await ask(`/summary?start_time=${now - HOUR}&end_time=${now + HOUR}`);
    expect(ofHours).toEqual(ofMonth);
    expect(ofHours).toMatchObject({
      total_cost: 1_111e-9,
      by_model: { large: 1_110e-9, small: 1e-9 },
      daily: [{ date: today, cost: 1_111e-9, input_tokens: 40, output_tokens: 20 }],
      top_users: [
        { user_id: ben, total_cost: 1_000e-9, conversation_count: 1 },
        { user_id: ann, total_cost: 111e-9, conversation_count: 2 },
      ],
      top_bots: [{ bot_id: guide, title: 'Guide', total_cost: 1_101e-9, user_count: 2 }],
    });
    expect(period).toMatch(/^\d{4}-\d\d-\d\dT\d\d\/\d{4}-\d\d-\d\dT\d\d$/);
    expect(projected_total_cost).toBeGreaterThanOrEqual(1_111e-9);
    expect(none).toBeNull();
  });
  it.each([
    ['users', 'user_not_found'],
    ['bots', 'bot_not_found'],
  ])('are 404 for %s that never existed', async (kind, code) => {
    expect(await ask(`/${kind}/${newId()}`)).toMatchObject({ status: 404, code });
  });
  it.each([
    ['users', dan],
    ['bots', draft],
  ])('are zero for %s whose events have not arrived yet', async (kind, id) => {
    expect(await ask(`/${kind}/${id}`)).toMatchObject({ total_cost: 0, periods: [] });
  });
  it('are zero for a user who has not used anything', async () => {
    const cid = newId();
    await service.hear('parlance.identity.user-registered.v1', `user-${cid}`, { user_id: cid, email: null }, 'u1');
    await waitFor(async () => (await ask(`/users/${cid}`)).user_id === cid, { what: 'the user to be known' });
    expect(await ask(`/users/${cid}`)).toMatchObject({ total_cost: 0, periods: [] });
  });
  it('are zero in other hours, and are projected only in the current month', async () => {
    const summary = await ask(`/summary?start_time=${now - 9 * HOUR}&end_time=${now - 2 * HOUR}`);
    expect(summary).toMatchObject({ total_cost: 0, by_model: {}, daily: [], top_users: [], top_bots: [] });
    expect((await ask('/summary?period=2020-01')).projected_total_cost).toBeNull();
  });
  it.each([
    [`/summary?period=${month}&start_time=0&end_time=1`, 'period'],
    ['/summary?start_time=1', 'end_time'],
    ['/summary?start_time=2&end_time=1', 'end_time'],
    ['/summary?start_time=0&end_time=7200', 'start_time'],
    [`/users/${ann}?start_period=2026-01`, 'end_period'],
    [`/users/${ann}?start_period=2026-02&end_period=2026-01`, 'end_period'],
    [`/bots/${guide}?start_period=2016-01&end_period=2026-01`, 'end_period'],
    ['/users/ann', 'userId'],
  ])('are refused for %s', async (path, field) => expect(await ask(path)).toMatchObject({ status: 400, errors: [{ path: field }] }));

  const summed = (nano: number, input_tokens: number, by_model: object) => {
    const cost = nano / 1e9;
    const costs = { total_cost: cost, as_billed: cost, as_corrected: cost, by_model, by_model_as_corrected: by_model };
    return { ...costs, input_tokens, output_tokens: input_tokens / 2 };
  };
  it('cover a user by month', async () => {
    const sums = summed(111, 30, { large: 110e-9, small: 1e-9 });
    expect(await ask(`/users/${ann}?start_period=2026-01&end_period=${month}`)).toEqual({
      as_of: { position: expect.any(Number), time: expect.any(String) },
      currency: 'USD',
      user_id: ann,
      email: null,
      ...sums,
      conversation_count: 2,
      periods: [{ period: month, ...sums, conversation_count: 2 }],
    });
    expect(await ask(`/users/${ann}?start_period=2020-01&end_period=2020-12`)).toMatchObject({ total_cost: 0, periods: [] });
  });
  it('cover a bot by month', async () => {
    const sums = summed(1_101, 30, { large: 1_100e-9, small: 1e-9 });
    expect(await ask(`/bots/${guide}`)).toMatchObject({ title: 'Guide', ...sums, user_count: 2, periods: [{ ...sums, user_count: 2 }] });
  });
});
