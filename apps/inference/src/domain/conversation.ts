import { type Decider, type Decision, type Instant, refuse } from '@parlance/decider';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Counted here, because the provider gave no numbers. */
  readonly estimated: boolean;
}

/** One worker's try at a reply. No other worker may take the reply before the lease ends. */
export interface Claim {
  readonly claim: string;
  readonly leaseUntil: Instant;
}

/** The chunks that a reply cites: sealed as JSON, and the ids of their documents, the best first. The ids tell nothing of the documents. */
export interface UsedChunks {
  readonly content: string;
  readonly sourceIds: readonly string[];
}

/** Content is sealed. No rule here reads it. */
export type ConversationCommand =
  | {
      type: 'Submit';
      userId: string;
      botId: string | null;
      messageId: string;
      replyId: string;
      /** The message that this one answers, and whether the conversation's rows have it; null for the newest. */
      parent: { readonly id: string; readonly exists: boolean } | null;
      content: string;
      model: string;
      /** Of the process that accepts the message and writes the reply itself; null leaves the reply to any process. */
      claim: Claim | null;
    }
  | ({ type: 'ClaimReply'; replyId: string; now: Instant } & Claim)
  | {
      type: 'CompleteReply';
      replyId: string;
      claim: string;
      content: string;
      usage: Usage;
      costNanoDollars: number;
      /** Null for a reply that does not show its sources, or has none. */
      usedChunks: UsedChunks | null;
    }
  | { type: 'FailReply'; replyId: string; claim: string; code: string; reason: string }
  /**
   * One step of the erasure, given the lowest ids that are left, at most `MESSAGES_REMOVED_AT_ONCE`, and whether they were read after the
   * erasure had begun. The user it belongs to is gone; the keys of its content are destroyed.
   */
  | { type: 'Erase'; userId: string; messageIds: readonly string[]; isBegun: boolean };

/** The user and the bot of a message and its reply. Each event has both, so that it can be read alone. */
interface Parties {
  readonly userId: string;
  readonly botId: string | null;
}

export type ConversationEvent =
  | ({ type: 'ConversationStarted' } & Parties)
  | ({ type: 'MessageSubmitted'; messageId: string; replyId: string; parentId: string | null; content: string; model: string } & Parties)
  | ({ type: 'ReplyClaimed'; replyId: string } & Claim)
  | ({
      type: 'ReplyCompleted';
      replyId: string;
      content: string;
      model: string;
      usage: Usage;
      costNanoDollars: number;
      /** Since release 0.4, of a reply that shows its sources. */
      usedChunks?: UsedChunks;
    } & Parties)
  | ({ type: 'ReplyFailed'; replyId: string; model: string; code: string; reason: string } & Parties)
  /** From here on nothing is added, and no reply ends. */
  | { type: 'ConversationErasureBegun'; userId: string }
  | { type: 'MessagesRemoved'; userId: string; messageIds: readonly string[] }
  /** Nothing of it is left. Until release 0.2 this was the only event of an erasure, and named all messages and replies. */
  | { type: 'ConversationErased'; userId: string; messageIds?: readonly string[] };

type RunningReply = Parties & { model: string; claim: string | null; leaseUntil: Instant | null };

/** The same size for a conversation of any length. */
export interface Conversation {
  readonly userId: string | null;
  readonly botId: string | null;
  readonly lastMessageId: string | null;
  /** How many messages and replies there are. */
  readonly messages: number;
  /** Replies that are still owed, at most `MAX_RUNNING_REPLIES`. */
  readonly running: Readonly<Record<string, RunningReply>>;
  /** The highest id removed by an erasure that has begun; '' before its first. */
  readonly removedTo?: string;
  /** Nothing can be added any more. */
  readonly erased?: true;
}

/** Branches of one conversation that may wait for their replies at the same time. */
export const MAX_RUNNING_REPLIES = 100;
/** Messages that one step of an erasure removes at most, so that its event and the write of its rows stay small. */
export const MESSAGES_REMOVED_AT_ONCE = 500;

const replyIsOver = () => refuse('conflict', 'reply_is_over', 'This reply is finished, or it does not exist.');
export const conversationIdTaken = () =>
  refuse('conflict', 'conversation_id_taken', 'This conversation id is in use. Choose another one, or leave it out.');

export const conversation: Decider<ConversationCommand, ConversationEvent, Conversation> = {
  initialState: { userId: null, botId: null, lastMessageId: null, messages: 0, running: {} },
  snapshots: { every: 50, shape: 'conversation-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Submit':
        return submit(command, state);
      case 'ClaimReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.leaseUntil !== null && reply.leaseUntil > command.now)
          return refuse('conflict', 'reply_claimed', 'Another worker writes this reply.');
        return [{ type: 'ReplyClaimed', replyId: command.replyId, claim: command.claim, leaseUntil: command.leaseUntil }];
      }
      case 'CompleteReply':
      case 'FailReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        // The lease of this worker has ended, and another worker has the reply now.
        if (reply.claim !== command.claim) return refuse('conflict', 'claim_lost', 'Another worker has taken over this reply.');
        const told = { replyId: command.replyId, userId: reply.userId, botId: reply.botId, model: reply.model };
        if (command.type === 'FailReply') return [{ type: 'ReplyFailed', ...told, code: command.code, reason: command.reason }];
        const { content, usage, costNanoDollars, usedChunks } = command;
        return [{ type: 'ReplyCompleted', ...told, content, usage, costNanoDollars, ...(usedChunks && { usedChunks }) }];
      }
      case 'Erase':
        if (state.userId !== command.userId)
          return refuse('missing', 'conversation_not_found', 'There is no such conversation, or it is not yours to see.');
        return state.erased ? [] : eraseStep(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ConversationStarted':
        return { ...state, userId: event.userId, botId: event.botId };
      case 'MessageSubmitted':
        return {
          ...state,
          lastMessageId: event.replyId,
          messages: state.messages + 2,
          running: {
            ...state.running,
            [event.replyId]: { userId: event.userId, botId: event.botId, model: event.model, claim: null, leaseUntil: null },
          },
        };
      case 'ReplyClaimed': {
        const reply = state.running[event.replyId];
        if (!reply) return state;
        return { ...state, running: { ...state.running, [event.replyId]: { ...reply, claim: event.claim, leaseUntil: event.leaseUntil } } };
      }
      case 'ReplyCompleted':
      case 'ReplyFailed': {
        const { [event.replyId]: _, ...running } = state.running;
        return { ...state, running };
      }
      case 'ConversationErasureBegun':
        return { ...state, running: {}, removedTo: '' };
      case 'MessagesRemoved':
        return { ...state, messages: state.messages - event.messageIds.length, removedTo: event.messageIds.at(-1)! };
      case 'ConversationErased':
        return { ...state, running: {}, erased: true };
    }
  },
};

function submit(command: Extract<ConversationCommand, { type: 'Submit' }>, state: Conversation): Decision<ConversationEvent> {
  const { userId, botId, messageId, replyId, parent, content, model, claim } = command;
  const isClosed = state.erased || state.removedTo !== undefined;
  if (isClosed || (state.userId !== null && state.userId !== userId)) return conversationIdTaken();
  // A repeat of the request for this reply. `SubmitMessageHandler` finds repeats of older requests by the name of their append.
  if (state.lastMessageId === replyId || state.running[replyId]) return [];
  if (state.userId !== null && state.botId !== botId)
    return refuse('conflict', 'conversation_of_another_bot', 'This conversation is with another bot. Start a new one.');
  const parentId = parent?.id ?? state.lastMessageId;
  if (parent && !parent.exists && parentId !== state.lastMessageId)
    return refuse('invalid', 'parent_message_unknown', 'The conversation has no message with the id in parent_message_id.');
  if (parentId !== null && state.running[parentId])
    return refuse('conflict', 'reply_in_progress', 'The reply before this message is still being written. Wait until it is finished.');
  if (Object.keys(state.running).length >= MAX_RUNNING_REPLIES)
    return refuse(
      'conflict',
      'reply_in_progress',
      `This conversation has ${MAX_RUNNING_REPLIES} replies that are still being written. Wait until one is finished.`,
    );
  return [
    ...(state.userId === null ? [{ type: 'ConversationStarted', userId, botId } as const] : []),
    { type: 'MessageSubmitted', userId, botId, messageId, replyId, parentId, content, model },
    ...(claim ? [{ type: 'ReplyClaimed', replyId, claim: claim.claim, leaseUntil: claim.leaseUntil } as const] : []),
  ];
}

/**
 * Ids that are removed only grow, so a step that is repeated, or that two processes take at once, removes nothing twice. Ids that were
 * read while messages could still be added count only if they are all there are: a lower one might be missing among them.
 */
function eraseStep(command: Extract<ConversationCommand, { type: 'Erase' }>, { messages, removedTo }: Conversation): ConversationEvent[] {
  const { userId, messageIds, isBegun } = command;
  const rest = messageIds
    .filter((id) => id > (removedTo ?? ''))
    .toSorted()
    .slice(0, MESSAGES_REMOVED_AT_ONCE);
  const isAll = rest.length === messages;
  const removed = isAll || (isBegun && removedTo !== undefined) ? rest : [];
  return [
    ...(removedTo === undefined ? [{ type: 'ConversationErasureBegun', userId } as const] : []),
    ...(removed.length > 0 ? [{ type: 'MessagesRemoved', userId, messageIds: removed } as const] : []),
    ...(isAll ? [{ type: 'ConversationErased', userId } as const] : []),
  ];
}

export const conversationStream = (conversationId: string) => `conversation-${conversationId}`;
