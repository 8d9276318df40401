import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { apiIdOf, PublicationRemoved } from '@parlance/contracts';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { closedApi, closedApiStream } from '../domain/closed-api.ts';
import { RemovedPublications } from '../workflows/holds/removed-publications.ts';

/**
 * After the removal of an API, no caller can reach its conversations: its programs no longer can, and its owner never could. The next publication has another API ID.
 * Deleting many conversations may take minutes. If the process stops, the next delivery of the event deletes the rest.
 * The end of the API is recorded first, so that a concurrent request finds it and deletes the conversation that it has started.
 */
@Controller()
export class DeleteConversationsWhenPublicationRemoved {
  constructor(
    private readonly removed: RemovedPublications,
    private readonly streams: Streams,
  ) {}

  @EventPattern(PublicationRemoved.type)
  async on(@Payload() { data }: CloudEvent<PublicationRemoved>): Promise<void> {
    const apiId = apiIdOf(data.deployment_id);
    await this.streams.execute(closedApi, closedApiStream(apiId), { type: 'Close' });
    // The erasure of the owner removes and counts them.
    if (data.because === 'owner_erased') return;
    await this.removed.deleteConversationsOf({ userId: data.owner_user_id, apiId });
  }
}
