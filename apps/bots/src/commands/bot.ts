import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Executed } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import { bot, type Bot, type BotCommand, type BotEvent, botStream } from '../domain/bot.ts';

export class ExecuteBot extends Command<Executed<BotEvent, Bot>> {
  constructor(
    readonly botId: string,
    readonly command: BotCommand,
    readonly ifMatch?: string,
  ) {
    super();
  }
}

@CommandHandler(ExecuteBot)
export class BotCommands implements ICommandHandler<ExecuteBot> {
  constructor(private readonly streams: Streams) {}

  execute({ botId, command, ifMatch }: ExecuteBot) {
    return this.streams.execute(bot, botStream(botId), command, { ifMatch });
  }
}
