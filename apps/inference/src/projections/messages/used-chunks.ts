import type { ReadModels } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { type CitedDocument, conversationDocumentRows, usedChunkRows } from './cited-documents.ts';
import { conversationRows, messageKey } from './message-rows.ts';

/** Bytes of sealed chunks that one answer about related documents reads. The chunks of the reply that exceeds it are still read completely. */
export const CHUNK_BYTES_READ = 1024 * 1024;

/** The sealed chunks of a reply. Null if there are none. */
export const UsedChunksOf = query('UsedChunksOf', async (models, conversationId: string, replyId: string): Promise<string | null> => {
  return (await models.get(usedChunkRows, messageKey(conversationId, replyId)))?.chunks ?? null;
});

/** The documents that a conversation cites, the most recently cited first. Null if the owner has no such conversation. */
export const CitedDocuments = query(
  'CitedDocuments',
  async (models, conversationId: string, holder: string): Promise<readonly CitedDocument[] | null> => {
    const conversation = await models.get(conversationRows, conversationId);
    if (conversation?.holder !== holder || conversation.is_closed) return null;
    return (await models.get(conversationDocumentRows, conversationId))?.documents ?? [];
  },
);

/** The sealed chunks of replies in their order, as many as `CHUNK_BYTES_READ` allows but at least one. Leaves out replies without chunks. */
export const UsedChunksOfReplies = query(
  'UsedChunksOfReplies',
  async (models, conversationId: string, replyIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    let bytes = 0;
    for (const replyId of replyIds) {
      if (bytes >= CHUNK_BYTES_READ) break;
      const chunks = await chunksOf(models, conversationId, replyId);
      if (chunks === undefined) continue;
      bytes += chunks.length;
      found.set(replyId, chunks);
    }
    return found;
  },
);

const chunksOf = async (models: ReadModels, conversationId: string, replyId: string) =>
  (await models.get(usedChunkRows, messageKey(conversationId, replyId)))?.chunks;
