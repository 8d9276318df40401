import { type Decider, type Instant, refuse } from '@parlance/decider';

/** Nano-dollars per million tokens, from a moment on. */
export interface Price {
  readonly from: Instant;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export type ModelPricesCommand = { type: 'SetPrice'; price: Price; now: Instant };
export type ModelPricesEvent = { type: 'ModelPriceSet'; price: Price };

/** The prices of one model that an administrator has set, by their beginning. */
export interface ModelPrices {
  readonly prices: readonly Price[];
}

export const MOST_PRICES = 1_000;

export const modelPrices: Decider<ModelPricesCommand, ModelPricesEvent, ModelPrices> = {
  initialState: { prices: [] },

  decide({ price, now }, { prices }) {
    const before = prices.find(({ from }) => from === price.from);
    if (before && isSame(before, price)) return [];
    // What was charged at a price is never changed afterwards.
    if (price.from <= now)
      return refuse('invalid', 'price_in_past', 'A price cannot begin in the past. Set `from` to a moment that is still to come.', {
        errors: [{ path: 'from', message: 'must be in the future' }],
      });
    if (!before && prices.length >= MOST_PRICES)
      return refuse('conflict', 'too_many_prices', `A model has at most ${MOST_PRICES} prices. Replace one that has not begun yet.`);
    return [{ type: 'ModelPriceSet', price }];
  },

  evolve({ prices }, { price }) {
    return { prices: [...prices.filter(({ from }) => from !== price.from), price].toSorted((a, b) => a.from - b.from) };
  },
};

const isSame = (a: Price, b: Price): boolean =>
  a.input === b.input && a.output === b.output && a.cacheRead === b.cacheRead && a.cacheWrite === b.cacheWrite;

export const modelPricesStream = (modelId: string) => `modelprices-${modelId}`;
