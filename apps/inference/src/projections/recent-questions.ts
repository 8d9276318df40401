import type { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { Cursor } from '@parlance/read-models';
import { query } from '../bus.ts';
import { LONGEST_QUESTION_BYTES } from './bot-queries.ts';
import { isTemporary, listedRows } from './conversation-list.ts';
import { messageRows, messagesOf } from './messages/message-rows.ts';

/** The number of conversations in a page. */
export const CONVERSATIONS_AT_ONCE = 50;
/** What is read of each conversation: its newest messages and replies, and at most this many bytes of them. */
const MESSAGES_READ = 40;
const BYTES_READ = 256 * 1024;

interface Page {
  /** Sealed texts of messages. */
  readonly texts: readonly string[];
  readonly next: Cursor | null;
}

/**
 * Sealed messages of users since a time, those of the conversations with the newest messages first. Leaves out temporary conversations, and
 * those that are being deleted, which are in no list.
 */
export const RecentQuestions = query(
  'RecentQuestions',
  async (models, isWithoutBot: boolean, since: Instant, after: Cursor | null): Promise<Page> => {
    const search = { index: 'byLastMessage', from: since, order: 'desc', limit: CONVERSATIONS_AT_ONCE, ...(after && { after }) } as const;
    const { rows, next } = await models.find(listedRows, search);
    const texts: string[] = [];
    for (const row of rows) {
      if (isTurnOver()) await nextTurn();
      if (isTemporary(row) || (isWithoutBot && row.bot_id !== null)) continue;
      const newest = { ...messagesOf(row.conversation_id), order: 'desc', limit: MESSAGES_READ, bytes: BYTES_READ } as const;
      const messages = await models.find(messageRows, newest);
      for (const { role, content, submitted_at } of messages.rows)
        if (role === 'user' && content !== null && content.length <= LONGEST_QUESTION_BYTES && submitted_at >= since) texts.push(content);
    }
    return { texts, next };
  },
);
