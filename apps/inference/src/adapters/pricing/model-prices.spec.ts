import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { ReadModels } from '@parlance/read-models';
import type { Price } from '../../domain/model-prices.ts';
import { costAt, ModelPrices, priceAt, priceOf } from './model-prices.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const at = (millis: number) => Instant.plus(noon, millis);
const price = (from: number, input: number): Price => ({ from: at(from), input, output: 0, cacheRead: 0, cacheWrite: 0 });

describe('the price of a model', () => {
  const configured = [price(0, 1), price(10, 2)];

  it('is the latest one that has begun', () => {
    expect([at(9), at(10)].map((now) => priceAt(configured, [], now)?.input)).toEqual([1, 2]);
  });
  it('is null before the first begins', () => expect(priceAt(configured, [], at(-1))).toBeNull());
  it('prefers a set price to a configured one from the same time', () => {
    expect(priceAt(configured, [price(10, 7)], at(10))?.input).toBe(7);
  });
  it('is a configured price that begins after the set one', () => {
    expect(priceAt(configured, [price(5, 7)], at(10))?.input).toBe(2);
  });
  it('of cached tokens is the price of input by default', () => {
    expect(priceOf({ from: '2026-01-01T12:00:00Z', input: 3, output: 15, cache_read: 0.3 })).toEqual({
      from: noon,
      input: 3_000_000_000,
      output: 15_000_000_000,
      cacheRead: 300_000_000,
      cacheWrite: 3_000_000_000,
    });
  });
});

describe('the cost of a call', () => {
  it('counts cached input at its own prices', () => {
    const usage = { inputTokens: 10, outputTokens: 4, cacheReadTokens: 3, cacheWriteTokens: 2, estimated: false };
    const its: Price = { from: noon, input: 1_000_000, output: 10_000_000, cacheRead: 100_000_000, cacheWrite: 1_000_000_000 };
    expect(costAt(its, usage)).toBe(5 + 40 + 300 + 2_000);
  });
  it('counts tokens kept for an hour at their own price, or at the price of other writes', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 10, cacheWriteHourTokens: 4, estimated: false };
    const its: Price = { from: noon, input: 0, output: 0, cacheRead: 0, cacheWrite: 1_000_000 };
    expect(costAt({ ...its, cacheWriteHour: 100_000_000 }, usage)).toBe(6 + 400);
    expect(costAt(its, usage)).toBe(10);
  });
  it('is zero without a price', () => {
    expect(costAt(null, { inputTokens: 10, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false })).toBe(0);
  });
});

describe('the prices that were set', () => {
  /** Rows whose reads end on request. */
  function slow() {
    const rows = new Map<string, { prices: Price[] }>();
    const reads: (() => void)[] = [];
    const models = {
      getMany: (_: unknown, ids: readonly string[]) => {
        const found = new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id)!] as const] : [])));
        return new Promise((resolve) => reads.push(() => resolve(found)));
      },
    } as unknown as ReadModels;
    return { prices: new ModelPrices(models), rows, reads };
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('are read again for a call during a read', async () => {
    const { prices, rows, reads } = slow();
    const early = prices.of('m');
    await turn();
    rows.set('m', { prices: [price(0, 5)] });
    const late = [prices.of('m'), prices.of('other')];
    reads.shift()!();
    expect(await early).toEqual([]);
    await turn();
    expect(reads).toHaveLength(1);
    reads.shift()!();
    expect(await Promise.all(late)).toEqual([[price(0, 5)], []]);
  });
  it('are read again after a read has failed', async () => {
    let isAway = true;
    const getMany = async () => {
      if (isAway) throw new Error('the database is unavailable');
      return new Map();
    };
    const prices = new ModelPrices({ getMany } as unknown as ReadModels);
    await expect(prices.of('m')).rejects.toThrow('unavailable');
    isAway = false;
    expect(await prices.of('m')).toEqual([]);
  });
  it('are not read for each estimate', async () => {
    let reads = 0;
    const prices = new ModelPrices({ getMany: async () => (reads++, new Map()) } as unknown as ReadModels);
    for (let index = 0; index < 10; index++) await prices.recentOf('m');
    expect(reads).toBe(1);
  });
});
