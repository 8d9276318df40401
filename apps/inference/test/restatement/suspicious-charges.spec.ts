import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../../src/service.ts';

const from = '2020-01-01T00:00:00Z';
const REPORTED = 900_000;

interface Charge {
  readonly charge_id: string;
  readonly user_id: string;
  readonly as_billed: number;
  readonly as_corrected: number | null;
}
interface Published {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('charges with suspicious numbers of tokens', () => {
  let service: ServiceUnderTest;
  let provider: UnrulyProvider;
  const asRoot = () => service.as('root', 'Admin');
  const admin = (method: 'get' | 'put' | 'post', path: string) => request(service.server)[method](`/admin/costs${path}`).set(asRoot());
  const listed = async (query = ''): Promise<readonly Charge[]> => (await admin('get', `/suspicious-charges${query}`)).body.charges;
  const correct = (id: string, cost: number) => admin('put', `/suspicious-charges/${id}/correction`).send({ cost });
  const published = async () =>
    (await service.host.published.of('inference').then((log) => log!.after(0))).events as unknown as readonly Published[];
  /** The amounts that analytics adds to the costs as corrected, by user. */
  const corrections = async () => {
    const sums: Record<string, number> = {};
    for (const { data } of await published())
      for (const one of [data, ...((data['corrections'] as Published['data'][]) ?? [])])
        if (typeof one['difference_nano_dollars'] === 'number')
          sums[one['user_id'] as string] = (sums[one['user_id'] as string] ?? 0) + one['difference_nano_dollars'];
    return sums;
  };
  const restated = async () => {
    const { body } = await admin('post', '/restate').send({ from, dry_run: false });
    const shown = async () => (await admin('get', `/restatements/${body.id}`)).body;
    await waitFor(async () => (await shown()).status === 'completed', { what: 'the restatement' });
    return shown();
  };
  const reply = async (user: string, input: number) => {
    provider.behave = () => ({ does: 'answer', text: ['Hello'], usage: { input, output: 2 } });
    const message = { model: 'away', content: [{ content_type: 'text', body: 'hello' }] };
    const answer = await request(service.server)
      .post('/conversation')
      .set({ ...service.as(user), prefer: 'wait=10' })
      .send({ message });
    expect(answer.body.status).toBe('completed');
  };

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const model = { id: 'away', provider: 'away', model: 'm', context_window: 8_000, prices: [{ from, input: 1, output: 10 }] };
    const reranking = { prices: [{ from, tokens: 1 }] };
    const models = {
      extends: 'builtin',
      providers: { away: { type: 'openai_compatible', base_url: provider.url } },
      models: [model],
      reranking,
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await reply('ann', REPORTED);
    await reply('ben', 10);
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  it('are charged as reported, and listed with the event of their charge', async () => {
    const charge = (await published()).find(({ type, data }) => type.endsWith('reply-completed.v1') && data['user_id'] === 'ann')!;
    expect(charge.data['cost_nano_dollars']).toBe(REPORTED * 1_000 + 20_000);
    expect(await listed()).toMatchObject([
      {
        charge_id: charge.id,
        user_id: 'ann',
        purpose: 'chat',
        model: 'away',
        input_tokens: REPORTED,
        output_tokens: 2,
        as_billed: 0.90002,
        as_corrected: null,
      },
    ]);
  });
  it('of embeddings are listed as well', async () => {
    const used = { use_id: 'u1', bot_id: 'b', user_id: 'eve', model: 'away', input_tokens: 5_000, estimated: false, suspicious: true };
    await service.hear('parlance.bots.embedding-used.v1', 'embedding-u1', used, 'e1');
    await waitFor(async () => (await listed()).length === 2, { what: 'the charge' });
    expect((await listed())[0]).toMatchObject({ user_id: 'eve', purpose: 'embedding', bot_id: 'b', as_billed: 0.005 });
  });
  it('are corrected by an administrator: the differences are published, and add up to the last correction', async () => {
    const { charge_id } = (await listed()).find(({ user_id }) => user_id === 'ann')!;
    expect((await correct(charge_id, 0.5)).body).toMatchObject({ charge_id, as_billed: 0.90002, as_corrected: 0.5 });
    expect((await correct(charge_id, 0.25)).body).toMatchObject({ as_corrected: 0.25, corrected_time: expect.any(Number) });
    expect((await correct(charge_id, 0.25)).status).toBe(200);
    expect(await corrections()).toEqual({ ann: 250_000_000 - 900_020_000 });
    expect([(await listed('?corrected=true')).length, (await listed('?corrected=false')).length]).toEqual([1, 1]);
  });
  it('keep their corrected costs in a restatement', async () => {
    const price = { from, input: 2, output: 20 };
    await request(service.server).put('/admin/models/away/prices').set(asRoot()).send(price).expect(200);
    const { models } = await restated();
    // The charge of ann as corrected, and the charges of ben and eve at twice the price.
    expect(models[0]).toMatchObject({ as_billed: 0.90002 + 0.00003 + 0.005, as_corrected: 0.25 + 2 * 0.00003 + 2 * 0.005 });
    expect(await corrections()).toEqual({ ann: 250_000_000 - 900_020_000, ben: 30_000, eve: 5_000_000 });
  });
  it('are corrected from the result of the last restatement', async () => {
    const { charge_id } = (await listed('?corrected=false'))[0]!;
    await correct(charge_id, 0.001);
    expect(await corrections()).toMatchObject({ eve: 1_000_000 - 5_000_000 });
  });
  it('of a reranker never have the price of a model, whatever its name is', async () => {
    const used = { use_id: 'u2', bot_id: 'b', user_id: 'kim', model: 'away', searches: 1, input_tokens: 5_000, estimated: false };
    await service.hear('parlance.bots.reranking-used.v1', 'reranking-u2', { ...used, suspicious: true }, 'e2');
    const its = async () => (await listed()).find(({ user_id }) => user_id === 'kim');
    await waitFor(async () => (await its()) !== undefined, { what: 'the charge' });
    await restated();
    const { charge_id } = (await its())!;
    expect((await correct(charge_id, 0.002)).body).toMatchObject({ purpose: 'reranking', as_billed: 0.005, as_corrected: 0.002 });
    expect(await corrections()).toMatchObject({ kim: 2_000_000 - 5_000_000 });
  });
  it('cannot be corrected if they are unknown, with an invalid amount, or by others', async () => {
    const unknown = '01K0000000000000000000000A';
    expect((await correct(unknown, 1)).body.code).toBe('charge_not_found');
    for (const cost of [-1, 1e-10, 10_001]) expect((await correct(unknown, cost)).body.code).toBe('invalid_body');
    const path = '/admin/costs/suspicious-charges';
    expect((await request(service.server).get(path).set(service.as('ann'))).status).toBe(403);
  });
  it('are listed as CSV', async () => {
    const { text } = await admin('get', '/suspicious-charges').set('accept', 'text/csv');
    expect(text.split('\r\n')[0]).toMatch(/^\uFEFF?charge_id,create_time,user_id/);
    expect(text).toContain('ann');
  });
});
