import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import type { ServiceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';

const [reports, chats, revoked] = [newId(), newId(), newId()] as const;
const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
const terms = {
  models: [],
  requests_per_minute: 60,
  tokens_per_minute: null,
  max_parallel_requests: 4,
  cost_centre: 'Sales & Co',
  tags: {},
};

/** Replaces identity and inference: tokens with their descriptions, and what is used of their limits. */
async function enterTokens({ host: { local } }: ServiceUnderTest): Promise<void> {
  const tokens = [
    { token_id: reports, user_id: 'ann', description: 'Reports', call_terms: terms },
    { token_id: chats, user_id: 'ben', description: 'Chats', call_terms: null },
  ];
  const identity = fastify();
  identity.post<{ Body: { token_ids: readonly string[] } }>('/internal/personal-tokens/described', async ({ body }) => ({
    tokens: tokens.filter(({ token_id }) => body.token_ids.includes(token_id)),
  }));
  await local.enter('identity', identity);
  const inference = fastify();
  inference.get('/internal/calls/limits/:id', async () => ({ requests: 7, tokens: 500, parallel: 2 }));
  await local.enter('inference', inference);
}

export function costsOfCalls(start: () => ServiceUnderTest): void {
  describe('the cost of calls of models by programs', () => {
    let service: ServiceUnderTest;
    const admin = () => service.as('root', 'Admin');
    const get = async (path: string) => (await request(service.server).get(path).set(admin())).body;
    const put = async (body: object) =>
      request(service.server)
        .put('/admin/budgets')
        .set(admin())
        .send({ period: 'DAY', mode: 'hard', ...body });
    const call = (nano: number, token_id: string, user_id: string, more: object = {}) =>
      service.hear('parlance.inference.call-completed.v1', `calls-${token_id}`, {
        call_id: newId(),
        token_id,
        user_id,
        bot_id: null,
        endpoint: 'messages',
        model: 'm',
        status: 'completed',
        cost_centre: null,
        tags: {},
        usage,
        cost_nano_dollars: nano,
        ...more,
      });
    const summary = (query = '') => get(`/admin/costs/summary${query}`);
    const costs = (entries: readonly Record<string, unknown>[], ...names: readonly string[]) =>
      entries.map((entry) => [...names.map((name) => entry[name]), Math.round(Number(entry['total_cost']) * 1e9)]);

    beforeAll(async () => {
      service = start();
      await enterTokens(service);
      const before = (await summary()).total_cost;
      await call(100, reports, 'ann', { cost_centre: 'Sales & Co', tags: { app: 'a', env: 'live' } });
      await call(20, reports, 'ann', { cost_centre: 'Sales & Co', tags: { app: 'b' }, model: 'other' });
      await call(7, chats, 'ben', { tags: { app: 'a' } });
      await call(3, revoked, 'ben');
      await waitFor(async () => Math.round(((await summary()).total_cost - before) * 1e9) === 130, { what: 'the calls' });
    });

    const showsAll = (body: Record<'by_token' | 'by_cost_centre' | 'by_tag', Record<string, unknown>[]>) => {
      expect(costs(body.by_token, 'token_id', 'description', 'user_id')).toEqual([
        [reports, 'Reports', 'ann', 120],
        [chats, 'Chats', 'ben', 7],
        [revoked, null, 'ben', 3],
      ]);
      expect(costs(body.by_cost_centre, 'cost_centre')).toEqual([['Sales & Co', 120]]);
      expect(costs(body.by_tag, 'name', 'value')).toEqual([
        ['app', 'a', 107],
        ['env', 'live', 100],
        ['app', 'b', 20],
      ]);
      expect(body.by_token[0]).toMatchObject({
        as_corrected: 120e-9,
        input_tokens: 20,
        output_tokens: 10,
        by_model: { m: 100e-9, other: 20e-9 },
      });
    };
    it('is in the summary of a month by token, cost centre and tag, highest first', async () => showsAll(await summary()));
    it.each([
      ['hours', 2 * 3_600],
      ['days', 3 * 86_400],
    ])('is in a window of %s, too', async (_, seconds) => {
      const now = Math.floor(Date.now() / 1_000);
      showsAll(await summary(`?start_time=${now - seconds}&end_time=${now + seconds}`));
    });
    it('is limited to the highest ones by top_n', async () => {
      const { by_token, by_tag } = await summary('?top_n=1');
      expect([costs(by_token, 'token_id'), costs(by_tag, 'value')]).toEqual([[[reports, 120]], [['a', 107]]]);
    });
    it('is shown for one token by month, with what is used of its budgets and limits', async () => {
      const ofToken = await put({ scope: 'token', scope_id: reports, limit: 1 });
      const ofCentre = await put({ scope: 'cost_centre', scope_id: 'Sales & Co', limit: 2, mode: 'soft' });
      expect([ofToken.status, ofCentre.status]).toEqual([200, 200]);
      await waitFor(async () => (await get(`/admin/costs/tokens/${reports}`)).budgets.length === 2, { what: 'the budgets' });
      const body = await get(`/admin/costs/tokens/${reports}`);
      expect(body).toMatchObject({
        token_id: reports,
        description: 'Reports',
        total_cost: 120e-9,
        periods: [{ period: new Date().toISOString().slice(0, 7), total_cost: 120e-9 }],
        budgets: [
          { id: ofToken.body.id, scope: 'token', limit: 1, spent: 120e-9, reserved: 0 },
          { id: ofCentre.body.id, scope: 'cost_centre', limit: 2, spent: 120e-9, mode: 'soft' },
        ],
        limits: { requests_per_minute: { limit: 60, used: 7 }, tokens_per_minute: null, max_parallel_requests: { limit: 4, used: 2 } },
      });
      const { budgets } = await get('/admin/budgets');
      expect(budgets.map(({ scope_name }: { scope_name: string }) => scope_name).toSorted()).toEqual(['Reports', 'Sales & Co']);
      for (const { id } of budgets) await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
      expect(await get(`/admin/costs/tokens/${revoked}`)).toMatchObject({ total_cost: 3e-9, description: null, limits: null, budgets: [] });
      expect((await get(`/admin/costs/tokens/${newId()}`)).code).toBe('token_not_found');
    });
    it('cannot be limited for a token that does not exist', async () => {
      const { status, body } = await put({ scope: 'token', scope_id: newId(), limit: 1 });
      expect([status, body.errors]).toEqual([400, [{ path: 'scope_id', message: 'must be the ID of a token that is not revoked' }]]);
    });
    it('publishes budgets of tokens and cost centres in version 2 of the events', async () => {
      const { body } = await put({ scope: 'cost_centre', scope_id: 'Lab', limit: 0 });
      const lend = { holder: 'h', needed: 1, wanted: 1, closed: [] };
      const refused = await request(service.server)
        .post(`/internal/budgets/${body.id}/lend`)
        .set(service.asService('inference'))
        .send(lend);
      expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('budget of the cost centre Lab')]);
      const events = (await service.published()).filter(({ data }) => data['budget_id'] === body.id);
      expect(events.map(({ type }) => type)).toEqual(['parlance.analytics.budget-set.v2', 'parlance.analytics.budget-reached.v2']);
      await request(service.server).delete(`/admin/budgets/${body.id}`).set(admin()).expect(204);
    });
  });
}
