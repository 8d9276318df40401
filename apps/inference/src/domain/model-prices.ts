import { type Decider, type Instant, refuse } from '@parlance/decider';

/** Nano-dollars per million tokens, from a moment on. */
export interface Price {
  readonly from: Instant;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Price of tokens that the provider keeps for an hour. Absent if it equals `cacheWrite`. */
  readonly cacheWriteHour?: number;
  /** Nano-dollars for 1,000 searches of the web by the provider. Absent if no price is known. */
  readonly webSearch?: number;
}

export type ModelPricesCommand = { type: 'SetPrice'; price: Price };
export type ModelPricesEvent = { type: 'ModelPriceSet'; price: Price };

/** The prices of one model that an administrator has set, in the order in which they apply. */
export interface ModelPrices {
  readonly prices: readonly Price[];
}

export const MOST_PRICES = 1_000;

export const modelPrices: Decider<ModelPricesCommand, ModelPricesEvent, ModelPrices> = {
  initialState: { prices: [] },

  decide({ price }, { prices }) {
    const before = prices.find(({ from }) => from === price.from);
    // A price may start in the past. Earlier charges keep their cost until the costs are restated.
    if (before && isSame(before, price)) return [];
    if (!before && prices.length >= MOST_PRICES)
      return refuse('conflict', 'too_many_prices', `A model has at most ${MOST_PRICES} prices. Replace one of them.`);
    return [{ type: 'ModelPriceSet', price }];
  },

  evolve({ prices }, { price }) {
    return { prices: [...prices.filter(({ from }) => from !== price.from), price].toSorted((a, b) => a.from - b.from) };
  },
};

export const cacheWriteHourOf = ({ cacheWrite, cacheWriteHour = cacheWrite }: Price): number => cacheWriteHour;

const isSame = (a: Price, b: Price): boolean =>
  a.input === b.input &&
  a.output === b.output &&
  a.cacheRead === b.cacheRead &&
  a.cacheWrite === b.cacheWrite &&
  cacheWriteHourOf(a) === cacheWriteHourOf(b) &&
  a.webSearch === b.webSearch;

export const modelPricesStream = (modelId: string) => `modelprices-${modelId}`;
