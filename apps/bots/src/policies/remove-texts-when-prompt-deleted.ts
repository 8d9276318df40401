import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { PromptDeleted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { PromptWriter } from '../commands/prompts/prompt-writer.ts';

/**
 * Destroys the key of a deleted prompt's texts, in case a crash after the deletion prevented that. This policy listens to the service's own
 * topic.
 */
@Controller()
export class RemoveTextsWhenPromptDeleted {
  constructor(private readonly writer: PromptWriter) {}

  @EventPattern(PromptDeleted.type)
  async on(@Payload() { data: { prompt_id } }: CloudEvent<PromptDeleted>) {
    await this.writer.shred(prompt_id);
  }
}
