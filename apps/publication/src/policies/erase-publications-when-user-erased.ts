import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
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
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    let last = 0;
    await eraseEach(
      () => this.queries.execute(new PublicationsOfOwner(userId)),
      async (botId) => {
        const command = { type: 'RemoveWithBot', because: 'owner_erased' } as const;
        last = (await this.commands.execute(new ExecutePublication(botId, command))).position;
      },
    );
    if (last > 0) await this.edges.seenByAll(last);
    return { ...(await this.queries.execute(new PublicationsErasedOf(userId))) };
  }
}
