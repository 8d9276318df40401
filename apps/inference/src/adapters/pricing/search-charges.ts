import { Injectable } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { Charge } from '../../domain/conversation-events.ts';
import { type InputTokens, inputUsage } from '../../domain/input-usage.ts';
import { Catalogue } from './catalogue.ts';
import type { PaidReranking, PaidSearch } from '../from-bot.ts';
import { RerankingPrices } from './reranking-prices.ts';

export type SearchCharge = Charge & { readonly purpose: 'embedding' | 'reranking' };
type Cost = Omit<SearchCharge, 'chargeId'>;

/** The cost of models that are used to search the knowledge of bots. */
@Injectable()
export class SearchCharges {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly rerankings: RerankingPrices,
    private readonly clock: Clock,
  ) {}

  /** The charges of one search. `id`: the search's ID. Each charge has its own ID. */
  async of({ embedding, reranking }: PaidSearch, id: string): Promise<readonly SearchCharge[]> {
    const now = this.clock.now();
    const costs = [embedding && (await this.embedding(embedding, now)), reranking && this.reranking(reranking, now)];
    return costs.flatMap((cost) => (cost ? [{ chargeId: `${id}-${cost.purpose}`, ...cost }] : []));
  }

  async embedding({ model, ...tokens }: InputTokens & { readonly model: string }, at: Instant): Promise<Cost> {
    const usage = inputUsage(tokens);
    return { purpose: 'embedding', model, usage, costNanoDollars: await this.catalogue.cost(model, usage, at) };
  }

  /** Null without a price, because the reranker is free. */
  reranking({ model, ...used }: PaidReranking, at: Instant): Cost | null {
    const cost = this.rerankings.cost(used, at);
    return cost && { purpose: 'reranking', model, ...cost };
  }
}
