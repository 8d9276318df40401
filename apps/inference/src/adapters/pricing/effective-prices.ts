import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import type { Price } from '../../domain/model-prices.ts';
import type { PricesByModel } from '../../domain/restatement/restatement.ts';
import { Catalogue } from './catalogue.ts';
import { ModelPrices } from './model-prices.ts';

/** The prices of models in a period: prices that were set, and configured ones. */
@Injectable()
export class EffectivePrices {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly prices: ModelPrices,
  ) {}

  /** The prices of one model, or of all in the catalogue. Leaves out models without a price in this period. */
  async between(from: Instant, to: Instant, model: string | null): Promise<PricesByModel> {
    const ids = model === null ? [...this.catalogue.entries.keys()] : [model];
    const set = await this.prices.ofMany(ids);
    const all = ids.map((id) => [id, effective(this.catalogue.pricesOf(id), set.get(id)?.prices ?? [], from, to)] as const);
    return Object.fromEntries(all.filter(([, prices]) => prices.length > 0));
  }
}

/** The prices in the order in which they apply. A price that was set replaces a configured one from the same time. The first may begin before `from`. */
export function effective(configured: readonly Price[], set: readonly Price[], from: Instant, to: Instant): readonly Price[] {
  const byStart = new Map([...configured, ...set].map((price) => [price.from, price]));
  const begun = [...byStart.values()].filter((price) => price.from <= to).toSorted((a, b) => a.from - b.from);
  const first = begun.findLastIndex((price) => price.from <= from);
  return begun.slice(Math.max(first, 0));
}
