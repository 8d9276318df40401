import {
  FeedbackGiven,
  MessageSubmitted,
  ModelPriceSet,
  ReplyCompleted,
  ReplyFailed,
  ReplyRequested,
  TokensCharged,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { publishing, say } from '@parlance/foundation';
import type { ConversationEvent, Usage } from '../domain/conversation-events.ts';
import type { ModelPricesEvent } from '../domain/model-prices.ts';

type Told = Extract<ConversationEvent, { replyId: string; userId: string; model: string }>;

const place = (event: Told, conversationId: string) => ({
  conversation_id: conversationId,
  reply_id: event.replyId,
  user_id: event.userId,
  bot_id: event.botId,
  model: event.model,
  ...(event.budgets && { budgets: [...event.budgets] }),
});

const usageOf = (usage: Usage) => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  estimated: usage.estimated,
});

export const publishInference = publishing<ConversationEvent | ModelPricesEvent>('inference', {
  MessageSubmitted: (event, conversationId) => say(MessageSubmitted, { ...place(event, conversationId), message_id: event.messageId }),
  ReplyCompleted: (event, conversationId) =>
    say(ReplyCompleted, {
      ...place(event, conversationId),
      usage: usageOf(event.usage),
      cost_nano_dollars: event.costNanoDollars,
    }),
  ReplyRequested: (event, conversationId) => say(ReplyRequested, { ...place(event, conversationId), message_id: event.messageId }),
  TokensCharged: (event, conversationId) =>
    say(TokensCharged, {
      charge_id: event.chargeId,
      purpose: event.purpose,
      conversation_id: conversationId,
      user_id: event.userId,
      bot_id: event.botId,
      ...(event.budgets && { budgets: [...event.budgets] }),
      model: event.model,
      usage: usageOf(event.usage),
      cost_nano_dollars: event.costNanoDollars,
    }),
  FeedbackGiven: (event, conversationId) =>
    say(FeedbackGiven, {
      conversation_id: conversationId,
      reply_id: event.replyId,
      user_id: event.userId,
      bot_id: event.botId,
      thumbs_up: event.thumbsUp,
      category: event.category,
      has_comment: event.comment !== null,
    }),
  ReplyFailed: (event, conversationId) => say(ReplyFailed, { ...place(event, conversationId), code: event.code }),
  ModelPriceSet: ({ price }, model) =>
    say(ModelPriceSet, {
      model,
      from: Instant.toString(price.from),
      input_nano_dollars: price.input,
      output_nano_dollars: price.output,
      cache_read_nano_dollars: price.cacheRead,
      cache_write_nano_dollars: price.cacheWrite,
    }),
});
