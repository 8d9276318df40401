import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host } from '@parlance/foundation';
import { ExecuteBot } from './commands/aggregates.ts';
import { publishBots } from './contracts/bots-events.ts';
import { BotController } from './http/bot.controller.ts';
import { EraseBotsWhenUserErased } from './policies/erase-bots-when-user-erased.ts';
import { bots, BotSeenBy } from './projections/bots.ts';

@Module({})
export class BotsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: BotsModule,
      imports: [await FoundationModule.of(host, { name: 'bots', projections: [bots], publish: publishBots })],
      controllers: [BotController, ErasuresController],
      providers: [...handlersOf(ExecuteBot, BotSeenBy), { provide: Erasing, useClass: EraseBotsWhenUserErased }],
    };
  }
}
