import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReplyCompleted } from '@parlance/contracts';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';

const from = '2026-01-01T00:00:00Z';
const models = {
  extends: 'builtin',
  providers: { here: { type: 'local' }, away: { type: 'openai' } },
  models: [
    { id: 'paid', provider: 'here', model: 'x', context_window: 4_000, prices: [{ from, input: 1, output: 2 }] },
    { id: 'unreachable', provider: 'away', model: 'y' },
  ],
};

describe('the models of the catalogue', () => {
  let service: ServiceUnderTest;
  const list = async (query = '') => (await request(service.server).get(`/admin/models${query}`).set(service.as('root', 'Admin'))).body;
  const put = (id: string, body: object, group = 'Admin') =>
    request(service.server).put(`/admin/models/${id}/prices`).set(service.as('root', group)).send(body);
  /** The tokens and the cost of a reply of `paid`, as the service publishes them. */
  const charged = async () => {
    const server = request(service.server);
    const message = { model: 'paid', content: [{ content_type: 'text', body: 'hello' }] };
    const { conversation_id, message_id } = (await server.post('/conversation').set(service.as('ann')).send({ message })).body;
    const path = `/conversation/${conversation_id}/${message_id}`;
    await waitFor(async () => (await server.get(path).set(service.as('ann'))).status === 200, { what: 'the reply' });
    const events = await service.published<ReplyCompleted>();
    return events.find(({ type, data }) => type.endsWith('reply-completed.v1') && data.reply_id === message_id)!.data;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
  });
  afterAll(() => service.stop());

  it('are listed with their prices, including unavailable ones', async () => {
    const { models: listed, next_token } = await list();
    expect(next_token).toBeNull();
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'local-extractive', available: true, price: null, prices: [] }),
        expect.objectContaining({
          id: 'paid',
          provider: 'here',
          available: true,
          context_window: 4_000,
          prices: [
            {
              from: '2026-01-01T00:00:00.000Z',
              input: 1,
              output: 2,
              cache_read: 1,
              cache_write: 1,
              cache_write_1h: 1,
              web_search: null,
              source: 'configured',
            },
          ],
        }),
        expect.objectContaining({ id: 'unreachable', available: false }),
      ]),
    );
  });
  it('are listed in pages', async () => {
    const first = await list('?limit=1');
    const second = await list(`?limit=1&next_token=${first.next_token}`);
    expect([first.models.length, second.models.length, first.models[0].id < second.models[0].id]).toEqual([1, 1, true]);
  });
  it('can have a future price, which is charged from its start', async () => {
    const before = await charged();
    expect(before.cost_nano_dollars).toBe(before.usage.input_tokens * 1_000 + before.usage.output_tokens * 2_000);
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const answer = await put('paid', { from: start, input: 10, output: 20, cache_read: 0.000000001 });
    expect([answer.status, answer.body.prices[1]]).toEqual([
      200,
      { from: start, input: 10, output: 20, cache_read: 0.000000001, cache_write: 10, cache_write_1h: 10, web_search: null, source: 'set' },
    ]);
    expect((await charged()).cost_nano_dollars).toBe(before.cost_nano_dollars);
    service.later(3_600_001);
    expect((await charged()).cost_nano_dollars).toBe(before.cost_nano_dollars * 10);
    expect((await list()).models.find(({ id }: { id: string }) => id === 'paid').price).toMatchObject({ input: 10, source: 'set' });
  });
  it('have prices for tokens that the provider caches for an hour, and for its searches of the web', async () => {
    const start = '2098-01-01T00:00:00.000Z';
    const { body } = await put('paid', { from: start, input: 2, output: 10, cache_write: 2.5, cache_write_1h: 4, web_search: 10 });
    expect(body.prices.at(-1)).toMatchObject({ from: start, cache_write: 2.5, cache_write_1h: 4, web_search: 10 });
    expect((await service.published()).at(-1)!.data).toMatchObject({
      cache_write_nano_dollars: 2_500_000_000,
      cache_write_1h_nano_dollars: 4_000_000_000,
    });
  });
  it.each([
    [{ from: 'tomorrow', input: 1, output: 1 }, 400, 'invalid_body'],
    [{ from: '2099-01-01T00:00:00Z', input: -1, output: 1 }, 400, 'invalid_body'],
    [{ from: '2099-01-01T00:00:00Z', input: 0.0000000001, output: 1 }, 400, 'invalid_body'],
  ])('refuse the price %j', async (body, status, code) => {
    const answer = await put('paid', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
  it('refuse a price for a model that is not in the catalogue', async () => {
    expect((await put('unknown', { from: '2099-01-01T00:00:00Z', input: 1, output: 1 })).body.code).toBe('model_not_found');
  });
  it('can be priced only by administrators', async () => {
    expect((await put('paid', { from: '2099-01-01T00:00:00Z', input: 1, output: 1 }, 'PublishAllowed')).status).toBe(403);
  });
});
