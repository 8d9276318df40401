import type { Instant } from '@parlance/decider';
import { table } from '@parlance/read-models';
import { z } from 'zod';
import type { MessageFile, ReplyParameters, Usage } from '../../domain/conversation-events.ts';
import type { ToolTotals } from './tool-calls.ts';

export const StopReason = z
  .enum(['end_turn', 'max_tokens', 'stop_sequence', 'content_filtered', 'cancelled', 'max_tool_rounds'])
  .describe(
    'Why the reply ended. `cancelled`: the user stopped it. `max_tokens`: it reached a limit on its length. `max_tool_rounds`: the model went on calling tools.',
  );

/** A message or a reply. The content stays sealed here; it is opened when its owner is answered. */
export const MessageRow = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  user_id: z.string(),
  role: z.enum(['user', 'assistant']),
  status: z.enum(['processing', 'awaiting_approval', 'completed', 'failed']),
  model: z.string(),
  parent: z.string().nullable(),
  content: z.string().nullable(),
  /** Of a message of the user. */
  files: z.custom<readonly MessageFile[]>().optional(),
  /** A retention rule has removed the files. */
  files_removed: z.literal(true).optional(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  submitted_at: z.custom<Instant>(),
  /** Of a continuation: the reply whose text it continues. */
  continues: z.string().optional(),
  /** Of a message that a program has sent with further texts: these, sealed. */
  terms: z.string().optional(),
  /** The user wants the model to reason. */
  wants_reasoning: z.literal(true).optional(),
  /** Of a reply that a program has asked for. */
  parameters: z.custom<ReplyParameters>().optional(),
  /** Of a reply: what the model reasoned, sealed. */
  reasoning: z.string().optional(),
  stop_reason: StopReason.optional(),
  usage: z.custom<Usage>().optional(),
  cost_nano_dollars: z.number().optional(),
  /** The claim of the worker that wrote the text. */
  claim: z.string().optional(),
  /** How long the reply took, in milliseconds. */
  took_millis: z.number().optional(),
  /** The guardrail has replaced the answer, or parts of it. */
  guardrail: z.enum(['blocked', 'masked']).optional(),
  /** Of a reply that shows its sources: the size of its row in `used_chunks`. */
  used_chunk_bytes: z.number().optional(),
  /** Of a reply that has called tools. */
  tools: z.custom<ToolTotals>().optional(),
});
export type MessageRow = z.infer<typeof MessageRow>;

export interface ConversationRow {
  conversation_id: string;
  user_id: string;
  /** As `holderOf` names it. */
  holder: string;
  /** The published API that it belongs to; absent for its user's own conversation. */
  api_id?: string;
  bot_id: string | null;
  started_at: Instant;
  /** Its erasure has begun. */
  is_closed?: true;
}

/** A reply that is owed, and from when on any process may take it: the end of the lease, or the moment of the message where none claimed it. */
export interface OwedReplyRow {
  conversation_id: string;
  reply_id: string;
  /** Of the conversation, as `holderOf` names it. Holders take turns. */
  holder: string;
  /** The model that was asked for. Its provider decides whether a process has a place for the reply. */
  model: string;
  lease_until: number;
  /** Where other replicas read what the worker produces. */
  worker?: string;
  /** Its user stopped it. */
  is_cancelled?: true;
}

/** What was removed of an erased user, for the receipt. What the user had deleted before is not counted. */
export interface ErasedContentRow {
  user_id: string;
  conversations: number;
  messages: number;
  /** Absent without any. */
  files?: number;
}

export const messageRows = table<MessageRow>('messages');
export const conversationRows = table<ConversationRow>('conversations', { byUser: ['user_id'], byHolder: ['holder'] });
export const owedReplyRows = table<OwedReplyRow>('owed_replies', { byLease: ['lease_until'] });
export const erasedContentRows = table<ErasedContentRow>('erased_content');

/** Comes after every message id. */
const LAST_ID = '~';

export const messageKey = (conversationId: string, messageId: string) => `${conversationId}/${messageId}`;

/** All of a conversation's messages, by their ids. */
export const messagesOf = (conversationId: string) =>
  ({ index: 'key', from: messageKey(conversationId, ''), to: messageKey(conversationId, LAST_ID) }) as const;
