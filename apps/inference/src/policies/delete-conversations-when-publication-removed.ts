import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { apiIdOf, PublicationRemoved } from '@parlance/contracts';
import { Refusal } from '@parlance/decider';
import { eraseEach, erasureIncomplete, Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { ShutdownPlan } from '@parlance/observability';
import { closedApi, closedApiStream } from '../domain/closed-api.ts';
import { type Holder, holderOf } from '../domain/conversation-holder.ts';
import { conversationNotFound } from '../domain/conversation-refusals.ts';
import { ConversationsHeldBy } from '../projections/content-of-user.ts';
import { ConversationRemoval, DELETED_AT_ONCE } from '../workflows/conversation-removal.ts';

/**
 * No program can reach the conversations of a published API that is gone, and its owner never could. The next publication has another API ID.
 * There may be so many that this takes minutes. When the process stops, the next delivery of the event deletes the rest.
 * The end of the API is recorded first: a request that was under way meanwhile finds it, and deletes the conversation that it has begun.
 */
@Controller()
export class DeleteConversationsWhenPublicationRemoved {
  private isStopping = false;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: ConversationRemoval,
    private readonly streams: Streams,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('consumers', 'inference: deletion of the conversations of a publication', () => {
      this.isStopping = true;
    });
  }

  @EventPattern(PublicationRemoved.type)
  async on(@Payload() { data }: CloudEvent<PublicationRemoved>): Promise<void> {
    // The erasure of the owner removes and counts them.
    if (data.because === 'owner_erased') return;
    const apiId = apiIdOf(data.deployment_id);
    await this.streams.execute(closedApi, closedApiStream(apiId), { type: 'Close' });
    const holder = { userId: data.owner_user_id, apiId };
    await eraseEach(
      () => this.queries.execute(new ConversationsHeldBy(holderOf(holder))),
      (id) => this.delete(id, holder),
      DELETED_AT_ONCE,
    );
  }

  private async delete(id: string, holder: Holder): Promise<void> {
    if (this.isStopping) throw erasureIncomplete();
    try {
      await this.removal.delete(id, holder);
    } catch (error) {
      // The program, or the erasure of the owner, was faster.
      if (!(error instanceof Refusal && error.code === conversationNotFound().code)) throw error;
    }
  }
}
