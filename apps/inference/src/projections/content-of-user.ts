import { query } from '../bus.ts';
import { MESSAGES_REMOVED_AT_ONCE } from '../domain/conversation-limits.ts';
import { conversationRows, type ErasedContentRow, erasedContentRows, messageRows, messagesOf } from './messages/message-rows.ts';

/** Sealed content that one step of an erasure removes. */
const BYTES_REMOVED_AT_ONCE = 1024 * 1024;

/** Some of a user's conversations, at most a thousand: their ids. */
export const ConversationsOf = query('ConversationsOf', async (models, userId: string): Promise<readonly string[]> => {
  const { rows } = await models.find(conversationRows, { index: 'byUser', where: { user_id: userId }, limit: 1_000 });
  return rows.map((row) => row.conversation_id);
});

/** Some of a holder's conversations after an id, at most a thousand: their ids. */
export const ConversationsHeldBy = query(
  'ConversationsHeldBy',
  async (models, holder: string, after: string | null): Promise<readonly string[]> => {
    const wanted = { index: 'byHolder', where: { holder }, limit: 1_000, ...(after !== null && { after: [holder, after] }) } as const;
    const { rows } = await models.find(conversationRows, wanted);
    return rows.map((row) => row.conversation_id);
  },
);

export interface LeftMessage {
  readonly id: string;
  /** How many it had, without those that a retention rule has removed. */
  readonly files: number;
}

/**
 * A conversation's messages and replies, the lowest id first: as many as one step of an erasure removes. A page holds little content,
 * since the store takes time for each page of a row that it removes. The
 * chunks that replies cite and the results of tools count as well; they are in rows of their own.
 */
export const MessagesLeft = query('MessagesLeft', async (models, conversationId: string): Promise<readonly LeftMessage[]> => {
  const wanted = { ...messagesOf(conversationId), limit: MESSAGES_REMOVED_AT_ONCE, bytes: BYTES_REMOVED_AT_ONCE };
  const { rows } = await models.find(messageRows, wanted);
  let bytes = 0;
  const page = rows.filter(({ used_chunk_bytes = 0, tools }) => {
    const hasRoom = bytes < BYTES_REMOVED_AT_ONCE;
    bytes += used_chunk_bytes + (tools?.bytes ?? 0);
    return hasRoom;
  });
  return page.map(({ message_id, files = [], files_removed }) => ({ id: message_id, files: files_removed ? 0 : files.length }));
});

/** How much was removed of this user. */
export const ContentErasedOf = query('ContentErasedOf', async (models, userId: string): Promise<ErasedContentRow> => {
  return (await models.get(erasedContentRows, userId)) ?? { user_id: userId, conversations: 0, messages: 0 };
});
