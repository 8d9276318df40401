import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { Clock, type Service } from '@parlance/foundation';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { costAt, priceOf } from '../../src/adapters/pricing/model-prices.ts';
import { ExecuteRestatements } from '../../src/commands/aggregates.ts';
import { InferenceModule } from '../../src/inference.module.ts';
import { handlers } from '../../src/bus.ts';
import { RESTATEMENT_LEASE_MILLIS, Restating } from '../../src/workflows/restatement/restating.ts';
import { ByPlace, costAtLast, type OraclePrice, type PublishedCharge } from './price-oracle.ts';

const HOUR = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();
const price = (from: string, input: number): OraclePrice => ({
  from,
  input,
  output: input * 4,
  cache_read: input / 8,
  cache_write: input * 1.25,
});
const first = price('2020-01-01T00:00:00.000Z', 0.123456784);
const catalogue = {
  extends: 'builtin',
  providers: { here: { type: 'local' } },
  models: ['paid', 'other', 'free'].map((id) => ({
    id,
    provider: 'here',
    model: 'x',
    context_window: 4_000,
    ...(id !== 'free' && { prices: [first] }),
  })),
};

/** The same sequence in every run. */
let seed = 20_261_122;
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;

const parts = {} as { store: EventStore; restating: Restating; commands: CommandBus; queries: QueryBus; clock: Clock };
const service: Service = {
  name: 'inference',
  handlers,
  module: async (host) => {
    const inner = await InferenceModule.of(host);
    const inject = [EventStore, Restating, CommandBus, QueryBus, Clock];
    const useFactory = (store: EventStore, restating: Restating, commands: CommandBus, queries: QueryBus, clock: Clock) =>
      Object.assign(parts, { store, restating, commands, queries, clock });
    return { ...inner, providers: [...inner.providers!, { provide: 'parts', inject, useFactory }] };
  },
};

describe('past usage at corrected prices', () => {
  let running: ServiceUnderTest;
  const asRoot = () => running.as('root', 'Admin');
  const setPrice = (model: string, body: OraclePrice) =>
    request(running.server).put(`/admin/models/${model}/prices`).set(asRoot()).send(body).expect(200);
  const restate = (body: object) => request(running.server).post('/admin/costs/restate').set(asRoot()).send(body);
  const shown = async (id: string) => (await request(running.server).get(`/admin/costs/restatements/${id}`).set(asRoot())).body;
  async function restated(body: object) {
    const { status, body: restatement } = await restate(body);
    expect([status, restatement.code]).toEqual([202, undefined]);
    await waitFor(async () => (await shown(restatement.id)).status === 'completed', { what: 'the restatement' });
    return shown(restatement.id);
  }
  const published = () => running.published<PublishedCharge['data']>();
  const charges = async () => (await published()).filter(({ data }) => data.cost_nano_dollars !== undefined);
  /** The sums of all published corrections. */
  async function corrected() {
    const sums = new ByPlace();
    for (const { data } of await published())
      for (const one of data.corrections ?? []) sums.add(one.hour, one, BigInt(one.difference_nano_dollars));
    return sums.entries;
  }
  /** The expected corrections for these prices of each model. Usage before `from` is as billed. */
  function expected(all: readonly PublishedCharge[], prices: Readonly<Record<string, readonly OraclePrice[]>>, from: string) {
    const sums = new ByPlace();
    for (const charge of all) {
      const { time, data } = charge;
      const cost = time < from ? null : costAtLast(prices[data.model] ?? [], charge);
      if (cost !== null) sums.add(time.slice(0, 13), data, cost - BigInt(data.cost_nano_dollars));
    }
    return sums.entries;
  }
  /** Charges in the log, each at the first price, with its own time. */
  async function enterCharges(count: number, begin: number) {
    const its = priceOf(first);
    for (let index = 0; index < count; index++) {
      const [inputTokens, outputTokens] = [random(5_000), random(2_000)];
      const cacheReadTokens = random(inputTokens + 1);
      const usage = {
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens: random(inputTokens - cacheReadTokens + 1),
        estimated: false,
      };
      const model = ['paid', 'paid', 'other', 'free', 'gone'][random(5)]!;
      const api = random(3) === 0 ? { api: { apiId: 'api', keyId: `key${random(2)}` } } : {};
      const event = {
        type: 'KnowledgeCharged',
        purpose: 'embedding',
        userId: `user${random(4)}`,
        botId: `bot${random(3)}`,
        ...api,
        model,
        usage,
        costNanoDollars: model === 'free' ? 0 : costAt(its, usage),
      };
      const at = Instant.ofMillis(now - random(200 * 24) * HOUR - random(HOUR));
      const metadata = { at, actor: null, ip: null, userAgent: null, requestId: 'r', correlationId: 'c', causationId: null };
      await parts.store.append({ stream: `knowledgecharge-${begin + index}`, expected: 0, events: [event], metadata } as never);
    }
  }

  beforeAll(async () => {
    running = await serviceUnderTest(service, { PARLANCE_MODELS: JSON.stringify(catalogue) });
    await enterCharges(1_500, 0);
  });
  afterAll(() => running.stop());

  const from = ago(100 * 24);
  const corrections = [price(ago(120 * 24), 0.2), price(ago(30 * 24), 0.05)];

  it('costs the billed amount while no price has changed', async () => {
    const { models, total } = await restated({ from: '2020-01-01T00:00:00Z', dry_run: false });
    expect(models.map(({ model, difference }: { model: string; difference: number }) => [model, difference])).toEqual([
      ['other', 0],
      ['paid', 0],
    ]);
    expect(total.as_billed).toBeGreaterThan(0);
    expect(await corrected()).toEqual({});
  });
  it('is shown by a dry run, with its tokens and both costs, and is not changed', async () => {
    for (const one of corrections) await setPrice('paid', one);
    const { models, dry_run } = await restated({ from, model: 'paid', dry_run: true });
    const its = (await charges()).filter(({ time, data }) => data.model === 'paid' && time >= from);
    const sum = (field: keyof PublishedCharge['data']['usage']) => its.reduce((all, { data }) => all + data.usage[field], 0);
    const asBilled = its.reduce((all, { data }) => all + BigInt(data.cost_nano_dollars), 0n);
    const asCorrected = its.reduce((all, charge) => all + costAtLast(corrections, charge)!, 0n);
    expect(dry_run).toBe(true);
    expect(models).toEqual([
      {
        model: 'paid',
        calls: its.length,
        input_tokens: sum('input_tokens'),
        output_tokens: sum('output_tokens'),
        cache_read_tokens: sum('cache_read_tokens'),
        cache_write_tokens: sum('cache_write_tokens'),
        as_billed: Number(asBilled) / 1e9,
        as_corrected: Number(asCorrected) / 1e9,
        difference: Number(asCorrected - asBilled) / 1e9,
        as_corrected_before: Number(asBilled) / 1e9,
      },
    ]);
    expect(await corrected()).toEqual({});
  });
  it('is corrected to the nano-dollar, by hour, payer, bot, key and model', async () => {
    await restated({ from, model: 'paid', dry_run: false });
    const wanted = expected(await charges(), { paid: corrections }, from);
    expect(Object.keys(wanted).length).toBeGreaterThan(100);
    expect(await corrected()).toEqual(wanted);
  });
  it('is not corrected twice', async () => {
    const before = await corrected();
    const { models } = await restated({ from, model: 'paid', dry_run: false });
    expect(models[0].as_corrected).toBe(models[0].as_corrected_before);
    expect(await corrected()).toEqual(before);
  });
  it('of all models has the newest prices if restatements overlap, and keeps the others', async () => {
    const later = [price(ago(50 * 24), 0.9)];
    await setPrice('paid', later[0]!);
    await setPrice('other', later[0]!);
    await restated({ from: ago(40 * 24), dry_run: false });
    const all = await charges();
    const newest = [corrections[0]!, later[0]!, corrections[1]!];
    const sums = new ByPlace();
    for (const charge of all) {
      const { time, data } = charge;
      const isLater = time >= ago(40 * 24);
      const prices =
        data.model === 'paid' ? (isLater ? newest : time >= from ? corrections : []) : data.model === 'other' && isLater ? later : [];
      const cost = costAtLast(prices, charge);
      if (cost !== null) sums.add(time.slice(0, 13), data, cost - BigInt(data.cost_nano_dollars));
    }
    expect(await corrected()).toEqual(sums.entries);
  });
  it('after a restatement is charged at the new price, and is not corrected', async () => {
    const before = await corrected();
    const message = { model: 'paid', content: [{ content_type: 'text', body: 'hello' }] };
    const { body } = await request(running.server)
      .post('/conversation')
      .set({ ...running.as('ann'), prefer: 'wait=10' })
      .send({ message });
    const charge = (await charges()).find(({ data }) => (data as { conversation_id?: string }).conversation_id === body.conversation_id)!;
    expect(BigInt(charge.data.cost_nano_dollars)).toBe(costAtLast([corrections[1]!], charge));
    await restated({ from: ago(40 * 24), dry_run: false });
    expect(await corrected()).toEqual(before);
  });
  it('is corrected once when the worker crashes after a part', async () => {
    await enterCharges(1_200, 10_000);
    const { restating, commands, queries, store, clock } = parts;
    const continueRunning = restating.continueRunning.bind(restating);
    restating.continueRunning = async () => undefined;
    await setPrice('other', price('2021-01-01T00:00:00Z', 0.7));
    const { body } = await restate({ from: '2021-01-01T00:00:00Z', model: 'other', dry_run: false });
    let recorded = 0;
    const dying = {
      async execute(envelope: InstanceType<typeof ExecuteRestatements>) {
        if (recorded > 0 && envelope.command.type === 'Advance') throw new Error('the worker is killed');
        const done = await commands.execute(envelope);
        if (envelope.command.type === 'Advance') recorded++;
        return done;
      },
    } as unknown as CommandBus;
    const other = new Restating(dying, queries, store, clock, null as never);
    await expect(other.continueRunning()).rejects.toThrow('killed');
    expect((await shown(body.id)).status).toBe('running');
    expect((await restate({ from, dry_run: true })).body.code).toBe('restatement_running');
    // Not before the lease of the lost worker has ended.
    await continueRunning();
    expect((await shown(body.id)).status).toBe('running');
    running.later(RESTATEMENT_LEASE_MILLIS + 1);
    await continueRunning();
    const { status, models } = await shown(body.id);
    const its = (await charges()).filter(({ data }) => data.model === 'other');
    expect([status, recorded, models[0].calls]).toEqual(['completed', 1, its.length]);
    const prices = [price('2021-01-01T00:00:00Z', 0.7), price(ago(50 * 24), 0.9)];
    const ofOther = Object.entries(await corrected()).filter(([key]) => key.endsWith('|other'));
    expect(Object.fromEntries(ofOther)).toEqual(expected(its, { other: prices }, '2021'));
  });
  it.each([
    [{ from: '2026-02-30T99:00:00Z', dry_run: true }, 400, 'invalid_body'],
    [{ from: '2099-01-01T00:00:00Z', dry_run: true }, 400, 'invalid_body'],
    [{ from: '2026-01-01T00:00:00Z' }, 400, 'invalid_body'],
    [{ from: '2026-01-01T00:00:00Z', dry_run: true, model: 'unknown' }, 404, 'model_not_found'],
  ])('is refused for %j', async (body, status, code) => {
    const answer = await restate(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
  it('is only for administrators', async () => {
    const send = request(running.server).post('/admin/costs/restate').set(running.as('ann', 'PublishAllowed'));
    expect((await send.send({ from, dry_run: true })).status).toBe(403);
    expect((await request(running.server).get('/admin/costs/restatements').set(running.as('ann'))).status).toBe(403);
  });
  it('has its restatements listed, the newest first, by pages', async () => {
    const get = async (query: string) => (await request(running.server).get(`/admin/costs/restatements?${query}`).set(asRoot())).body;
    const { restatements } = await get('limit=100');
    const { restatements: head, next_token } = await get('limit=1');
    const { restatements: tail } = await get(`limit=100&next_token=${next_token}`);
    expect(restatements.length).toBeGreaterThan(3);
    expect([...head, ...tail]).toEqual(restatements);
    const sending = request(running.server).get('/admin/costs/restatements').set(asRoot()).set('accept', 'text/csv');
    const [columns, ...lines] = (await sending.expect(200).expect('content-type', 'text/csv; charset=utf-8')).text.trimEnd().split('\r\n');
    expect(columns).toBe('id,from,model,dry_run,status,create_time,finished_time,as_billed,as_corrected,difference');
    expect(lines.map((line) => line.split(',', 1)[0])).toEqual(restatements.map(({ id }: { id: string }) => id));
    expect(restatements.map(({ id }: { id: string }) => id)).toEqual(
      restatements
        .map(({ id }: { id: string }) => id)
        .toSorted()
        .toReversed(),
    );
  });
});
