import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { ExecuteEmbeddingUse } from '../commands/aggregates.ts';
import type { EmbeddingUse } from '../domain/embedding-use.ts';

/** Records the tokens that embedding models of providers have used, so that they are charged. */
@Injectable()
export class EmbeddingUses {
  constructor(private readonly commands: CommandBus) {}

  /** Is no effect of the request that it is made for: a search that fails has had none, and its provider is paid all the same. */
  async record(use: EmbeddingUse): Promise<void> {
    const command = new ExecuteEmbeddingUse(newId(), { type: 'Record', ...use });
    await RequestContext.run(RequestContext.background(), () => this.commands.execute(command));
  }
}
