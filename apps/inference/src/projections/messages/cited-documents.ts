import { type Change, put, table, update } from '@parlance/read-models';
import type { UsedChunks } from '../../domain/conversation-events.ts';
import { messageKey } from './message-rows.ts';

/** The chunks that a reply cites, sealed. Their own row keeps the rows of messages short for transcripts and erasures. */
export interface UsedChunkRow {
  message_id: string;
  chunks: string;
}

/** A cited document, with the latest replies that cite it, the newest first. */
export interface CitedDocument {
  source_id: string;
  reply_ids: readonly string[];
}

/** The documents that a conversation cites, the most recently cited first. */
export interface ConversationDocumentRow {
  documents: readonly CitedDocument[];
}

/** Documents kept for each conversation, and replies kept for each document. The least recently cited are dropped. */
export const DOCUMENTS_KEPT = 200;
export const CITING_REPLIES_KEPT = 10;

export const usedChunkRows = table<UsedChunkRow>('used_chunks');
export const conversationDocumentRows = table<ConversationDocumentRow>('conversation_documents');

/** The rows of a reply that cites chunks. */
export function withChunks(conversationId: string, replyId: string, { content, sourceIds }: UsedChunks): Change[] {
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
