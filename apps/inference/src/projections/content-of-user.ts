import { query } from '../bus.ts';
import { MESSAGES_REMOVED_AT_ONCE } from '../domain/conversation-limits.ts';
import { conversationRows, type ErasedContentRow, erasedContentRows, messageRows, messagesOf } from './messages/message-rows.ts';

/** Sealed content that one step of an erasure removes. */
const BYTES_REMOVED_AT_ONCE = 1024 * 1024;

/** The IDs of some of a user's conversations, at most a thousand. */
export const ConversationsOf = query('ConversationsOf', async (models, userId: string): Promise<readonly string[]> => {
  const { rows } = await models.find(conversationRows, { index: 'byUser', where: { user_id: userId }, limit: 1_000 });
  return rows.map((row) => row.conversation_id);
});

/** The IDs of some of an owner's conversations after an ID, at most a thousand. */
export const ConversationsOwnedBy = query(
  'ConversationsOwnedBy',
  async (models, holder: string, after: string | null): Promise<readonly string[]> => {
    const wanted = { index: 'byHolder', where: { holder }, limit: 1_000, ...(after !== null && { after: [holder, after] }) } as const;
    const { rows } = await models.find(conversationRows, wanted);
    return rows.map((row) => row.conversation_id);
  },
);

export interface LeftMessage {
  readonly id: string;
  /** The number of its files, without those that a retention rule has removed. */
  readonly files: number;
}

/**
 * A conversation's messages and replies, the lowest ID first: as many as one step of an erasure removes. The content of a page is limited,
 * because the store needs time for each page of a row that it removes. Cited chunks and tool results, which are in other rows, count too.
 */
export const MessagesLeft = query('MessagesLeft', async (models, conversationId: string): Promise<readonly LeftMessage[]> => {
  const wanted = { ...messagesOf(conversationId), limit: MESSAGES_REMOVED_AT_ONCE, bytes: BYTES_REMOVED_AT_ONCE };
  const { rows } = await models.find(messageRows, wanted);
  let bytes = 0;
  const page = rows.filter(({ used_chunk_bytes = 0, tools }) => {
    const fits = bytes < BYTES_REMOVED_AT_ONCE;
    bytes += used_chunk_bytes + (tools?.bytes ?? 0);
    return fits;
  });
  return page.map(({ message_id, files = [], files_removed }) => ({ id: message_id, files: files_removed ? 0 : files.length }));
});

/** How much of this user's content was erased. */
export const ContentErasedOf = query('ContentErasedOf', async (models, userId: string): Promise<ErasedContentRow> => {
  return (await models.get(erasedContentRows, userId)) ?? { user_id: userId, conversations: 0, messages: 0 };
});
