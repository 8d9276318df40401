import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventStore } from '@parlance/event-store';
import { eraseEach, Erasing, type Removed } from '@parlance/foundation';
import { RevocationFeed } from '@parlance/revocation';
import { ExecutePublication } from '../commands/aggregates.ts';
import { PublicationsErasedOf, PublicationsOfOwner } from '../projections/publications.ts';

/**
 * Removes the publications of an erased user with their keys. The bots service deletes the bots. Key descriptions are sealed under the user's
 * key, which is destroyed.
 */
@Injectable()
export class ErasePublicationsWhenUserErased extends Erasing {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly edges: RevocationFeed,
    private readonly store: EventStore,
  ) {
    super();
  }

  override async erase(userId: string): Promise<void> {
    await eraseEach(
      () => this.queries.execute(new PublicationsOfOwner(userId)),
      (botId) => this.commands.execute(new ExecutePublication(botId, { type: 'RemoveWithBot', because: 'owner_erased' })),
    );
    // Also what another process has removed: identity's call and its event may arrive in two processes at once.
    await this.edges.seenByAll(await this.store.head());
  }

  override async removedOf(userId: string): Promise<Removed> {
    return { ...(await this.queries.execute(new PublicationsErasedOf(userId))) };
  }
}
