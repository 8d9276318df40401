import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, type Host } from '@parlance/foundation';
import { BotCommands } from './commands/bot.ts';
import { publishBots } from './contracts/bots-events.ts';
import { BotController } from './http/bot.controller.ts';
import { EraseWhatWasAUsersWhenUserErased } from './policies/erase-what-was-a-users-when-user-erased.ts';
import { bots, CountBotsErasedOf, FindBotSeenBy, FindBotsOf } from './projections/bots.ts';

@Module({})
export class BotsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: BotsModule,
      imports: [await FoundationModule.of(host, { name: 'bots', projections: [bots], publish: publishBots })],
      controllers: [BotController, ErasuresController],
      providers: [
        BotCommands,
        FindBotSeenBy,
        FindBotsOf,
        CountBotsErasedOf,
        { provide: Erasing, useClass: EraseWhatWasAUsersWhenUserErased },
      ],
    };
  }
}
