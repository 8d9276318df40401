import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotDeleted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { BotWriter } from '../commands/bot-writer.ts';
import { KnowledgeRemoval } from '../workflows/knowledge-removal.ts';

/**
 * Removes the files and indexes of a deleted bot, and destroys the key of its texts in case a crash after the deletion prevented that. This policy
 * listens to the service's own topic.
 */
@Controller()
export class RemoveTextsAndKnowledgeWhenBotDeleted {
  constructor(
    private readonly writer: BotWriter,
    private readonly removal: KnowledgeRemoval,
  ) {}

  @EventPattern(BotDeleted.type)
  async on(@Payload() { data: { bot_id, owner_user_id } }: CloudEvent<BotDeleted>) {
    await this.writer.shred(bot_id);
    await this.removal.ofBot(bot_id, owner_user_id);
  }
}
