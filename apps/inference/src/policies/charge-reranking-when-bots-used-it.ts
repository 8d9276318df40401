import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { RerankingUsed } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { RerankingPrices } from '../adapters/reranking-prices.ts';
import { knowledgeCharge, knowledgeChargeStream } from '../domain/knowledge-charge.ts';

/** As with embeddings. Nothing is charged without a price. */
@Controller()
export class ChargeRerankingWhenBotsUsedIt {
  constructor(
    private readonly streams: Streams,
    private readonly prices: RerankingPrices,
  ) {}

  @EventPattern(RerankingUsed.type)
  async on(@Payload() event: CloudEvent<RerankingUsed>): Promise<void> {
    const { use_id, bot_id: botId, user_id: userId, model, input_tokens: tokens, ...reported } = event.data;
    const cost = this.prices.cost({ tokens, ...reported }, Instant.parse(event.time));
    if (!cost) return;
    const charge = { type: 'Charge', purpose: 'reranking', userId, botId, model, ...cost } as const;
    await this.streams.react('charge-reranking', [event], knowledgeCharge, knowledgeChargeStream(use_id), charge);
  }
}
