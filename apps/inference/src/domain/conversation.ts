import { type Decider, type Instant, refuse } from '@parlance/decider';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Counted by us, because the provider was silent. */
  readonly estimated: boolean;
}

/** Content arrives sealed: no rule here needs to read it. */
export type ConversationCommand =
  | {
      type: 'Submit';
      userId: string;
      botId: string | null;
      messageId: string;
      replyId: string;
      parentId: string | null;
      content: string;
      model: string;
    }
  /** A worker takes a reply on itself until the lease runs out; `claim` names this one try. */
  | { type: 'ClaimReply'; replyId: string; claim: string; now: Instant; leaseUntil: Instant }
  | { type: 'CompleteReply'; replyId: string; claim: string; content: string; usage: Usage; costNanoDollars: number }
  | { type: 'FailReply'; replyId: string; claim: string; code: string; reason: string }
  /** The user it belongs to is gone; the keys of its content are destroyed. */
  | { type: 'Erase'; userId: string };

/** Whom a message and its reply are for and charged to: told in each event, so that none needs another to be understood. */
interface Parties {
  readonly userId: string;
  readonly botId: string | null;
}

export type ConversationEvent =
  | ({ type: 'ConversationStarted' } & Parties)
  | ({ type: 'MessageSubmitted'; messageId: string; replyId: string; parentId: string | null; content: string; model: string } & Parties)
  | { type: 'ReplyClaimed'; replyId: string; claim: string; leaseUntil: Instant }
  | ({ type: 'ReplyCompleted'; replyId: string; content: string; model: string; usage: Usage; costNanoDollars: number } & Parties)
  | ({ type: 'ReplyFailed'; replyId: string; model: string; code: string; reason: string } & Parties)
  /** Names all messages and replies, so that whoever keeps them knows what to remove. */
  | { type: 'ConversationErased'; userId: string; messageIds: readonly string[] };

type RunningReply = Parties & { model: string; claim: string | null; leaseUntil: Instant | null };

export interface Conversation {
  readonly userId: string | null;
  readonly botId: string | null;
  readonly lastMessageId: string | null;
  /** Every message and reply there has been. */
  readonly ids: readonly string[];
  /** Replies that are still owed. */
  readonly running: Readonly<Record<string, RunningReply>>;
  /** Nothing can be added any more. */
  readonly erased?: true;
}

export const conversation: Decider<ConversationCommand, ConversationEvent, Conversation> = {
  initialState: { userId: null, botId: null, lastMessageId: null, ids: [], running: {} },

  decide(command, state) {
    switch (command.type) {
      case 'Submit': {
        if (state.erased || (state.userId !== null && state.userId !== command.userId)) return refuse('conflict', 'conversation_id_taken');
        // A repeat of the request that brought this very reply about.
        if (state.ids.includes(command.replyId)) return [];
        if (state.userId !== null && state.botId !== command.botId) return refuse('conflict', 'conversation_of_another_bot');
        if (command.parentId !== null && !state.ids.includes(command.parentId)) return refuse('invalid', 'parent_message_unknown');
        const parentId = command.parentId ?? state.lastMessageId;
        if (parentId !== null && state.running[parentId])
          return refuse('conflict', 'reply_in_progress', 'The reply before this message is still being written.');
        const { userId, botId, messageId, replyId, content, model } = command;
        const submitted: ConversationEvent = { type: 'MessageSubmitted', userId, botId, messageId, replyId, parentId, content, model };
        return state.userId === null ? [{ type: 'ConversationStarted', userId, botId }, submitted] : [submitted];
      }
      case 'ClaimReply': {
        const reply = state.running[command.replyId];
        if (!reply) return notRunning(state, command.replyId);
        if (reply.leaseUntil !== null && reply.leaseUntil > command.now) return refuse('conflict', 'reply_claimed');
        return [{ type: 'ReplyClaimed', replyId: command.replyId, claim: command.claim, leaseUntil: command.leaseUntil }];
      }
      case 'CompleteReply':
      case 'FailReply': {
        const reply = state.running[command.replyId];
        if (!reply) return notRunning(state, command.replyId);
        // A worker that was thought dead comes back late: the reply is another's by now.
        if (reply.claim !== command.claim) return refuse('conflict', 'claim_lost');
        const told = { replyId: command.replyId, userId: reply.userId, botId: reply.botId, model: reply.model };
        return command.type === 'CompleteReply'
          ? [{ type: 'ReplyCompleted', ...told, content: command.content, usage: command.usage, costNanoDollars: command.costNanoDollars }]
          : [{ type: 'ReplyFailed', ...told, code: command.code, reason: command.reason }];
      }
      case 'Erase':
        if (state.userId !== command.userId) return refuse('missing', 'conversation_not_found');
        return state.erased ? [] : [{ type: 'ConversationErased', userId: command.userId, messageIds: state.ids }];
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
          ids: [...state.ids, event.messageId, event.replyId],
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
      case 'ConversationErased':
        // The ids stay, so that a worker that comes back late is told that its reply is over.
        return { ...state, running: {}, erased: true };
    }
  },
};

const notRunning = (state: Conversation, replyId: string) =>
  state.ids.includes(replyId) ? refuse('conflict', 'reply_is_over') : refuse('missing', 'reply_unknown');

export const conversationStream = (conversationId: string) => `conversation-${conversationId}`;
