import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';

describe('the tokens of an embedding model', () => {
  let service: ServiceUnderTest;
  const bots = new BotsService();

  const published = async () => {
    const { events } = await service.host.published.of('inference').then((log) => log!.after(0));
    return events as readonly { type: string; data: Record<string, unknown> }[];
  };
  const charges = async () => (await published()).filter(({ type }) => type === 'parlance.inference.knowledge-charged.v1');

  beforeAll(async () => {
    const models = {
      extends: 'builtin',
      providers: { ours: { type: 'openai_compatible', base_url: 'http://127.0.0.1:9' } },
      models: [
        {
          id: 'ours-small',
          provider: 'ours',
          model: 'small',
          context_window: 512,
          capabilities: ['embedding'],
          prices: [
            { from: '2020-01-01T00:00:00Z', input: 0.02, output: 0 },
            { from: '2090-01-01T00:00:00Z', input: 9, output: 0 },
          ],
        },
      ],
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('are charged once to the user that bots names, at the price at that time', async () => {
    const used = { use_id: 'u1', bot_id: botId, user_id: 'ann', model: 'ours-small', input_tokens: 150, estimated: true };
    for (let time = 1; time <= 2; time++) await service.hear('parlance.bots.embedding-used.v1', 'embedding-u1', used, 'e1');
    // This event is in the same partition, so the repeat is handled before it.
    const last = { ...used, use_id: 'u2', input_tokens: 1, estimated: false };
    await service.hear('parlance.bots.embedding-used.v1', 'embedding-u1', last, 'e2');
    await waitFor(async () => (await charges()).some(({ data }) => data['charge_id'] === 'u2'), { what: 'the charge' });
    const usage = { output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
    const of = { purpose: 'embedding', user_id: 'ann', bot_id: botId, model: 'ours-small' };
    expect((await charges()).map(({ data }) => data)).toEqual([
      { charge_id: 'u1', ...of, usage: { ...usage, input_tokens: 150, estimated: true }, cost_nano_dollars: 3_000 },
      { charge_id: 'u2', ...of, usage: { ...usage, input_tokens: 1, estimated: false }, cost_nano_dollars: 20 },
    ]);
  });
  it('of the search for a reply are charged to its user, before the reply ends', async () => {
    bots.chunks = [{ content: 'A refund takes fourteen days.', source_id: 'refunds' }];
    bots.settings = { embedding: { model: 'ours-small', tokens: 100, estimated: false } };
    const message = { model: 'local-extractive', content: [{ content_type: 'text', body: 'How long does a refund take?' }] };
    const { body } = await request(service.server)
      .post('/conversation')
      .set({ ...service.as('ann'), prefer: 'wait=10' })
      .send({ bot_id: botId, message });
    expect(body.message.price).toBeUndefined();
    const events = (await published()).filter(({ data }) => data['conversation_id'] === body.conversation_id);
    expect(events.map(({ type }) => type.slice('parlance.inference.'.length))).toEqual([
      'message-submitted.v1',
      'tokens-charged.v1',
      'reply-completed.v1',
    ]);
    expect(events[1]!.data).toMatchObject({
      purpose: 'embedding',
      user_id: 'ann',
      bot_id: botId,
      model: 'ours-small',
      usage: { input_tokens: 100, output_tokens: 0, estimated: false },
      cost_nano_dollars: 2_000,
    });
  });
});
