import type { Cursor } from '@parlance/read-models';
import { query } from '../bus.ts';
import { costRows, type FeedbackRow, feedbackRows, listedRows } from './conversation-list.ts';
import { type ListedConversation, PAGE_OF_MESSAGES_BYTES } from './conversations.ts';
import { conversationRows, messageKey, type MessageRow, messageRows, messagesOf } from './messages/message-rows.ts';

interface Page {
  readonly conversations: readonly ListedConversation[];
  /** The last conversation of this page, if others follow. */
  readonly next: string | null;
}

/**
 * All conversations of a user that are not being erased, the highest ID first. Unlike the order of the user's own list, this order does not
 * change while pages are read.
 */
export const ConversationsOfUser = query(
  'ConversationsOfUser',
  async (models, userId: string, limit: number, after: string | null): Promise<Page> => {
    const found: ListedConversation[] = [];
    let from: Cursor | null = after === null ? null : [userId, after];
    do {
      const search = {
        index: 'byUser',
        where: { user_id: userId },
        order: 'desc',
        limit: limit + 1,
        ...(from && { after: from }),
      } as const;
      const { rows, next } = await models.find(conversationRows, search);
      const ids = rows.filter((row) => !row.is_closed).map((row) => row.conversation_id);
      const [listed, costs] = await Promise.all([models.getMany(listedRows, ids), models.getMany(costRows, ids)]);
      for (const id of ids) {
        const row = listed.get(id);
        if (row) found.push({ row, nanoDollars: costs.get(id)?.nano_dollars ?? 0 });
      }
      from = next;
    } while (from && found.length <= limit);
    const conversations = found.slice(0, limit);
    return { conversations, next: found.length > limit ? conversations.at(-1)!.row.conversation_id : null };
  },
);

interface Prompts {
  /** Messages of the user, the oldest first. */
  readonly prompts: readonly MessageRow[];
  /** The last message that was read, if others follow. */
  readonly next: string | null;
}

/** A user's messages in a conversation, after one of them. A page with long messages ends early. Null if the user has no such conversation. */
export const PromptsOf = query(
  'PromptsOf',
  async (models, userId: string, conversationId: string, limit: number, after: string | null): Promise<Prompts | null> => {
    const conversation = await models.get(conversationRows, conversationId);
    if (conversation?.user_id !== userId || conversation.is_closed) return null;
    const prompts: MessageRow[] = [];
    let bytes = 0;
    let last = after;
    for (;;) {
      const { rows, next } = await models.find(messageRows, {
        ...messagesOf(conversationId),
        limit: 2 * limit,
        bytes: PAGE_OF_MESSAGES_BYTES,
        ...(last !== null && { after: [messageKey(conversationId, last)] }),
      });
      for (const [position, row] of rows.entries()) {
        last = row.message_id;
        bytes += row.content?.length ?? 0;
        if (row.role === 'user') prompts.push(row);
        const isLast = next === null && position === rows.length - 1;
        if (prompts.length === limit || bytes >= PAGE_OF_MESSAGES_BYTES) return { prompts, next: isLast ? null : last };
      }
      if (next === null) return { prompts, next: null };
    }
  },
);

/** A rating, and whose reply it is about. */
type RatedReply = FeedbackRow & { readonly user_id: string };

/** Ratings of replies, which are named as conversation/reply. Leaves out conversations that are being erased. */
export const FeedbackOn = query('FeedbackOn', async (models, replies: readonly string[]): Promise<ReadonlyMap<string, RatedReply>> => {
  const conversationOf = (reply: string) => reply.slice(0, reply.indexOf('/'));
  const conversations = await models.getMany(conversationRows, [...new Set(replies.map(conversationOf))]);
  const isOpen = (reply: string) => conversations.has(conversationOf(reply)) && !conversations.get(conversationOf(reply))!.is_closed;
  const ratings = await models.getMany(feedbackRows, replies.filter(isOpen));
  return new Map([...ratings].map(([reply, row]) => [reply, { ...row, user_id: conversations.get(conversationOf(reply))!.user_id }]));
});
