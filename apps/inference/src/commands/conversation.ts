import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Executed } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import {
  conversation,
  type Conversation,
  type ConversationCommand,
  type ConversationEvent,
  conversationStream,
} from '../domain/conversation.ts';

/** The conversation's content is sealed under a key of its own, which lies within its user's. */
export const conversationSubject = (conversationId: string, userId: string) => ({
  id: `conversation:${conversationId}`,
  within: `user:${userId}`,
});

export class ExecuteConversation extends Command<Executed<ConversationEvent, Conversation>> {
  constructor(
    readonly conversationId: string,
    readonly command: Exclude<ConversationCommand, { type: 'Submit' }>,
  ) {
    super();
  }
}

@CommandHandler(ExecuteConversation)
export class ConversationCommands implements ICommandHandler<ExecuteConversation> {
  constructor(private readonly streams: Streams) {}

  execute({ conversationId, command }: ExecuteConversation) {
    return this.streams.execute(conversation, conversationStream(conversationId), command);
  }
}
