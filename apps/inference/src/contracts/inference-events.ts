import { MessageSubmitted, ReplyCompleted, ReplyFailed } from '@parlance/contracts';
import { publishing, say } from '@parlance/foundation';
import type { ConversationEvent } from '../domain/conversation.ts';

type Told = Extract<ConversationEvent, { replyId: string; userId: string }>;

const place = (event: Told, conversationId: string) => ({
  conversation_id: conversationId,
  reply_id: event.replyId,
  user_id: event.userId,
  bot_id: event.botId,
  model: event.model,
});

export const publishInference = publishing<ConversationEvent>('inference', {
  MessageSubmitted: (event, conversationId) => say(MessageSubmitted, { ...place(event, conversationId), message_id: event.messageId }),
  ReplyCompleted: (event, conversationId) =>
    say(ReplyCompleted, {
      ...place(event, conversationId),
      usage: {
        input_tokens: event.usage.inputTokens,
        output_tokens: event.usage.outputTokens,
        cache_read_tokens: event.usage.cacheReadTokens,
        cache_write_tokens: event.usage.cacheWriteTokens,
        estimated: event.usage.estimated,
      },
      cost_nano_dollars: event.costNanoDollars,
    }),
  ReplyFailed: (event, conversationId) => say(ReplyFailed, { ...place(event, conversationId), code: event.code }),
});
