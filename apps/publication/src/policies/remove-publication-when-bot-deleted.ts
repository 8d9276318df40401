import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotDeleted } from '@parlance/contracts';
import { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { publication, publicationStream } from '../domain/publication.ts';

/** A published bot is deleted only when its owner is erased. A user can delete a bot whose publication has failed. */
@Controller()
export class RemovePublicationWhenBotDeleted {
  constructor(private readonly streams: Streams) {}

  @EventPattern(BotDeleted.type)
  async on(@Payload() event: CloudEvent<BotDeleted>) {
    const stream = publicationStream(event.data.bot_id);
    const command = { type: 'RemoveWithBot', because: 'bot_deleted' } as const;
    await this.streams.react('remove-publication-when-bot-deleted', [event], publication, stream, command);
  }
}
