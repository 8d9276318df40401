import { Injectable } from '@nestjs/common';
import { Clock } from '@parlance/foundation';
import type { Charge } from '../domain/conversation-events.ts';
import { inputUsage } from '../domain/input-usage.ts';
import { Catalogue } from './catalogue.ts';
import type { PaidSearch } from './from-bot.ts';
import { RerankingPrices } from './reranking-prices.ts';

export type SearchCharge = Charge & { readonly purpose: 'embedding' | 'reranking' };

/** What a search in the knowledge of a bot has cost. */
@Injectable()
export class SearchCharges {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly rerankings: RerankingPrices,
    private readonly clock: Clock,
  ) {}

  /** `id`: of the search. Each charge of it has an ID of its own. */
  async of({ embedding, reranking }: PaidSearch, id: string): Promise<readonly SearchCharge[]> {
    const now = this.clock.now();
    const charges: SearchCharge[] = [];
    if (embedding) {
      const { model } = embedding;
      const usage = inputUsage(embedding);
      const costNanoDollars = await this.catalogue.cost(model, usage, now);
      charges.push({ chargeId: `${id}-embedding`, purpose: 'embedding', model, usage, costNanoDollars });
    }
    const cost = reranking && this.rerankings.cost(reranking, now);
    if (cost) charges.push({ chargeId: `${id}-reranking`, purpose: 'reranking', model: reranking.model, ...cost });
    return charges;
  }
}
