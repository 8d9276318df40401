import type { Instant } from '@parlance/decider';
import type { Cursor, Page, Query, ReadModels } from '@parlance/read-models';
import { query } from '../bus.ts';
import {
  branchRows,
  costRows,
  type DeletionRow,
  deletionRows,
  type FeedbackRow,
  feedbackRows,
  type ListedConversationRow,
  listedRows,
  projectListOf,
  type TemporaryRow,
  temporaryRows,
} from './conversation-list.ts';
import { messageKey, type MessageRow, messageRows, messagesOf } from './messages/message-rows.ts';

/** Bytes of sealed texts in one page of a conversation. One message may exceed it. */
export const PAGE_OF_MESSAGES_BYTES = 2 * 1024 * 1024;
/** How many children of a message are shown. The newest are. */
export const CHILDREN_SHOWN = 100;
/** Deletions that one round continues. */
export const DELETIONS_AT_ONCE = 100;

export interface ListedConversation {
  readonly row: ListedConversationRow;
  readonly nanoDollars: number;
}

/** A conversation of this owner. Null if the owner has no such conversation. */
export const ConversationOf = query(
  'ConversationOf',
  async (models, conversationId: string, holder: string): Promise<ListedConversation | null> => {
    const row = await models.get(listedRows, conversationId);
    if (row?.holder !== holder) return null;
    return { row, nanoDollars: (await models.get(costRows, conversationId))?.nano_dollars ?? 0 };
  },
);

/** Which of a user's own conversations a list has. */
export interface ListedFilter {
  readonly projectId?: string | undefined;
  readonly isPinned?: boolean;
}

/** Each list has its own index, so a page reads no other conversations. */
function searchOf(list: string, { projectId, isPinned }: ListedFilter): Pick<Query, 'index' | 'where'> {
  if (projectId !== undefined) return { index: 'byProject', where: { project_list: projectListOf(projectId, list) } };
  return isPinned ? { index: 'byPin', where: { pinned_list: list } } : { index: 'byActivity', where: { list } };
}

/** The cursor for the page after a conversation. */
export const cursorAfter = ({ list, last_message_at, conversation_id }: ListedConversationRow): Cursor => [
  list,
  last_message_at,
  conversation_id,
];

/** The conversations of one list, the one with the newest message first. The name of a user's own list is the user's ID. */
export const OwnConversations = query(
  'OwnConversations',
  async (models, list: string, limit: number, after: Cursor | null, filter: ListedFilter = {}) => {
    const wanted = { ...searchOf(list, filter), order: 'desc', limit, ...(after && { after }) } as const;
    const { rows, next } = await models.find(listedRows, wanted);
    const costs = await models.getMany(
      costRows,
      rows.map((row) => row.conversation_id),
    );
    const conversations = rows.map((row): ListedConversation => ({ row, nanoDollars: costs.get(row.conversation_id)?.nano_dollars ?? 0 }));
    return { conversations, next };
  },
);

export interface PageOfMessages {
  /** The newest first. */
  readonly messages: readonly MessageRow[];
  /** By message: the messages that follow it, the oldest first. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly feedback: ReadonlyMap<string, FeedbackRow>;
  /** The last message of this page, if others follow. */
  readonly next: string | null;
}

/** Messages and replies of a conversation before one of them, or the newest. */
export const MessagesBefore = query(
  'MessagesBefore',
  async (models, conversationId: string, limit: number, before: string | null, most: number): Promise<PageOfMessages> => {
    const { rows, next } = await models.find(messageRows, {
      ...messagesOf(conversationId),
      order: 'desc',
      limit,
      bytes: most,
      ...(before !== null && { after: [messageKey(conversationId, before)] }),
    });
    const messages = withinBytes(rows, most);
    const last = messages.at(-1);
    const [children, feedback] = await Promise.all([
      childrenOf(models, conversationId, messages),
      feedbackOn(models, conversationId, messages),
    ]);
    return { messages, children, feedback, next: last && (next !== null || messages.length < rows.length) ? last.message_id : null };
  },
);

/** Cited chunks and tool results, which are in other rows, count too. */
function withinBytes(rows: readonly MessageRow[], most: number): readonly MessageRow[] {
  let bytes = 0;
  return rows.filter(({ content, used_chunk_bytes = 0, tools }) => {
    const fits = bytes < most;
    bytes += (content?.length ?? 0) + used_chunk_bytes + (tools?.bytes ?? 0);
    return fits;
  });
}

/** A page is one range of IDs, so one read usually finds all its branches. */
async function childrenOf(models: ReadModels, conversationId: string, messages: readonly MessageRow[]) {
  const children = new Map<string, string[]>();
  const [newest, oldest] = [messages[0], messages.at(-1)];
  if (!newest || !oldest) return children;
  const [from, to] = [messageKey(conversationId, oldest.message_id), messageKey(conversationId, newest.message_id)];
  const limit = messages.length + CHILDREN_SHOWN;
  const [own, following] = await Promise.all([
    models.find(branchRows, { index: 'key', from, to, limit: messages.length }),
    models.find(branchRows, { index: 'byParent', from, to, limit }),
  ]);
  for (const { message_id, reply_id } of own.rows) if (reply_id !== null) children.set(message_id, [reply_id]);
  const prefix = messageKey(conversationId, '').length;
  const follow = (parent: string, child: string) => {
    const id = parent.slice(prefix);
    children.set(id, [...(children.get(id) ?? []), child].slice(-CHILDREN_SHOWN));
  };
  if (following.next === null) for (const { parent, message_id } of following.rows) follow(parent!, message_id);
  // Messages with many children must not crowd out the children of others.
  else
    for (const { message_id } of messages) {
      const parent = messageKey(conversationId, message_id);
      const { rows } = await models.find(branchRows, { index: 'byParent', where: { parent }, order: 'desc', limit: CHILDREN_SHOWN });
      for (const child of rows.toReversed()) follow(parent, child.message_id);
    }
  return children;
}

async function feedbackOn(models: ReadModels, conversationId: string, messages: readonly MessageRow[]) {
  const rows = await models.getMany(
    feedbackRows,
    messages.flatMap(({ role, message_id }) => (role === 'assistant' ? [messageKey(conversationId, message_id)] : [])),
  );
  return new Map([...rows.values()].map((row) => [row.message_id, row]));
}

/** The shown parts of a message that are in other rows. */
export interface MessageDetails {
  /** The messages that follow it, the oldest first. */
  readonly children: readonly string[];
  readonly feedback: FeedbackRow | null;
}

export const DetailsOfMessage = query('DetailsOfMessage', async (models, message: MessageRow): Promise<MessageDetails> => {
  const { conversation_id, message_id } = message;
  const [children, feedback] = await Promise.all([
    childrenOf(models, conversation_id, [message]),
    feedbackOn(models, conversation_id, [message]),
  ]);
  return { children: children.get(message_id) ?? [], feedback: feedback.get(message_id) ?? null };
});

export interface SealedExchange {
  readonly question: string | null;
  readonly answer: string | null;
}

/** The first message of a conversation and its reply. */
export const FirstExchange = query('FirstExchange', async (models, conversationId: string): Promise<SealedExchange> => {
  // These two have the lowest IDs. The reply's ID may be the lower one.
  const { rows } = await models.find(messageRows, { ...messagesOf(conversationId), limit: 2 });
  const question = rows.find(({ role }) => role === 'user')?.content ?? null;
  return { question, answer: rows.find(({ role }) => role === 'assistant')?.content ?? null };
});

/** Deletions that began before a time and have not ended, the oldest first. */
export const DeletionsBegun = query('DeletionsBegun', (models, until: Instant, after: Cursor | null): Promise<Page<DeletionRow>> => {
  return models.find(deletionRows, { index: 'byBegun', to: until, limit: DELETIONS_AT_ONCE, ...(after && { after }) });
});

/** A temporary conversation whose time is over. `listed`: null if its deletion has begun. */
export interface ExpiredTemporary extends TemporaryRow {
  readonly listed: Pick<ListedConversationRow, 'bot_id'> | null;
}

/** Temporary conversations without a message since a time, the oldest first. */
export const TemporaryUntil = query('TemporaryUntil', async (models, until: Instant, after: Cursor | null) => {
  const { rows, next } = await models.find(temporaryRows, {
    index: 'byActivity',
    to: until,
    limit: DELETIONS_AT_ONCE,
    ...(after && { after }),
  });
  const ids = rows.map(({ conversation_id }) => conversation_id);
  const listed = await models.getMany(listedRows, ids);
  return { rows: rows.map((row): ExpiredTemporary => ({ ...row, listed: listed.get(row.conversation_id) ?? null })), next };
});

/** Deletions of a user's own conversations that have not ended. */
export const DeletionsOf = query('DeletionsOf', async (models, userId: string): Promise<readonly DeletionRow[]> => {
  return (await models.find(deletionRows, { index: 'byHolder', where: { holder: userId }, limit: DELETIONS_AT_ONCE })).rows;
});
