import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { eraseEach, Erasing, type Removed } from '@parlance/foundation';
import { ExecuteBot } from '../commands/aggregates.ts';
import { BotsErasedOf, BotsOf } from '../projections/bots.ts';

/** A bot goes with its owner. The others hear of it as of any deletion. */
@Injectable()
export class EraseWhatWasAUsersWhenUserErased extends Erasing {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {
    super();
  }

  override async erase(userId: string): Promise<Removed> {
    // A command is answered when its rows are gone, so each look finds others, until there are none.
    await eraseEach(
      () => this.queries.execute(new BotsOf(userId)),
      (id) => this.commands.execute(new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId: userId })),
    );
    return { bots: await this.queries.execute(new BotsErasedOf(userId)) };
  }
}
