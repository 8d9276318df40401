import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, patch, projection, put, remove } from '@parlance/read-models';
import type { ConversationEvent } from '../../domain/conversation-events.ts';
import { ownerKey } from '../../domain/conversation-owner.ts';
import type { ImportEvent } from '../../domain/conversation-import.ts';
import { conversationDocumentRows, usedChunkRows, withChunks } from './cited-documents.ts';
import { importedRow } from './imported-messages.ts';
import { conversationRows, erasedContentRows, messageKey, messageRows, pendingReplyRows } from './message-rows.ts';
import { provenanceInMessage, provenanceRows, withProvenance } from './provenance.ts';
import { onTools, resumed, toolRoundRows, withoutTools } from './tool-calls.ts';

const tables = { messages: messageRows, pending: pendingReplyRows };

export const messages = projection<ConversationEvent>({
  name: 'messages',
  version: 11,
  tables: [
    messageRows,
    conversationRows,
    pendingReplyRows,
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
        holder: ownerKey({ userId: event.userId, apiId: event.api?.apiId }),
        ...(event.api && { api_id: event.api.apiId }),
        bot_id: event.botId,
        started_at: metadata.at,
      }),
    ],
    ConversationImported: (event, at) => {
      const { userId, botId, startedAt } = event;
      const conversation_id = idInStream(at.stream);
      const row = { conversation_id, user_id: userId, holder: ownerKey({ userId }), bot_id: botId, started_at: startedAt };
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
        put(pendingReplyRows, event.replyId, {
          conversation_id: conversationId,
          reply_id: event.replyId,
          holder: ownerKey({ userId: event.userId, apiId: event.api?.apiId }),
          model: event.model,
          lease_until: metadata.at,
          is_awaiting: 0,
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
        put(pendingReplyRows, event.replyId, {
          conversation_id: conversationId,
          reply_id: event.replyId,
          holder: ownerKey({ userId: event.userId, apiId: event.api?.apiId }),
          model: event.model,
          lease_until: metadata.at,
          is_awaiting: 0,
        }),
      ];
    },
    ReplyClaimed: (event) => [
      patch(pendingReplyRows, event.replyId, {
        lease_until: event.leaseUntil,
        is_awaiting: 0,
        ...(event.worker !== undefined && { worker: event.worker }),
      }),
    ],
    ReplyCancelled: (event, at) => [
      patch(pendingReplyRows, event.replyId, { is_cancelled: true }),
      ...(event.resumes ? resumed(tables, messageKey(idInStream(at.stream), event.replyId), event.replyId, at) : []),
    ],
    ...onTools(tables),
    ReplyCompleted: (event, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), event.replyId), {
        status: 'completed',
        // A fallback may have answered instead of the requested model.
        model: event.model,
        content: event.content,
        stop_reason: event.stopReason ?? 'end_turn',
        usage: event.usage,
        cost_nano_dollars: event.costNanoDollars,
        ...(event.claim !== undefined && { claim: event.claim }),
        ...(event.reasoning !== undefined && { reasoning: event.reasoning }),
        ...provenanceInMessage(event),
        ...(event.usedChunks && { used_chunk_bytes: event.usedChunks.content.length }),
      }),
      remove(pendingReplyRows, event.replyId),
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
      remove(pendingReplyRows, event.replyId),
    ],
    MessageFilesExpired: ({ messageId }, { stream }) => [
      patch(messageRows, messageKey(idInStream(stream), messageId), { files_removed: true }),
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
    // The conversation's row is removed last: while it exists, an interrupted erasure is found and continued.
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
      remove(pendingReplyRows, id),
      withoutTools(key),
    ];
  });
}
