import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterTitles } from './titles.ts';

describe('conversations that were imported', () => {
  let service: ServiceUnderTest;
  let sent = 0;
  const [ann, ben, guide] = [newId(), newId(), newId()];
  const month = new Date(Date.now() - 62 * 86_400_000).toISOString().slice(0, 7);
  const [day, at] = [`${month}-05`, `${month}-05T10:00:00.000Z`];
  const [reply, repeated] = [newId(), newId()];
  const ask = async (path: string) => (await request(service.server).get(path).set(service.as('root', 'Admin'))).body;
  const totals = async (name: string) =>
    (await request(service.server).get(`/internal/imports/${name}`).set(service.asService('parlance'))).body;
  const hear = async (user_id: string, cost_nano_dollars: number, more: object = {}, id = `i${++sent}`, conversation = newId()) => {
    await service.hear(
      'parlance.inference.conversation-imported.v1',
      `conversation-${conversation}`,
      {
        import_name: 'old',
        conversation_id: conversation,
        user_id,
        bot_id: guide,
        messages: 2,
        days: [{ day, queries: 1, replies: 1 }],
        ratings: [],
        model: 'claude-v3-sonnet',
        used_at: at,
        cost_nano_dollars,
        ...more,
      },
      id,
    );
  };

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterTitles(service.host, { [guide]: 'Guide' });
    await hear(ann, 100, { ratings: [{ reply_id: reply, at, thumbs_up: true, category: null, has_comment: false }] }, 'first');
    await hear(ann, 1, {}, 'second', repeated);
    await hear(ben, 1_000);
    await hear(ann, 1, {}, 'second', repeated);
    await hear(ann, 7, { used_at: '2021-02-03T10:00:00.000Z', import_name: 'older' });
    await waitFor(async () => (await totals('older')).conversations === 1, { what: 'the imports' });
  });
  afterAll(() => service.stop());

  it('are counted by the run, once however often they are delivered', async () => {
    expect(await totals('old')).toEqual({ conversations: 3, nano_dollars: 1_101 });
    expect(await totals('none')).toEqual({ conversations: 0, nano_dollars: 0 });
  });
  it('are charged to the month in which they were used', async () => {
    expect(await ask(`/admin/costs/summary?period=${month}`)).toMatchObject({
      total_cost: 1_101e-9,
      by_model: { 'claude-v3-sonnet': 1_101e-9 },
      top_users: [
        { user_id: ben, total_cost: 1_000e-9, conversation_count: 1 },
        { user_id: ann, total_cost: 101e-9, conversation_count: 2 },
      ],
      top_bots: [{ bot_id: guide, total_cost: 1_101e-9, user_count: 2 }],
    });
    expect(await ask('/admin/costs/summary?period=2021-02')).toMatchObject({ total_cost: 7e-9 });
    expect(await ask(`/admin/costs/summary?period=${new Date().toISOString().slice(0, 7)}`)).toMatchObject({ total_cost: 0 });
  });
  it('are included in the questions and ratings of their bot', async () => {
    expect(await ask(`/admin/bots/${guide}/analytics?start_date=${day}&end_date=${day}`)).toMatchObject({
      total_queries: 4,
      daily: [{ date: day, query_count: 4, unique_users: 2, satisfaction: 1 }],
    });
  });
});
