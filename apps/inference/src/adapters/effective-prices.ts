import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import type { Price } from '../domain/model-prices.ts';
import type { PricesByModel } from '../domain/restatement/restatement.ts';
import { Catalogue } from './catalogue.ts';
import { ModelPrices } from './model-prices.ts';

/** The prices of models in a time: those that were set, and those of the catalogue. */
@Injectable()
export class EffectivePrices {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly prices: ModelPrices,
  ) {}

  /** Of one model, or of all in the catalogue. A model without a price in this time is left out. */
  async between(from: Instant, to: Instant, model: string | null): Promise<PricesByModel> {
    const ids = model === null ? [...this.catalogue.entries.keys()] : [model];
    const set = await this.prices.ofMany(ids);
    const all = ids.map((id) => [id, effective(this.catalogue.pricesOf(id), set.get(id)?.prices ?? [], from, to)] as const);
    return Object.fromEntries(all.filter(([, prices]) => prices.length > 0));
  }
}

/** By their beginning. A price that was set replaces a configured one with the same beginning. The first may begin before the time. */
export function effective(configured: readonly Price[], set: readonly Price[], from: Instant, to: Instant): readonly Price[] {
  const byBeginning = new Map([...configured, ...set].map((price) => [price.from, price]));
  const begun = [...byBeginning.values()].filter((price) => price.from <= to).toSorted((a, b) => a.from - b.from);
  const first = begun.findLastIndex((price) => price.from <= from);
  return begun.slice(Math.max(first, 0));
}
