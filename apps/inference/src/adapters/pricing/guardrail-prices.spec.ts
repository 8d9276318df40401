import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { GuardrailPrices } from './guardrail-prices.ts';

const free = { content: 0, topic: 0, sensitive_information: 0, contextual_grounding: 0, automated_reasoning: 0 };
const at = (time: string) => Instant.parse(time);

function prices(...configured: object[]): GuardrailPrices {
  const models = { providers: {}, models: [], defaults: {}, guardrails: { prices: configured.map((each) => ({ ...free, ...each })) } };
  return new GuardrailPrices({ models } as unknown as Config);
}

describe('the price of a guardrail', () => {
  it('is the current price, for each policy', () => {
    const its = prices({ from: '2026-06-01T00:00:00Z', content: 0.2 }, { from: '2026-01-01T00:00:00Z', content: 0.1, topic: 0.000_001 });
    const call = { ...free, content: 10, topic: 3 };
    expect(its.cost([call], at('2026-03-01T00:00:00Z'))).toEqual({ units: 13, costNanoDollars: 1_000_003 });
    expect(its.cost([call, call], at('2026-06-01T00:00:00Z'))).toEqual({ units: 26, costNanoDollars: 4_000_000 });
  });
  it('is zero before the first price', () =>
    expect(prices({ from: '2026-01-01T00:00:00Z', content: 1 }).cost([{ ...free, content: 1 }], at('2025-12-31T00:00:00Z'))).toEqual({
      units: 1,
      costNanoDollars: 0,
    }));
  it('is the list price if nothing is configured', () =>
    expect(new GuardrailPrices({ models: null } as Config).cost([{ ...free, topic: 1_000 }], at('2026-11-01T00:00:00Z'))).toEqual({
      units: 1_000,
      costNanoDollars: 150_000_000,
    }));
});
