import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { EmbeddingUsed } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { Catalogue } from '../adapters/catalogue.ts';
import { inputUsage } from '../domain/input-usage.ts';
import { knowledgeCharge, knowledgeChargeStream } from '../domain/knowledge-charge.ts';

/** Bots knows the tokens, and this service the prices. The price is that of the moment in which the tokens were used. */
@Controller()
export class ChargeEmbeddingWhenBotsUsedIt {
  constructor(
    private readonly streams: Streams,
    private readonly catalogue: Catalogue,
  ) {}

  @EventPattern(EmbeddingUsed.type)
  async on(@Payload() event: CloudEvent<EmbeddingUsed>): Promise<void> {
    const { use_id, bot_id: botId, user_id: userId, model, input_tokens: tokens, ...reported } = event.data;
    const usage = inputUsage({ tokens, ...reported });
    const costNanoDollars = await this.catalogue.cost(model, usage, Instant.parse(event.time));
    const charge = { type: 'Charge', purpose: 'embedding', userId, botId, model, usage, costNanoDollars } as const;
    await this.streams.react('charge-embedding', [event], knowledgeCharge, knowledgeChargeStream(use_id), charge);
  }
}
