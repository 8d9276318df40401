import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MAX_TITLE } from '../domain/title-rule.ts';
import { Feedback, MessageInMap } from './answers.ts';

export const ConversationSummary = z.object({
  conversation_id: z.string(),
  title: z.string().max(MAX_TITLE),
  create_time: z.number().describe('Start of the conversation in epoch seconds.'),
  last_message_time: z.number().describe('When the newest message was accepted, or the newest reply requested, in epoch seconds.'),
  bot_id: z.string().nullable(),
  model: z.string().describe('Model of the newest message.'),
  total_price: z.number().describe('Cost of the conversation in dollars: replies, titles and all other calls.'),
  project_id: z.string().nullable().describe('Null if it is in no project, or its user no longer belongs to the project.'),
  pinned: z.boolean(),
  memory: z.boolean().describe("False if the user's memory is turned off for this conversation."),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;

export const Conversation = ConversationSummary.extend({
  last_message_id: z.string(),
  temporary: z
    .boolean()
    .describe('Whether the conversation is deleted a few hours after its last message. See `temporary_chat_hours` of GET /config/global.'),
  message_map: z.record(z.string(), MessageInMap).describe('The messages of this page by ID.'),
  next_token: z.string().nullable().describe('For the page with older messages. Null on the last page.'),
});
export type Conversation = z.infer<typeof Conversation>;

export const ConversationsAnswer = z.object({ conversations: z.array(ConversationSummary), next_token: z.string().nullable() });
export type ConversationsAnswer = z.infer<typeof ConversationsAnswer>;

export const ProposedTitle = z.object({ title: z.string().max(MAX_TITLE) });
export type ProposedTitle = z.infer<typeof ProposedTitle>;

export const FeedbackAnswer = Feedback.extend({ conversation_id: z.string(), message_id: z.string() });
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>;

/** Where content of a conversation is stored. A deletion removes all of it. */
export const REMOVED_FROM = [
  'key',
  'files',
  'messages',
  'used_chunks',
  'related_documents',
  'tool_calls',
  'provenance',
  'titles',
  'feedback',
  'shares',
] as const;

const removedFrom = z
  .array(z.enum(REMOVED_FROM))
  .describe('Where content was removed. `key`: the key of the content in the event log was destroyed.');

export const DeletionReceipt = z.object({
  conversation_id: z.string(),
  removed: z.object({ messages: z.number().describe('Messages and replies.') }),
  removed_from: removedFrom,
});
export type DeletionReceipt = z.infer<typeof DeletionReceipt>;

export const DeletionsReceipt = z.object({
  removed: z.object({ conversations: z.number(), messages: z.number().describe('Messages and replies.') }),
  removed_from: removedFrom,
  on_hold: z.int().describe('Conversations that are kept because an administrator has placed a hold on their bot.'),
  failed: z
    .array(z.object({ conversation_id: z.string(), detail: z.string() }))
    .describe('Conversations that could not be deleted. Repeating the request does not help: ask an administrator.'),
  is_complete: z.boolean().describe('If false, there was too little time for all conversations. Repeat the request.'),
});
export type DeletionsReceipt = z.infer<typeof DeletionsReceipt>;

export const FoundConversation = ConversationSummary.pick({
  conversation_id: true,
  title: true,
  last_message_time: true,
  bot_id: true,
  project_id: true,
  pinned: true,
  memory: true,
}).extend({
  highlights: z
    .array(
      z.object({
        message_id: z.string(),
        text: z.string().describe('Part of the message around its first match, as plain text.'),
        matches: z
          .array(z.object({ start: z.number(), length: z.number() }))
          .describe("Positions of the query's words in `text`, in UTF-16 code units."),
      }),
    )
    .describe('Messages with all words of the query, the newest first. Empty if only the title has them.'),
});
export type FoundConversation = z.infer<typeof FoundConversation>;

export const FoundConversations = z.object({
  results: z.array(FoundConversation),
  next_token: z.string().nullable().describe('For the rest of the search. A page with a next_token may have few results, or none.'),
});
export type FoundConversations = z.infer<typeof FoundConversations>;

nameSchemas({
  ConversationSummary,
  ConversationPage: ConversationsAnswer,
  Conversation,
  ProposedTitle,
  MessageFeedback: FeedbackAnswer,
  FoundConversation,
  FoundConversationPage: FoundConversations,
  ConversationDeletion: DeletionReceipt,
  ConversationDeletions: DeletionsReceipt,
});
