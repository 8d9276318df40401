import { type Decider, isLeased, onHold } from '@parlance/decider';
import type { ConversationCommand } from './conversation-commands.ts';
import { chargeErased, claimedBy, completed, failed, giveFeedback, proposeTitle, requestReply, submit } from './conversation-decisions.ts';
import { erasureBegun, eraseStep, expire } from './conversation-erasure.ts';
import type { ConversationEvent, Parties } from './conversation-events.ts';
import { isOwnedBy } from './conversation-owner.ts';
import { claimLost, conversationIsTemporary, conversationNotFound, replyClaimed, replyIsOver } from './conversation-refusals.ts';
import { decideImport, decideImportUse, evolveImport } from './conversation-import.ts';
import { decideFiles } from './retention/expired-files.ts';
import { decideTools, evolveTools, expiredApprovals, isAwaiting, resumed } from './conversation-tools.ts';
import { type Conversation, isClosed } from './conversation-state.ts';
import { memoryTurned } from './memory/conversation-memory.ts';

export const conversation: Decider<ConversationCommand, ConversationEvent, Conversation> = {
  initialState: { userId: null, botId: null, lastMessageId: null, messages: 0, running: {} },
  snapshots: { every: 50, shape: 'conversation-6' },

  decide(command, state) {
    switch (command.type) {
      case 'Submit':
        return submit(command, state);
      case 'RequestReply':
        return requestReply(command, state);
      case 'ClaimReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        if (isLeased(reply.leaseUntil, command.now)) return replyClaimed();
        if (isAwaiting(reply, command.now)) return replyClaimed();
        return [...expiredApprovals(command.replyId, reply, command.now), claimedBy(command.replyId, command)];
      }
      case 'RenewClaim': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        return reply.claim === command.claim ? [claimedBy(command.replyId, command)] : claimLost();
      }
      case 'CancelReply': {
        const reply = state.running[command.replyId];
        if (!isOwnedBy(state, command)) return conversationNotFound();
        if (!reply) return replyIsOver();
        if (reply.isCancelled) return [];
        return [{ type: 'ReplyCancelled', replyId: command.replyId, ...(reply.tools?.isAwaiting && { resumes: true }) }];
      }
      case 'Import':
        return decideImport(command, state);
      case 'ImportUse':
        return decideImportUse(command, state);
      case 'CallTools':
      case 'BeginToolCall':
      case 'AnswerToolCall':
      case 'AwaitApproval':
      case 'DecideToolCall':
        return decideTools(command, state);
      case 'CompleteReply':
      case 'FailReply': {
        const reply = state.running[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.claim !== command.claim) return claimLost();
        const identity = identityOf(command.replyId, reply);
        return command.type === 'FailReply' ? failed(command, identity) : completed(command, identity);
      }
      case 'ChargeErasedReply': {
        const reply = state.unpaid?.[command.replyId];
        if (!reply) return replyIsOver();
        if (reply.claim !== command.claim) return claimLost();
        return chargeErased(command, identityOf(command.replyId, reply));
      }
      case 'RecordCharge': {
        if (!isOwnedBy(state, command)) return conversationNotFound();
        const { charge, userId } = command;
        // The call has to be paid even if its conversation was deleted in the meantime.
        return [{ type: 'TokensCharged', ...charge, userId, botId: state.botId, ...(isClosed(state) && { afterErasure: true }) }];
      }
      case 'SetTitle':
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        return [{ type: 'ConversationTitled', title: command.title, by: 'user' }];
      case 'Move': {
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        const { userId, projectId } = command;
        if (projectId === (state.projectId ?? null)) return [];
        return state.temporary ? conversationIsTemporary() : [{ type: 'ConversationMoved', userId, projectId }];
      }
      case 'SetPinned':
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        if (command.isPinned === (state.isPinned ?? false)) return [];
        if (state.temporary) return conversationIsTemporary();
        return [{ type: command.isPinned ? 'ConversationPinned' : 'ConversationUnpinned', userId: command.userId }];
      case 'SetMemory':
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        return memoryTurned(command.userId, command.isOn, state);
      case 'ProposeTitle':
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        return proposeTitle(command, state);
      case 'GiveFeedback':
        if (isClosed(state) || !isOwnedBy(state, command)) return conversationNotFound();
        return giveFeedback(command, state);
      case 'Delete':
        if (state.erased || !isOwnedBy(state, command)) return conversationNotFound();
        if (isClosed(state)) return [];
        if (command.holds?.length) return onHold(command.holds, command.forAdmin === true);
        return erasureBegun(state, { userId: command.userId, deleted: true });
      case 'Expire':
        return expire(command, state);
      case 'ExpireFiles':
      case 'EndFiles':
        return decideFiles(command, state);
      case 'Erase':
        // The erasure of a user reaches the conversations of the user's APIs too.
        if (state.userId !== command.userId) return conversationNotFound();
        return state.erased ? [] : eraseStep(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ConversationStarted':
        return {
          ...state,
          userId: event.userId,
          botId: event.botId,
          ...(event.api && { apiId: event.api.apiId }),
          ...(event.temporary && { temporary: true }),
          ...(event.projectId !== undefined && { projectId: event.projectId }),
        };
      case 'ConversationMoved': {
        const { projectId: _, ...outside } = state;
        return event.projectId === null ? outside : { ...outside, projectId: event.projectId };
      }
      case 'ConversationPinned':
        return { ...state, isPinned: true };
      case 'ConversationUnpinned': {
        const { isPinned: _, ...unpinned } = state;
        return unpinned;
      }
      case 'ConversationMemoryTurnedOff':
        return { ...state, isWithoutMemory: true };
      case 'ConversationMemoryTurnedOn': {
        const { isWithoutMemory: _, ...remembering } = state;
        return remembering;
      }
      case 'MessageSubmitted':
        return {
          ...state,
          lastMessageId: event.replyId,
          messages: state.messages + 2,
          running: {
            ...state.running,
            [event.replyId]: unclaimedReply(event),
          },
        };
      case 'ReplyRequested':
        return {
          ...state,
          lastMessageId: event.replyId,
          messages: state.messages + 1,
          running: {
            ...state.running,
            [event.replyId]: unclaimedReply(event),
          },
        };
      case 'ReplyCancelled': {
        const reply = state.running[event.replyId];
        if (!reply) return state;
        return { ...state, running: { ...state.running, [event.replyId]: resumed({ ...reply, isCancelled: true }) } };
      }
      case 'ToolsCalled':
      case 'ToolCallBegun':
      case 'ToolAnswered':
      case 'ToolCallDecided':
      case 'ApprovalAwaited':
        return evolveTools(state, event);
      case 'ConversationImported':
      case 'MessagesImported':
      case 'UseImported':
        return evolveImport(state, event);
      case 'TokensCharged':
      case 'ConversationTitled':
      case 'FeedbackGiven':
      case 'MessageFilesExpired':
      case 'MessageFilesRemoved':
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

const identityOf = (replyId: string, { userId, botId, model, budgets, api }: Parties & { readonly model: string }) => ({
  replyId,
  userId,
  botId,
  model,
  ...(budgets && { budgets }),
  ...(api && { api }),
});

const unclaimedReply = ({ userId, botId, model, budgets, api }: Parties & { readonly model: string }) => ({
  userId,
  botId,
  model,
  ...(budgets && { budgets }),
  ...(api && { api }),
  claim: null,
  leaseUntil: null,
});

export const conversationStream = (conversationId: string) => `conversation-${conversationId}`;
