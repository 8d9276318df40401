import type { Cursor } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { type FeedbackRow, feedbackRows, type ListedConversationRow, listedRows } from '../conversation-list.ts';
import { conversationRows, messageKey, type MessageRow, messageRows, messagesOf } from '../messages/message-rows.ts';

/** Conversations of one page. */
const PAGE_OF_CONVERSATIONS = 200;
/** Messages of one page. */
const PAGE_OF_MESSAGES = 200;
/** Bytes of sealed texts in one page of messages. One message may exceed it. */
const PAGE_BYTES = 512 * 1024;

interface Conversations {
  readonly conversations: readonly ListedConversationRow[];
  readonly next: Cursor | null;
}

/** A user's own conversations, by ID. Leaves out temporary conversations, those of published APIs, and those that are being deleted. */
export const ConversationsToExport = query(
  'ConversationsToExport',
  async (models, userId: string, after: Cursor | null): Promise<Conversations> => {
    const search = { index: 'byHolder', where: { holder: userId }, limit: PAGE_OF_CONVERSATIONS, ...(after && { after }) } as const;
    const { rows, next } = await models.find(conversationRows, search);
    const open = rows.filter((row) => !row.is_closed).map((row) => row.conversation_id);
    const listed = await models.getMany(listedRows, open);
    return { conversations: open.flatMap((id) => (listed.get(id)?.list === userId ? listed.get(id)! : [])), next };
  },
);

export interface MessagesToExport {
  /** The lowest ID first. */
  readonly messages: readonly MessageRow[];
  readonly feedback: ReadonlyMap<string, FeedbackRow>;
  /** The last message of this page, if others follow. */
  readonly next: string | null;
}

/** Messages and replies of a conversation, after one of them. Null if the conversation is deleted or being deleted. */
export const MessagesToExportOf = query(
  'MessagesToExportOf',
  async (models, conversationId: string, after: string | null): Promise<MessagesToExport | null> => {
    const { rows, next } = await models.find(messageRows, {
      ...messagesOf(conversationId),
      limit: PAGE_OF_MESSAGES,
      bytes: PAGE_BYTES,
      ...(after !== null && { after: [messageKey(conversationId, after)] }),
    });
    // Chunks and tool results, which are in other rows, count too.
    let bytes = 0;
    const messages = rows.filter(({ content, reasoning, used_chunk_bytes = 0, tools }) => {
      const fits = bytes < PAGE_BYTES;
      bytes += (content?.length ?? 0) + (reasoning?.length ?? 0) + used_chunk_bytes + (tools?.bytes ?? 0);
      return fits;
    });
    const replies = messages.filter(({ role }) => role === 'assistant');
    // The conversation is read after its messages, so that messages of a conversation deleted in the meantime are not used.
    const [conversation, rated] = await Promise.all([
      models.get(conversationRows, conversationId),
      models.getMany(
        feedbackRows,
        replies.map(({ message_id }) => messageKey(conversationId, message_id)),
      ),
    ]);
    if (!conversation || conversation.is_closed) return null;
    const last = messages.at(-1);
    return {
      messages,
      feedback: new Map([...rated.values()].map((row) => [row.message_id, row])),
      next: last && (next !== null || messages.length < rows.length) ? last.message_id : null,
    };
  },
);
