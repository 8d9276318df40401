import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, patch, projection, put, remove, table } from '@parlance/read-models';
import type { ConversationEvent } from '../domain/conversation-events.ts';
import type { ImportEvent } from '../domain/conversation-import.ts';
import { ownerKey } from '../domain/conversation-owner.ts';
import { messageKey } from './messages/message-rows.ts';

/** A conversation as lists show it. Titles are sealed. */
export interface ListedConversationRow {
  conversation_id: string;
  user_id: string;
  /** The owner, as `ownerKey` names it: a user's list has no conversations of published APIs. */
  holder: string;
  /** The list of its owner. For a temporary conversation the list that only deletion reads (`temporaryListOf`). */
  list: string;
  bot_id: string | null;
  started_at: Instant;
  /** The newest message or reply, and when it was requested. Set by the message in the append that starts the conversation. */
  last_message_id: string;
  last_message_at: Instant;
  /** The model of the newest message. */
  model: string;
  /** Null or absent if it is in no project. */
  project_id?: string | null;
  /** The user's list of that project (`projectListOf`). */
  project_list?: string | null;
  /** The user, if the conversation is pinned. */
  pinned_list?: string | null;
  /** Set once the user has turned the memory off for it. */
  is_without_memory?: boolean;
  /** Set by the user, otherwise by rule. Null for conversations in older logs. */
  title: string | null;
  /** Proposed by a model when `last_message_id` was the newest message. */
  proposal?: { title: string; last_message_id: string };
}

export interface ConversationCostRow {
  nano_dollars: number;
}

/**
 * One row for each message of the user, and one for each further reply to it. A message and its first reply are accepted together, so the
 * message's row includes the reply.
 */
export interface BranchRow {
  message_id: string;
  /** The key of the message that this one follows. Null for the first. */
  parent: string | null;
  reply_id: string | null;
}

/** The comment is sealed. */
export interface FeedbackRow {
  message_id: string;
  thumbs_up: boolean;
  category: string | null;
  comment: string | null;
}

/** A conversation that its owner has deleted, and whose erasure has not ended. */
export interface DeletionRow {
  conversation_id: string;
  user_id: string;
  holder: string;
  begun_at: Instant;
}

/** A temporary conversation, until it is completely removed. */
export interface TemporaryRow {
  conversation_id: string;
  user_id: string;
  last_message_id: string;
  last_message_at: Instant;
}

/** The list of an owner's temporary conversations. IDs do not begin with a slash. */
export const temporaryListOf = (holder: string): string => `/temporary/${holder}`;

/** The list of one user's conversations in a project. Its other members have lists of their own. */
export const projectListOf = (projectId: string, holder: string): string => `${projectId}/${holder}`;

export const isTemporary = ({ holder, list }: Pick<ListedConversationRow, 'holder' | 'list'>): boolean => list === temporaryListOf(holder);

export const listedRows = table<ListedConversationRow>('listed_conversations', {
  byActivity: ['list', 'last_message_at'],
  byLastMessage: ['last_message_at'],
  byBot: ['bot_id', 'last_message_at'],
  byProject: ['project_list', 'last_message_at'],
  byPin: ['pinned_list', 'last_message_at'],
});
export const temporaryRows = table<TemporaryRow>('temporary_conversations', { byActivity: ['last_message_at'] });
export const costRows = table<ConversationCostRow>('conversation_costs');
export const branchRows = table<BranchRow>('message_branches', { byParent: ['parent'] });
export const feedbackRows = table<FeedbackRow>('message_feedback');
export const deletionRows = table<DeletionRow>('conversation_deletions', { byBegun: ['begun_at'], byHolder: ['holder'] });

/** Each event changes a fixed number of small rows, however long its conversation is. */
export const conversationList = projection<ConversationEvent>({
  name: 'conversation-list',
  version: 6,
  tables: [listedRows, temporaryRows, costRows, branchRows, feedbackRows, deletionRows],
  on: {
    ConversationStarted: ({ userId, botId, title = null, api, temporary, projectId }, { stream, metadata: { at } }) => {
      const conversation_id = idInStream(stream);
      const holder = ownerKey({ userId, apiId: api?.apiId });
      const row = { conversation_id, user_id: userId, holder, bot_id: botId, started_at: at, title };
      const list = temporary ? temporaryListOf(holder) : holder;
      const last = { last_message_id: '', last_message_at: at };
      return [
        put(listedRows, conversation_id, {
          ...row,
          list,
          ...last,
          model: '',
          ...(projectId !== undefined && inProject(userId, projectId)),
        }),
        ...(temporary ? [put(temporaryRows, conversation_id, { conversation_id, user_id: userId, ...last })] : []),
      ];
    },
    ConversationImported: (event, at) => {
      const { userId, botId, title, startedAt, lastMessageId, lastMessageAt, model, costNanoDollars } = event;
      const conversation_id = idInStream(at.stream);
      const row = {
        conversation_id,
        user_id: userId,
        holder: ownerKey({ userId }),
        list: ownerKey({ userId }),
        bot_id: botId,
        started_at: startedAt,
        title,
        model,
      };
      return [
        put(listedRows, conversation_id, { ...row, last_message_id: lastMessageId, last_message_at: lastMessageAt }),
        ...charged(at.stream, costNanoDollars),
        ...imported(event, at),
      ];
    },
    MessagesImported: (event, at) => imported(event, at),
    MessageSubmitted: ({ messageId, replyId, parentId, model, temporary }, { stream, metadata: { at } }) => {
      const id = idInStream(stream);
      const parent = parentId === null ? null : messageKey(id, parentId);
      return [
        ...newest(id, { last_message_id: replyId, last_message_at: at }, model, temporary),
        put(branchRows, messageKey(id, messageId), { message_id: messageId, parent, reply_id: replyId }),
      ];
    },
    ReplyRequested: ({ messageId, replyId, model, temporary }, { stream, metadata: { at } }) => {
      const id = idInStream(stream);
      return [
        ...newest(id, { last_message_id: replyId, last_message_at: at }, model, temporary),
        put(branchRows, messageKey(id, replyId), { message_id: replyId, parent: messageKey(id, messageId), reply_id: null }),
      ];
    },
    ReplyCompleted: ({ costNanoDollars }, { stream }) => charged(stream, costNanoDollars),
    TokensCharged: ({ costNanoDollars, afterErasure }, { stream }) => (afterErasure ? [] : charged(stream, costNanoDollars)),
    ConversationTitled: (event, { stream }) => {
      const { title } = event;
      const fields = event.by === 'user' ? { title } : { proposal: { title, last_message_id: event.lastMessageId } };
      return [patch(listedRows, idInStream(stream), fields)];
    },
    ConversationMoved: ({ userId, projectId }, { stream }) => [patch(listedRows, idInStream(stream), inProject(userId, projectId))],
    ConversationPinned: ({ userId }, { stream }) => [patch(listedRows, idInStream(stream), { pinned_list: ownerKey({ userId }) })],
    ConversationUnpinned: (_, { stream }) => [patch(listedRows, idInStream(stream), { pinned_list: null })],
    ConversationMemoryTurnedOff: (_, { stream }) => [patch(listedRows, idInStream(stream), { is_without_memory: true })],
    ConversationMemoryTurnedOn: (_, { stream }) => [patch(listedRows, idInStream(stream), { is_without_memory: false })],
    FeedbackGiven: ({ replyId, thumbsUp, category, comment }, { stream }) => {
      const row = { message_id: replyId, thumbs_up: thumbsUp, category, comment };
      return [put(feedbackRows, messageKey(idInStream(stream), replyId), row)];
    },
    // From now on the user no longer sees the conversation, while its messages are removed step by step.
    ConversationErasureBegun: ({ userId, apiId, deleted }, { stream, metadata: { at } }) => {
      const conversation_id = idInStream(stream);
      const deletion = put(deletionRows, conversation_id, {
        conversation_id,
        user_id: userId,
        holder: ownerKey({ userId, apiId }),
        begun_at: at,
      });
      return [remove(listedRows, conversation_id), ...(deleted ? [deletion] : [])];
    },
    MessagesRemoved: ({ messageIds }, { stream }) => withoutMessages(stream, messageIds),
    ConversationErased: ({ messageIds = [] }, { stream }) => [
      ...[listedRows, temporaryRows, costRows, deletionRows].map((each) => remove(each, idInStream(stream))),
      ...withoutMessages(stream, messageIds),
    ],
  },
});

const inProject = (userId: string, projectId: string | null) => ({
  project_id: projectId,
  project_list: projectId === null ? null : projectListOf(projectId, ownerKey({ userId })),
});

const newest = (
  id: string,
  last: Pick<TemporaryRow, 'last_message_id' | 'last_message_at'>,
  model: string,
  temporary: true | undefined,
): Change[] => [patch(listedRows, id, { ...last, model }), ...(temporary ? [patch(temporaryRows, id, last)] : [])];

/** As with messages written here, the message's row includes the first reply, if both are in the same part. */
function imported({ messages }: ImportEvent, { stream }: At): Change[] {
  const id = idInStream(stream);
  const replies = new Map<string, string>();
  const present = new Set(messages.filter(({ role }) => role === 'user').map((message) => message.id));
  for (const { id: replyId, role, parentId } of messages)
    if (role === 'assistant' && parentId !== null && present.has(parentId) && !replies.has(parentId)) replies.set(parentId, replyId);
  const first = new Set(replies.values());
  return messages.flatMap(({ id: message_id, parentId, feedback }) => {
    const parent = parentId === null ? null : messageKey(id, parentId);
    const branch = { message_id, parent, reply_id: replies.get(message_id) ?? null };
    const rating = feedback && { message_id, thumbs_up: feedback.thumbsUp, category: feedback.category, comment: feedback.comment };
    return [
      ...(first.has(message_id) ? [] : [put(branchRows, messageKey(id, message_id), branch)]),
      ...(rating ? [put(feedbackRows, messageKey(id, message_id), rating)] : []),
    ];
  });
}

const charged = (stream: string, nanoDollars: number): Change[] =>
  nanoDollars === 0 ? [] : [add(costRows, idInStream(stream), { nano_dollars: nanoDollars }, {})];

function withoutMessages(stream: string, messageIds: readonly string[]): Change[] {
  return messageIds.flatMap((id) => {
    const key = messageKey(idInStream(stream), id);
    return [remove(branchRows, key), remove(feedbackRows, key)];
  });
}
