import { Injectable } from '@nestjs/common';
import { Config, type RerankingPrice, wholeCatalogue } from '@parlance/config';
import { type Instant, Instant as Instants } from '@parlance/decider';
import { costOf, nanoDollars } from '@parlance/money';
import type { Usage } from '../../domain/conversation-events.ts';
import { inputUsage } from '../../domain/input-usage.ts';
import type { PaidReranking } from '../from-bot.ts';

/** Prices of searches are per 1,000. */
const PER_MILLION = 1_000;

export interface RerankingCost {
  /** The tokens, zero if the price does not count them. */
  readonly usage: Usage;
  /** The number of searches. */
  readonly units: number;
  readonly costNanoDollars: number;
}

/** The cost of the installation's reranker. */
@Injectable()
export class RerankingPrices {
  /** The prices in the order in which they apply. */
  private readonly prices: readonly (RerankingPrice & { readonly at: Instant })[];

  constructor({ models }: Config) {
    const { prices } = wholeCatalogue(models).reranking;
    this.prices = prices.map((price) => ({ ...price, at: Instants.parse(price.from) })).toSorted((a, b) => a.at - b.at);
  }

  /** The cost at the current price. Null without a price, because the reranker is free. */
  cost({ searches: units, ...tokens }: Omit<PaidReranking, 'model'>, at: Instant): RerankingCost | null {
    const price = this.prices.findLast((each) => each.at <= at);
    if (!price) return null;
    const usage = inputUsage(price.tokens > 0 ? tokens : { ...tokens, tokens: 0, estimated: false });
    const costNanoDollars = costOf(units, nanoDollars(price.searches) * PER_MILLION) + costOf(usage.inputTokens, nanoDollars(price.tokens));
    return { usage, units, costNanoDollars };
  }
}
