import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { EmbeddingUsed, RerankingUsed } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { SearchCharges } from '../adapters/pricing/search-charges.ts';
import { knowledgeCharge, knowledgeChargeStream } from '../domain/knowledge-charge.ts';

/** The bots service reports the use, and this service knows the prices. The price at the time of the use applies. */
@Controller()
export class ChargeKnowledgeWhenBotsUsedIt {
  constructor(
    private readonly streams: Streams,
    private readonly charges: SearchCharges,
  ) {}

  @EventPattern(EmbeddingUsed.type)
  async embedding(@Payload() event: CloudEvent<EmbeddingUsed>): Promise<void> {
    const { input_tokens: tokens, ...used } = event.data;
    await this.charge('charge-embedding', event, await this.charges.embedding({ tokens, ...used }, Instant.parse(event.time)));
  }

  @EventPattern(RerankingUsed.type)
  async reranking(@Payload() event: CloudEvent<RerankingUsed>): Promise<void> {
    const { input_tokens: tokens, ...used } = event.data;
    await this.charge('charge-reranking', event, this.charges.reranking({ tokens, ...used }, Instant.parse(event.time)));
  }

  private async charge(
    name: string,
    event: CloudEvent<EmbeddingUsed | RerankingUsed>,
    cost: ReturnType<SearchCharges['reranking']>,
  ): Promise<void> {
    if (!cost) return;
    const { use_id, bot_id: botId, user_id: userId } = event.data;
    const charge = { type: 'Charge', userId, botId, ...cost } as const;
    await this.streams.react(name, [event], knowledgeCharge, knowledgeChargeStream(use_id), charge);
  }
}
