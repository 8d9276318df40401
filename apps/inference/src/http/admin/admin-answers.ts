import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { ContentPart, MessageInMap } from '../answers.ts';
import { ConversationSummary } from '../conversation-answers.ts';
import { AsOf } from './newest-of-log.ts';

const nextToken = z.string().nullable();

const UserConversation = ConversationSummary.pick({
  conversation_id: true,
  title: true,
  create_time: true,
  bot_id: true,
  total_price: true,
}).extend({
  bot_title: z
    .string()
    .nullable()
    .describe(
      'Title of the bot, including a deleted bot until its owner is erased. Null without a bot, and while the bots service is unavailable.',
    ),
});

export const UserConversationsAnswer = z.object({ as_of: AsOf, conversations: z.array(UserConversation), next_token: nextToken });
export type UserConversationsAnswer = z.infer<typeof UserConversationsAnswer>;

export const PromptsAnswer = z.object({
  as_of: AsOf,
  prompts: z.array(
    z.object({ message_id: z.string(), content: z.array(ContentPart), create_time: z.int().describe('Time in epoch seconds.') }),
  ),
  next_token: nextToken,
});
export type PromptsAnswer = z.infer<typeof PromptsAnswer>;

export const MessageOfUser = MessageInMap.omit({ children: true, parent: true });
export type MessageOfUser = z.infer<typeof MessageOfUser>;

export const ReplyToUser = z.object({
  conversation_id: z.string(),
  bot_id: z.string().nullable().describe('Null without a bot.'),
  question: MessageOfUser.nullable().describe('The message of the user. Null for an imported reply without one.'),
  reply: MessageOfUser,
});
export type ReplyToUser = z.infer<typeof ReplyToUser>;

const PopularQuery = z.object({
  query: z.string().describe('The question in its most frequent wording.'),
  count: z.int().describe('Number of messages with this question.'),
});
export const PopularQueriesAnswer = z.array(PopularQuery);
export type PopularQueriesAnswer = z.infer<typeof PopularQueriesAnswer>;

nameSchemas({
  UserConversation,
  UserConversationPage: UserConversationsAnswer,
  PromptPage: PromptsAnswer,
  MessageOfUser,
  ReplyToUser,
  PopularQuery,
});
