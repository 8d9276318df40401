import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { add, type At, type Change, patch, projection, put, type ReadModels, remove, table, update } from '@parlance/read-models';
import { z } from 'zod';
import type { ConversationEvent, MessageFile, ReplyParameters, Usage, UsedChunks } from '../../domain/conversation-events.ts';
import type { ImportEvent } from '../../domain/conversation-import.ts';
import { holderOf } from '../../domain/conversation-holder.ts';
import { importedRow } from './imported-messages.ts';
import { onTools, resumed, toolRoundRows, type ToolTotals, withoutTools } from './tool-calls.ts';
import { madeAs, provenanceRows, withProvenance } from './provenance.ts';

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

/** The chunks that a reply cites, sealed. They are apart from its text, so that transcripts and erasures read short rows. */
export interface UsedChunkRow {
  message_id: string;
  chunks: string;
}

/** A document that replies cite, with the latest of them, the newest first. */
export interface CitedDocument {
  source_id: string;
  reply_ids: readonly string[];
}

/** The documents that a conversation cites, the latest cited first. */
export interface ConversationDocumentRow {
  documents: readonly CitedDocument[];
}

/** Documents of a conversation that are kept, and replies that are kept of each. Those that were cited longest ago are left out. */
export const DOCUMENTS_KEPT = 200;
export const CITING_REPLIES_KEPT = 10;

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
export const usedChunkRows = table<UsedChunkRow>('used_chunks');
export const conversationDocumentRows = table<ConversationDocumentRow>('conversation_documents');
export const erasedContentRows = table<ErasedContentRow>('erased_content');

const tables = { messages: messageRows, owed: owedReplyRows };

/** Comes after every message id. */
const LAST_ID = '~';

export const messageKey = (conversationId: string, messageId: string) => `${conversationId}/${messageId}`;

/** All of a conversation's messages, by their ids. */
export const messagesOf = (conversationId: string) =>
  ({ index: 'key', from: messageKey(conversationId, ''), to: messageKey(conversationId, LAST_ID) }) as const;

export const messages = projection<ConversationEvent>({
  name: 'messages',
  version: 8,
  tables: [
    messageRows,
    conversationRows,
    owedReplyRows,
    usedChunkRows,
    provenanceRows,
    conversationDocumentRows,
    erasedContentRows,
    toolRoundRows,
  ],
  on: {
    ConversationStarted: (event, { stream, metadata }) => [
      put(conversationRows, idInStream(stream), {
        conversation_id: idInStream(stream),
        user_id: event.userId,
        holder: holderOf({ userId: event.userId, apiId: event.api?.apiId }),
        ...(event.api && { api_id: event.api.apiId }),
        bot_id: event.botId,
        started_at: metadata.at,
      }),
    ],
    ConversationImported: (event, at) => {
      const { userId, botId, startedAt } = event;
      const conversation_id = idInStream(at.stream);
      const row = { conversation_id, user_id: userId, holder: holderOf({ userId }), bot_id: botId, started_at: startedAt };
      return [put(conversationRows, conversation_id, row), ...withImported(event, at)];
    },
    MessagesImported: (event, at) => withImported(event, at),
    MessageSubmitted: (event, { stream, metadata }) => {
      const conversationId = idInStream(stream);
      const both = { conversation_id: conversationId, user_id: event.userId, model: event.model, error: null, submitted_at: metadata.at };
      return [
        put(messageRows, messageKey(conversationId, event.messageId), {
          ...both,
          message_id: event.messageId,
          role: 'user',
          status: 'completed',
          parent: event.parentId,
          content: event.content,
          ...(event.files && { files: event.files }),
          ...(event.terms !== undefined && { terms: event.terms }),
        }),
        put(messageRows, messageKey(conversationId, event.replyId), {
          ...both,
          message_id: event.replyId,
          role: 'assistant',
          status: 'processing',
          parent: event.messageId,
          content: null,
          ...(event.reasoning && { wants_reasoning: true }),
          ...(event.parameters && { parameters: event.parameters }),
        }),
        put(owedReplyRows, event.replyId, {
          conversation_id: conversationId,
          reply_id: event.replyId,
          holder: holderOf({ userId: event.userId, apiId: event.api?.apiId }),
          model: event.model,
          lease_until: metadata.at,
        }),
      ];
    },
    ReplyRequested: (event, { stream, metadata }) => {
      const conversationId = idInStream(stream);
      return [
        put(messageRows, messageKey(conversationId, event.replyId), {
          conversation_id: conversationId,
          user_id: event.userId,
          model: event.model,
          error: null,
          submitted_at: metadata.at,
          message_id: event.replyId,
          role: 'assistant',
          status: 'processing',
          parent: event.messageId,
          content: null,
          ...(event.continues !== undefined && { continues: event.continues }),
          ...(event.reasoning && { wants_reasoning: true }),
          ...(event.parameters && { parameters: event.parameters }),
        }),
        put(owedReplyRows, event.replyId, {
          conversation_id: conversationId,
          reply_id: event.replyId,
          holder: holderOf({ userId: event.userId, apiId: event.api?.apiId }),
          model: event.model,
          lease_until: metadata.at,
        }),
      ];
    },
    ReplyClaimed: (event) => [
      patch(owedReplyRows, event.replyId, { lease_until: event.leaseUntil, ...(event.worker !== undefined && { worker: event.worker }) }),
    ],
    ReplyCancelled: (event, at) => [
      patch(owedReplyRows, event.replyId, { is_cancelled: true }),
      ...(event.resumes ? resumed(tables, messageKey(idInStream(at.stream), event.replyId), event.replyId, at) : []),
    ],
    ...onTools(tables),
    ReplyCompleted: (event, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), event.replyId), {
        status: 'completed',
        // Another one than was asked for may have answered.
        model: event.model,
        content: event.content,
        stop_reason: event.stopReason ?? 'end_turn',
        usage: event.usage,
        cost_nano_dollars: event.costNanoDollars,
        ...(event.claim !== undefined && { claim: event.claim }),
        ...(event.reasoning !== undefined && { reasoning: event.reasoning }),
        ...madeAs(event),
        ...(event.usedChunks && { used_chunk_bytes: event.usedChunks.content.length }),
      }),
      remove(owedReplyRows, event.replyId),
      ...(event.usedChunks ? withChunks(idInStream(stream), event.replyId, event.usedChunks) : []),
      ...withProvenance(messageKey(idInStream(stream), event.replyId), event),
    ],
    ReplyFailed: (event, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), event.replyId), {
        status: 'failed',
        error: { code: event.code, message: event.reason },
        ...(event.content !== undefined && { content: event.content }),
        ...(event.claim !== undefined && { claim: event.claim }),
      }),
      remove(owedReplyRows, event.replyId),
    ],
    ConversationErasureBegun: (_, { stream }) => [patch(conversationRows, idInStream(stream), { is_closed: true })],
    MessagesRemoved: ({ userId, messageIds, files = 0, deleted }, { stream }) => [
      ...withoutMessages(stream, messageIds),
      ...(deleted
        ? []
        : [
            add(
              erasedContentRows,
              userId,
              { conversations: 0, messages: messageIds.length, ...(files > 0 && { files }) },
              { user_id: userId },
            ),
          ]),
    ],
    // The conversation's row goes last: as long as it is there, an erasure that broke off is found and continued.
    ConversationErased: ({ userId, messageIds = [], deleted }, { stream }) => [
      remove(conversationRows, idInStream(stream)),
      remove(conversationDocumentRows, idInStream(stream)),
      ...withoutMessages(stream, messageIds),
      ...(deleted ? [] : [add(erasedContentRows, userId, { conversations: 1, messages: messageIds.length }, { user_id: userId })]),
    ],
  },
});

function withImported({ userId, messages: imported }: ImportEvent, { stream }: At): Change[] {
  const id = idInStream(stream);
  return imported.flatMap((message) => [
    put(messageRows, messageKey(id, message.id), importedRow(id, userId, message)),
    ...(message.usedChunks ? withChunks(id, message.id, message.usedChunks) : []),
  ]);
}

function withoutMessages(stream: string, messageIds: readonly string[]): Change[] {
  return messageIds.flatMap((id) => {
    const key = messageKey(idInStream(stream), id);
    return [
      remove(messageRows, key),
      remove(usedChunkRows, key),
      remove(provenanceRows, key),
      remove(owedReplyRows, id),
      withoutTools(key),
    ];
  });
}

function withChunks(conversationId: string, replyId: string, { content, sourceIds }: UsedChunks): Change[] {
  return [
    put(usedChunkRows, messageKey(conversationId, replyId), { message_id: replyId, chunks: content }),
    update(conversationDocumentRows, conversationId, (row) => ({ documents: citedAgain(row?.documents ?? [], replyId, sourceIds) })),
  ];
}

function citedAgain(documents: readonly CitedDocument[], replyId: string, sourceIds: readonly string[]): readonly CitedDocument[] {
  const before = new Map(documents.map(({ source_id, reply_ids }) => [source_id, reply_ids]));
  const cited = sourceIds.map((source_id) => {
    const earlier = (before.get(source_id) ?? []).filter((id) => id !== replyId);
    return { source_id, reply_ids: [replyId, ...earlier].slice(0, CITING_REPLIES_KEPT) };
  });
  const others = documents.filter(({ source_id }) => !sourceIds.includes(source_id));
  return [...cited, ...others].slice(0, DOCUMENTS_KEPT);
}

export interface MessageInConversation {
  readonly message: MessageRow;
  readonly conversation: ConversationRow;
}

/** Of any holder. Null as soon as the conversation is being erased. */
export const MessageById = query(
  'MessageById',
  (models, conversationId: string, messageId: string): Promise<MessageInConversation | null> =>
    messageIn(models, conversationId, messageId),
);

/** The same for the holder of the conversation; null for any other. */
export const HeldMessage = query(
  'HeldMessage',
  async (models, conversationId: string, messageId: string, holder: string): Promise<MessageInConversation | null> => {
    const found = await messageIn(models, conversationId, messageId);
    return found?.conversation.holder === holder ? found : null;
  },
);

async function messageIn(models: ReadModels, conversationId: string, messageId: string): Promise<MessageInConversation | null> {
  const [message, conversation] = await Promise.all([
    models.get(messageRows, messageKey(conversationId, messageId)),
    models.get(conversationRows, conversationId),
  ]);
  return message && conversation && !conversation.is_closed ? { message, conversation } : null;
}
