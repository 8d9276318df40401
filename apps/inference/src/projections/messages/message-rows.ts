import type { Instant } from '@parlance/decider';
import { table } from '@parlance/read-models';
import { z } from 'zod';
import type { MessageFile, ReplyParameters, Usage } from '../../domain/conversation-events.ts';
import type { ToolTotals } from './tool-calls.ts';

export const StopReason = z
  .enum(['end_turn', 'max_tokens', 'stop_sequence', 'content_filtered', 'cancelled', 'max_tool_rounds'])
  .describe(
    'Why the reply ended. `cancelled`: the user stopped it. `max_tokens`: it reached a limit on its length. `max_tool_rounds`: the model kept calling tools.',
  );

/** A message or a reply. The content is sealed. It is opened for answers to its owner. */
export const MessageRow = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  user_id: z.string(),
  role: z.enum(['user', 'assistant']),
  status: z.enum(['processing', 'awaiting_approval', 'completed', 'failed']),
  model: z.string(),
  parent: z.string().nullable(),
  content: z.string().nullable(),
  /** Set for a message of the user. */
  files: z.custom<readonly MessageFile[]>().optional(),
  /** A retention rule has removed the files. */
  files_removed: z.literal(true).optional(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  submitted_at: z.custom<Instant>(),
  /** Set for a continuation: the reply whose text it continues. */
  continues: z.string().optional(),
  /** Further texts that a program has sent with the message, sealed. */
  terms: z.string().optional(),
  /** The user wants the model to reason. */
  wants_reasoning: z.literal(true).optional(),
  /** Set for a reply that a program requested. */
  parameters: z.custom<ReplyParameters>().optional(),
  /** Set for a reply: the reasoning of the model, sealed. */
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
  /** Set for a reply that shows its sources: the size of its row in `used_chunks`. */
  used_chunk_bytes: z.number().optional(),
  /** Set for a reply that has called tools. */
  tools: z.custom<ToolTotals>().optional(),
});
export type MessageRow = z.infer<typeof MessageRow>;

export interface ConversationRow {
  conversation_id: string;
  user_id: string;
  /** The owner, as `ownerKey` names it. */
  holder: string;
  /** The published API that it belongs to. Absent for its user's own conversation. */
  api_id?: string;
  bot_id: string | null;
  started_at: Instant;
  /** Its erasure has begun. */
  is_closed?: true;
}

/**
 * A reply that has not ended. Any process may take it from `lease_until` on: the end of its lease, the time of its message if it is unclaimed, or
 * the end of an approval.
 */
export interface PendingReplyRow {
  conversation_id: string;
  reply_id: string;
  /** The conversation's owner, as `ownerKey` names it. Owners take turns. */
  holder: string;
  /** The requested model. Its provider decides whether a process has a slot for the reply. */
  model: string;
  lease_until: number;
  /** 1 while it waits for an approval. */
  is_awaiting: 0 | 1;
  /** Where other replicas read what the worker produces. */
  worker?: string;
  /** The user stopped it. */
  is_cancelled?: true;
}

/** The content removed by the erasure of a user, for the receipt. Earlier deletions by the user are not counted. */
export interface ErasedContentRow {
  user_id: string;
  conversations: number;
  messages: number;
  /** Absent if there were none. */
  files?: number;
}

export const messageRows = table<MessageRow>('messages');
export const conversationRows = table<ConversationRow>('conversations', { byUser: ['user_id'], byHolder: ['holder'] });
export const pendingReplyRows = table<PendingReplyRow>('owed_replies', { byLease: ['is_awaiting', 'lease_until'] });
export const erasedContentRows = table<ErasedContentRow>('erased_content');

/** Sorts after every message ID. */
const LAST_ID = '~';

export const messageKey = (conversationId: string, messageId: string) => `${conversationId}/${messageId}`;

/** All of a conversation's messages, by their IDs. */
export const messagesOf = (conversationId: string) =>
  ({ index: 'key', from: messageKey(conversationId, ''), to: messageKey(conversationId, LAST_ID) }) as const;
