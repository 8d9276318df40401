import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Erasing, type Removed } from '@parlance/service-kit';
import { ExecuteBot } from '../commands/bot.ts';
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
    for (let bots = await this.botsOf(userId); bots.length > 0; bots = await this.botsOf(userId)) {
      for (const { id } of bots) await this.commands.execute(new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId: userId }));
    }
    return { bots: await this.queries.execute(new BotsErasedOf(userId)) };
  }

  private botsOf(userId: string) {
    return this.queries.execute(new BotsOf(userId));
  }
}
