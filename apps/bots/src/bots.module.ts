import { type DynamicModule, Module } from '@nestjs/common';
import { FoundationModule, type Host } from '@parlance/service-kit';
import { BotCommands } from './commands/bot.ts';
import { publishBots } from './contracts/bots-events.ts';
import { BotController } from './http/bot.controller.ts';
import { bots, FindBotSeenBy } from './projections/bots.ts';

@Module({})
export class BotsModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: BotsModule,
      imports: [await FoundationModule.of(host, { name: 'bots', projections: [bots], publish: publishBots })],
      controllers: [BotController],
      providers: [BotCommands, FindBotSeenBy],
    };
  }
}
