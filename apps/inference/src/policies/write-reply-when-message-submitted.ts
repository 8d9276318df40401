import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { MessageSubmitted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { ReplyWriter } from './reply-writer.ts';

/** Listens to the service's own topic, because that is what shares the work among its replicas. */
@Controller()
export class WriteReplyWhenMessageSubmitted {
  constructor(private readonly writer: ReplyWriter) {}

  @EventPattern(MessageSubmitted.type)
  on(@Payload() event: CloudEvent<MessageSubmitted>) {
    return this.writer.take(event.data.conversation_id, event.data.reply_id);
  }
}
