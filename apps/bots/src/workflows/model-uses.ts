import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { ExecuteEmbeddingUse, ExecuteRerankingUse } from '../commands/aggregates.ts';
import type { EmbeddingUse } from '../domain/embedding-use.ts';
import type { PaidSearch } from '../projections/retrieval.ts';

/** Records what embedding models and rerankers of providers have used, so that it is charged. */
@Injectable()
export class ModelUses {
  constructor(private readonly commands: CommandBus) {}

  /** Recorded independently of the request's outcome: a failed search has no effect, but its provider is paid. */
  async recordEmbedding(use: EmbeddingUse): Promise<void> {
    await this.execute(new ExecuteEmbeddingUse(newId(), { type: 'Record', ...use }));
  }

  async recordSearch(payer: Pick<EmbeddingUse, 'botId' | 'userId'>, { embedding, reranking }: PaidSearch): Promise<void> {
    if (embedding) await this.recordEmbedding({ ...payer, ...embedding });
    if (reranking) await this.execute(new ExecuteRerankingUse(newId(), { type: 'Record', ...payer, ...reranking }));
  }

  private async execute(command: InstanceType<typeof ExecuteEmbeddingUse> | InstanceType<typeof ExecuteRerankingUse>): Promise<void> {
    await RequestContext.run(RequestContext.background(), () => this.commands.execute(command));
  }
}
