import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { RerankingPrices } from './reranking-prices.ts';

const used = { searches: 3, tokens: 1_000, estimated: false };
const at = (time: string) => Instant.parse(time);

function prices(...configured: object[]): RerankingPrices {
  const all = configured.map((each) => ({ searches: 0, tokens: 0, ...each }));
  const models = { providers: {}, models: [], defaults: {}, guardrails: { prices: [] }, reranking: { prices: all } };
  return new RerankingPrices({ models } as unknown as Config);
}

describe('the price of a reranker', () => {
  it('is the current price, for searches or for tokens', () => {
    const its = prices({ from: '2026-06-01T00:00:00Z', tokens: 0.05 }, { from: '2026-01-01T00:00:00Z', searches: 2 });
    expect(its.cost(used, at('2026-03-01T00:00:00Z'))).toMatchObject({ units: 3, usage: { inputTokens: 0 }, costNanoDollars: 6_000_000 });
    expect(its.cost(used, at('2026-06-01T00:00:00Z'))).toMatchObject({ units: 3, usage: { inputTokens: 1_000 }, costNanoDollars: 50_000 });
  });
  it('marks suspicious tokens and searches', () => {
    const suspicious = { ...used, suspicious: true } as const;
    const cost = (price: object) => prices({ from: '2026-01-01T00:00:00Z', ...price }).cost(suspicious, at('2026-01-01T00:00:00Z'))?.usage;
    expect([cost({ tokens: 1 })?.suspicious, cost({ searches: 1 })?.suspicious]).toEqual([true, true]);
  });
  it('is null before the first price, and if nothing is configured', () => {
    expect(prices({ from: '2026-01-01T00:00:00Z', searches: 1 }).cost(used, at('2025-12-31T00:00:00Z'))).toBeNull();
    expect(new RerankingPrices({ models: null } as Config).cost(used, at('2026-11-01T00:00:00Z'))).toBeNull();
  });
});
