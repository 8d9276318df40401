import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type At, type Cursor, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { ImportEvent } from '../domain/conversation-import.ts';
import { temporaryRows } from './conversation-list.ts';
import { conversationRows, messageKey, type MessageRow, messageRows } from './messages/message-rows.ts';

/** A message to a bot. Its sealed text is only in the row of the message. */
interface BotQueryRow {
  bot_id: string;
  at: Instant;
}

export const botQueryRows = table<BotQueryRow>('bot_queries', { ofBot: ['bot_id', 'at'] });

/** Sealed bytes of a message that counts as a question. Longer messages contain documents, and are hardly ever repeated. */
export const LONGEST_QUESTION_BYTES = 8 * 1024;

/** One small row for each message to a bot, removed with the message. */
export const botQueries = projection<ConversationEvent>({
  name: 'bot-queries',
  version: 1,
  tables: [botQueryRows],
  on: {
    MessageSubmitted: ({ botId, messageId, content }, { stream, metadata: { at } }) =>
      botId === null || content.length > LONGEST_QUESTION_BYTES
        ? []
        : [put(botQueryRows, messageKey(idInStream(stream), messageId), { bot_id: botId, at })],
    ConversationImported: (event, at) => imported(event, at),
    MessagesImported: (event, at) => imported(event, at),
    MessagesRemoved: ({ messageIds }, { stream }) => withoutMessages(stream, messageIds),
    ConversationErased: ({ messageIds = [] }, { stream }) => withoutMessages(stream, messageIds),
  },
});

const imported = ({ botId, messages }: ImportEvent, { stream }: At) =>
  messages.flatMap(({ id, role, content, at }) =>
    botId === null || role !== 'user' || content === null || content.length > LONGEST_QUESTION_BYTES
      ? []
      : [put(botQueryRows, messageKey(idInStream(stream), id), { bot_id: botId, at })],
  );

const withoutMessages = (stream: string, messageIds: readonly string[]) =>
  messageIds.map((id) => remove(botQueryRows, messageKey(idInStream(stream), id)));

const PAGE_ROWS = 250;

interface Page {
  /** Sealed texts of messages. */
  readonly texts: readonly string[];
  readonly next: Cursor | null;
}

/** Sealed messages to a bot since a time, the newest first. Leaves out temporary conversations, and conversations that are being erased. */
export const QueriesToBot = query('QueriesToBot', async (models, botId: string, since: Instant, after: Cursor | null): Promise<Page> => {
  const search = {
    index: 'ofBot',
    where: { bot_id: botId },
    from: since,
    order: 'desc',
    limit: PAGE_ROWS,
    ...(after && { after }),
  } as const;
  const { keys, next } = await models.find(botQueryRows, search);
  const conversationOf = (key: string) => key.slice(0, key.indexOf('/'));
  const ids = [...new Set(keys.map(conversationOf))];
  const [conversations, temporary] = await Promise.all([models.getMany(conversationRows, ids), models.getMany(temporaryRows, ids)]);
  const isOpen = (id: string) => conversations.get(id)?.is_closed !== true && !temporary.has(id);
  const open = keys.filter((key) => isOpen(conversationOf(key)));
  const messages = await models.getMany<MessageRow>(messageRows, open);
  return { texts: [...messages.values()].flatMap(({ content }) => content ?? []), next };
});
