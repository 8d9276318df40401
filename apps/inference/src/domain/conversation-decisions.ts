import { type Decision, refuse } from '@parlance/decider';
import type { ConversationCommand } from './conversation-commands.ts';
import type { Charge, Claim, ConversationEvent, Parties } from './conversation-events.ts';
import { isOwnedBy, type UsedApi } from './conversation-owner.ts';
import { MAX_RUNNING_REPLIES } from './conversation-limits.ts';
import {
  conversationIdTaken,
  conversationIsTemporary,
  conversationNotFound,
  conversationNotTemporary,
  conversationOfAnotherProject,
  messageNotFound,
  parentUnknown,
  tooManyRunning,
  refuseField,
} from './conversation-refusals.ts';
import { type Conversation, isClosed } from './conversation-state.ts';
import { memoryTurned } from './memory/conversation-memory.ts';

export function submit(command: Extract<ConversationCommand, { type: 'Submit' }>, state: Conversation): Decision<ConversationEvent> {
  const {
    userId,
    botId,
    messageId,
    replyId,
    parent,
    content,
    files,
    model,
    title,
    reasoning,
    parameters,
    terms,
    budgets,
    claim,
    api,
    temporary,
    projectId,
    memory,
  } = command;
  const isTaken = isClosed(state) || (state.userId !== null && !isOwnedBy(state, { userId, apiId: api?.apiId }));
  // To a program, another owner's conversation looks like a deleted one.
  if (isTaken) return api ? conversationNotFound() : conversationIdTaken();
  // A repeat of the latest request. Repeats of older requests are detected by the idempotency key of the append.
  if (state.lastMessageId === replyId || state.running[replyId]) return [];
  if (state.userId !== null && state.botId !== botId)
    return refuse('conflict', 'conversation_of_another_bot', 'This conversation is with another bot. Start a new one.');
  if (state.userId !== null && temporary && !state.temporary) return conversationNotTemporary();
  if (state.userId === null && temporary && projectId !== undefined) return conversationIsTemporary();
  if (state.userId !== null && projectId !== undefined && projectId !== state.projectId) return conversationOfAnotherProject();
  const isTemporary = (state.userId === null ? temporary : state.temporary) ? ({ temporary: true } as const) : {};
  const parentId = parent?.id ?? state.lastMessageId;
  if (parent && !parent.exists && parentId !== state.lastMessageId) return parentUnknown();
  if (parentId !== null && state.running[parentId])
    return refuse('conflict', 'reply_in_progress', 'The reply before this message is still being written. Wait until it is finished.');
  if (Object.keys(state.running).length >= MAX_RUNNING_REPLIES) return tooManyRunning();
  return [
    ...(state.userId === null
      ? [
          {
            type: 'ConversationStarted',
            userId,
            botId,
            ...(title !== undefined && { title }),
            ...of(api),
            ...isTemporary,
            ...(projectId !== undefined && { projectId }),
          } as const,
        ]
      : []),
    ...memoryTurned(userId, memory, state),
    {
      type: 'MessageSubmitted',
      userId,
      botId,
      messageId,
      replyId,
      parentId,
      content,
      ...(files && { files }),
      model,
      ...(reasoning && { reasoning }),
      ...(parameters && { parameters }),
      ...(terms !== undefined && { terms }),
      ...reservedIn(budgets),
      ...of(api),
      ...isTemporary,
    },
    ...(claim ? [claimedBy(replyId, claim)] : []),
  ];
}

export function requestReply(
  command: Extract<ConversationCommand, { type: 'RequestReply' }>,
  state: Conversation,
): Decision<ConversationEvent> {
  const { userId, botId, replyId, message, continues, model, reasoning, parameters, budgets, claim, api, temporary, memory } = command;
  if (isClosed(state) || !isOwnedBy(state, { userId, apiId: api?.apiId })) return conversationNotFound();
  // A repeat of the request for this reply.
  if (state.lastMessageId === replyId || state.running[replyId]) return [];
  if (state.botId !== botId)
    return refuse('conflict', 'conversation_of_another_bot', 'This conversation is with another bot. Start a new one.');
  if (temporary && !state.temporary) return conversationNotTemporary();
  if (!message.exists) return parentUnknown();
  if (continues !== null && state.running[continues])
    return refuse('conflict', 'reply_in_progress', 'This reply is still being written. Wait until it is finished.');
  if (Object.keys(state.running).length >= MAX_RUNNING_REPLIES) return tooManyRunning();
  const request = { messageId: message.id, replyId, model, userId, botId, ...(continues !== null && { continues }) };
  const wanted = { ...(reasoning && { reasoning }), ...(parameters && { parameters }) };
  return [
    ...memoryTurned(userId, memory, state),
    { type: 'ReplyRequested', ...request, ...wanted, ...reservedIn(budgets), ...of(api), ...(state.temporary && { temporary: true }) },
    ...(claim ? [claimedBy(replyId, claim)] : []),
  ];
}

export const reservedIn = (budgets: readonly string[] | undefined) => (budgets && budgets.length > 0 ? { budgets } : {});

export const of = (api: UsedApi | undefined) => (api ? { api } : {});

/** The fields of every event of a reply. */
type ReplyIdentity = Parties & { replyId: string; model: string };

export function completed(command: Extract<ConversationCommand, { type: 'CompleteReply' }>, identity: ReplyIdentity): ConversationEvent[] {
  const {
    content,
    usage,
    costNanoDollars,
    usedChunks,
    stopReason,
    reasoning,
    provenance,
    blocked,
    claim,
    fallback,
    failedCalls = [],
  } = command;
  const end: ConversationEvent = {
    type: 'ReplyCompleted',
    ...identity,
    ...(fallback !== undefined && { model: fallback }),
    content,
    usage,
    costNanoDollars,
    ...(usedChunks && { usedChunks }),
    ...(stopReason && stopReason !== 'end_turn' && { stopReason }),
    ...(reasoning && { reasoning }),
    ...(provenance && { provenance }),
    ...(blocked && { blocked }),
    claim,
  };
  return [...failedCalls.map((charge) => charged(charge, identity)), end];
}

/** Charges precede the end of their reply, because budgets release the rest of its reservation at the end. */
const charged = (charge: Charge, { userId, botId, budgets, api }: Parties): Extract<ConversationEvent, { type: 'TokensCharged' }> => ({
  type: 'TokensCharged',
  ...charge,
  userId,
  botId,
  ...reservedIn(budgets),
  ...of(api),
});

export function failed(command: Extract<ConversationCommand, { type: 'FailReply' }>, identity: ReplyIdentity): ConversationEvent[] {
  const { code, reason, partial, claim, failedCalls = [] } = command;
  const content = partial?.content ?? command.written ?? null;
  const failure: ConversationEvent = { type: 'ReplyFailed', ...identity, code, reason, ...(content !== null && { content, claim }) };
  const calls = failedCalls.map((charge) => charged(charge, identity));
  if (!partial) return [...calls, failure];
  const { model = identity.model, usage, costNanoDollars } = partial;
  return [...calls, charged({ chargeId: identity.replyId, purpose: 'chat', model, usage, costNanoDollars }, identity), failure];
}

export const ERASED = { code: 'conversation_erased', reason: 'This conversation was erased.' } as const;

/** Nothing of the reply is kept. Its end releases the rest of its reservation. */
export function chargeErased(
  { replyId, charges }: Extract<ConversationCommand, { type: 'ChargeErasedReply' }>,
  identity: ReplyIdentity,
): ConversationEvent[] {
  return [
    ...charges.map((charge) => ({ ...charged(charge, identity), afterErasure: true as const })),
    { type: 'ReplyFailed', ...identity, replyId, ...ERASED },
  ];
}

/** The charge comes first, because it is recorded whatever happens to the title. */
export function proposeTitle(
  { userId, title, lastMessageId, charge }: Extract<ConversationCommand, { type: 'ProposeTitle' }>,
  { botId }: Conversation,
): ConversationEvent[] {
  return [
    { type: 'TokensCharged', ...charge, userId, botId },
    { type: 'ConversationTitled', title, by: 'model', lastMessageId },
  ];
}

export function giveFeedback(
  command: Extract<ConversationCommand, { type: 'GiveFeedback' }>,
  state: Conversation,
): Decision<ConversationEvent> {
  const { reply, thumbsUp, category, comment, userId } = command;
  if (state.running[reply.id])
    return refuse('conflict', 'reply_in_progress', 'This reply is still being written. Wait until it is finished.');
  if (!reply.exists) return messageNotFound();
  if (!thumbsUp && category === null)
    return refuseField('category', 'category_required', 'A negative rating needs a category. Send the reason in `category`.');
  return [{ type: 'FeedbackGiven', replyId: reply.id, thumbsUp, category, comment, userId, botId: state.botId }];
}

export const claimedBy = (replyId: string, { claim, leaseUntil, worker }: Claim): ConversationEvent => ({
  type: 'ReplyClaimed',
  replyId,
  claim,
  leaseUntil,
  ...(worker !== undefined && { worker }),
});
