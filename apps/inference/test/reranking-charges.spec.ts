import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';
const used = { model: 'rerank-v3.5', searches: 2, tokens: 500, estimated: false };

describe('the usage of a reranker', () => {
  let service: ServiceUnderTest;
  const bots = new BotsService();

  const charges = async (purpose: string) => {
    const { events } = await service.host.published.of('inference').then((log) => log!.after(0));
    const all = events as readonly { type: string; data: Record<string, unknown> }[];
    return all.filter(({ data }) => data['purpose'] === purpose);
  };

  beforeAll(async () => {
    const prices = [
      { from: '2020-01-01T00:00:00Z', searches: 2 },
      { from: '2090-01-01T00:00:00Z', searches: 9 },
    ];
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify({ extends: 'builtin', reranking: { prices } }) });
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('for a reply is charged to its user, before the reply ends', async () => {
    bots.chunks = [{ content: 'A refund takes fourteen days.', source_id: 'refunds' }];
    bots.settings = { reranking: used };
    const message = { model: 'local-extractive', content: [{ content_type: 'text', body: 'How long does a refund take?' }] };
    const { body } = await request(service.server)
      .post('/conversation')
      .set({ ...service.as('ann'), prefer: 'wait=10' })
      .send({ bot_id: botId, message });
    const [charge, ...more] = await charges('reranking');
    expect([charge!.type, charge!.data, more]).toMatchObject([
      'parlance.inference.tokens-charged.v1',
      {
        charge_id: expect.stringMatching(/-reranking$/),
        conversation_id: body.conversation_id,
        user_id: 'ann',
        bot_id: botId,
        model: 'rerank-v3.5',
        // The price does not include tokens.
        usage: { input_tokens: 0 },
        units: 2,
        cost_nano_dollars: 4_000_000,
      },
      [],
    ]);
  });
  it('for a test search is charged once to the user that bots names', async () => {
    const { tokens: input_tokens, ...rest } = used;
    const data = { use_id: 'u1', bot_id: botId, user_id: 'ben', input_tokens, ...rest };
    for (let time = 1; time <= 2; time++) await service.hear('parlance.bots.reranking-used.v1', 'reranking-u1', data, 'e1');
    const last = { ...data, use_id: 'u2', searches: 1 };
    await service.hear('parlance.bots.reranking-used.v1', 'reranking-u1', last, 'e2');
    const its = async () => (await charges('reranking')).filter(({ type }) => type.endsWith('knowledge-charged.v1'));
    await waitFor(async () => (await its()).some(({ data: { charge_id } }) => charge_id === 'u2'), { what: 'the charge' });
    // The price does not include tokens, and the mark covers searches as well.
    await service.hear('parlance.bots.reranking-used.v1', 'reranking-u1', { ...data, use_id: 'u3', suspicious: true }, 'e3');
    await waitFor(async () => (await its()).some(({ data: { charge_id } }) => charge_id === 'u3'), { what: 'the marked charge' });
    expect((await its()).pop()!.data['usage']).toMatchObject({ input_tokens: 0, suspicious: true });
    expect(
      (await its()).map(({ data: { charge_id, user_id, units, cost_nano_dollars } }) => [charge_id, user_id, units, cost_nano_dollars]),
    ).toEqual([
      ['u1', 'ben', 2, 4_000_000],
      ['u2', 'ben', 1, 2_000_000],
      ['u3', 'ben', 2, 4_000_000],
    ]);
  });
});
