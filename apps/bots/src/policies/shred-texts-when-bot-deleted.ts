import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotDeleted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { BotWriter } from '../commands/bot-writer.ts';

/** Destroys the key of a deleted bot's texts if a crash came between the deletion and that. It listens to the service's own topic. */
@Controller()
export class ShredTextsWhenBotDeleted {
  constructor(private readonly writer: BotWriter) {}

  @EventPattern(BotDeleted.type)
  async on(@Payload() event: CloudEvent<BotDeleted>) {
    await this.writer.shred(event.data.bot_id);
  }
}
