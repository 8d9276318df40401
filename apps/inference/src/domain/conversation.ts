import type { Decider } from '@parlance/decider';
import type { ConversationCommand } from './conversation-commands.ts';
import {
  chargeErased,
  claimedBy,
  completed,
  eraseStep,
  failed,
  giveFeedback,
  proposeTitle,
  requestReply,
  submit,
} from './conversation-decisions.ts';
import type { ConversationEvent, Parties } from './conversation-events.ts';
import { claimLost, conversationNotFound, replyClaimed, replyIsOver } from './conversation-refusals.ts';
import { type Conversation, isClosed } from './conversation-state.ts';

export const conversation: Decider<ConversationCommand, ConversationEvent, Conversation> = {
  initialState: { userId: null, botId: null, lastMessageId: null, messages: 0, running: {} },
  snapshots: { every: 50, shape: 'conversation-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Submit':
        return submit(command, state);
      case 'RequestReply':
        return requestReply(command, state);
      case 'ClaimReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.leaseUntil !== null && reply.leaseUntil > command.now) return replyClaimed();
        return [claimedBy(command.replyId, command)];
      }
      case 'RenewClaim': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        return reply.claim === command.claim ? [claimedBy(command.replyId, command)] : claimLost();
      }
      case 'CancelReply': {
        const reply = state.running[command.replyId];
        if (state.userId !== command.userId) return conversationNotFound();
        if (!reply) return replyIsOver();
        return reply.isCancelled ? [] : [{ type: 'ReplyCancelled', replyId: command.replyId }];
      }
      case 'CompleteReply':
      case 'FailReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.claim !== command.claim) return claimLost();
        const told = toldOf(command.replyId, reply);
        return command.type === 'FailReply' ? failed(command, told) : completed(command, told);
      }
      case 'ChargeErasedReply': {
        const reply = state.unpaid?.[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.claim !== command.claim) return claimLost();
        return chargeErased(command, toldOf(command.replyId, reply));
      }
      case 'RecordCharge': {
        if (state.userId !== command.userId) return conversationNotFound();
        const { charge, userId } = command;
        // The call is to be paid also if its conversation was deleted meanwhile.
        return [{ type: 'TokensCharged', ...charge, userId, botId: state.botId, ...(isClosed(state) && { afterErasure: true }) }];
      }
      case 'SetTitle':
        if (isClosed(state) || state.userId !== command.userId) return conversationNotFound();
        return [{ type: 'ConversationTitled', title: command.title, by: 'user' }];
      case 'ProposeTitle':
        if (isClosed(state) || state.userId !== command.userId) return conversationNotFound();
        return proposeTitle(command, state);
      case 'GiveFeedback':
        if (isClosed(state) || state.userId !== command.userId) return conversationNotFound();
        return giveFeedback(command, state);
      case 'Delete':
        if (state.erased || state.userId !== command.userId) return conversationNotFound();
        return isClosed(state) ? [] : [{ type: 'ConversationErasureBegun', userId: command.userId, deleted: true }];
      case 'Erase':
        if (state.userId !== command.userId) return conversationNotFound();
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
            [event.replyId]: owed(event),
          },
        };
      case 'ReplyRequested':
        return {
          ...state,
          lastMessageId: event.replyId,
          messages: state.messages + 1,
          running: {
            ...state.running,
            [event.replyId]: owed(event),
          },
        };
      case 'ReplyCancelled': {
        const reply = state.running[event.replyId];
        if (!reply) return state;
        return { ...state, running: { ...state.running, [event.replyId]: { ...reply, isCancelled: true } } };
      }
      case 'TokensCharged':
      case 'ConversationTitled':
      case 'FeedbackGiven':
        return state;
      case 'ReplyClaimed': {
        const reply = state.running[event.replyId];
        if (!reply) return state;
        return { ...state, running: { ...state.running, [event.replyId]: { ...reply, claim: event.claim, leaseUntil: event.leaseUntil } } };
      }
      case 'ReplyCompleted':
      case 'ReplyFailed': {
        const { [event.replyId]: _, ...running } = state.running;
        if (!state.unpaid) return { ...state, running };
        const { [event.replyId]: __, ...unpaid } = state.unpaid;
        return { ...state, running, unpaid };
      }
      case 'ConversationErasureBegun':
        return {
          ...state,
          running: {},
          ...(Object.keys(state.running).length > 0 && { unpaid: state.running }),
          removedTo: '',
          ...(event.deleted && { deleted: state.messages }),
        };
      case 'MessagesRemoved':
        return { ...state, messages: state.messages - event.messageIds.length, removedTo: event.messageIds.at(-1)! };
      case 'ConversationErased':
        return { ...state, running: {}, erased: true };
    }
  },
};

const toldOf = (replyId: string, { userId, botId, model, budgets }: Parties & { readonly model: string }) => ({
  replyId,
  userId,
  botId,
  model,
  ...(budgets && { budgets }),
});

const owed = ({ userId, botId, model, budgets }: Parties & { readonly model: string }) => ({
  userId,
  botId,
  model,
  ...(budgets && { budgets }),
  claim: null,
  leaseUntil: null,
});

export const conversationStream = (conversationId: string) => `conversation-${conversationId}`;
