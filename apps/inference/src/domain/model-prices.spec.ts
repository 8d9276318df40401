import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { MOST_PRICES, type ModelPricesEvent, modelPrices, type Price } from './model-prices.ts';

const given = specify(modelPrices);
const noon = Instant.parse('2026-01-01T12:00:00Z');
const from = (millis: number, input = 3): Price => ({ from: Instant.plus(noon, millis), input, output: 15, cacheRead: 1, cacheWrite: 4 });
const set = (price: Price): ModelPricesEvent => ({ type: 'ModelPriceSet', price });
const setAt = (price: Price) => ({ type: 'SetPrice', price }) as const;

describe('setting the price of a model', () => {
  it('accepts a price that begins later', () =>
    given()
      .when(setAt(from(1)))
      .emits(set(from(1))));
  it('accepts a price from the past, as a correction', () =>
    given()
      .when(setAt(from(-1)))
      .emits(set(from(-1))));
  it('replaces a price from the same time', () =>
    given(set(from(1)))
      .when(setAt(from(1, 5)))
      .emits(set(from(1, 5))));
  it('is idempotent', () =>
    given(set(from(1)))
      .when(setAt(from(1)))
      .emits());
  it.each(['output', 'cacheRead', 'cacheWrite', 'cacheWriteHour'] as const)('treats another %s as a change', (field) => {
    const changed = { ...from(1), [field]: 99 };
    given(set(from(1)))
      .when(setAt(changed))
      .emits(set(changed));
  });
  it('refuses more than a thousand prices of one model, and still replaces existing ones', () => {
    const many = Array.from({ length: MOST_PRICES }, (_, index) => set(from(index + 1)));
    given(...many)
      .when(setAt(from(MOST_PRICES + 1)))
      .refuses('too_many_prices');
    given(...many)
      .when(setAt(from(7, 8)))
      .emits(set(from(7, 8)));
  });
  it('keeps prices in the order in which they begin', () => {
    const { prices } = fold(modelPrices, [set(from(3)), set(from(1)), set(from(2)), set(from(3, 9))]);
    expect(prices).toEqual([from(1), from(2), from(3, 9)]);
  });
});
