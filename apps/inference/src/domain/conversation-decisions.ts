import { type Decision, refuse } from '@parlance/decider';
import type { ConversationCommand } from './conversation-commands.ts';
import type { Charge, Claim, ConversationEvent, Parties } from './conversation-events.ts';
import { MAX_RUNNING_REPLIES, MESSAGES_REMOVED_AT_ONCE } from './conversation-limits.ts';
import { conversationIdTaken, conversationNotFound, messageNotFound, parentUnknown, tooManyRunning } from './conversation-refusals.ts';
import { type Conversation, isClosed } from './conversation-state.ts';

export function submit(command: Extract<ConversationCommand, { type: 'Submit' }>, state: Conversation): Decision<ConversationEvent> {
  const { userId, botId, messageId, replyId, parent, content, model, title, reasoning, budgets, claim } = command;
  if (isClosed(state) || (state.userId !== null && state.userId !== userId)) return conversationIdTaken();
  // A repeat of the request for this reply. `SubmitMessageHandler` finds repeats of older requests by the name of their append.
  if (state.lastMessageId === replyId || state.running[replyId]) return [];
  if (state.userId !== null && state.botId !== botId)
    return refuse('conflict', 'conversation_of_another_bot', 'This conversation is with another bot. Start a new one.');
  const parentId = parent?.id ?? state.lastMessageId;
  if (parent && !parent.exists && parentId !== state.lastMessageId) return parentUnknown();
  if (parentId !== null && state.running[parentId])
    return refuse('conflict', 'reply_in_progress', 'The reply before this message is still being written. Wait until it is finished.');
  if (Object.keys(state.running).length >= MAX_RUNNING_REPLIES) return tooManyRunning();
  return [
    ...(state.userId === null ? [{ type: 'ConversationStarted', userId, botId, ...(title !== undefined && { title }) } as const] : []),
    {
      type: 'MessageSubmitted',
      userId,
      botId,
      messageId,
      replyId,
      parentId,
      content,
      model,
      ...(reasoning && { reasoning }),
      ...reservedIn(budgets),
    },
    ...(claim ? [claimedBy(replyId, claim)] : []),
  ];
}

export function requestReply(
  command: Extract<ConversationCommand, { type: 'RequestReply' }>,
  state: Conversation,
): Decision<ConversationEvent> {
  const { userId, botId, replyId, message, continues, model, reasoning, budgets, claim } = command;
  if (isClosed(state) || state.userId !== userId) return conversationNotFound();
  // A repeat of the request for this reply.
  if (state.lastMessageId === replyId || state.running[replyId]) return [];
  if (state.botId !== botId)
    return refuse('conflict', 'conversation_of_another_bot', 'This conversation is with another bot. Start a new one.');
  if (!message.exists) return parentUnknown();
  if (continues !== null && state.running[continues])
    return refuse('conflict', 'reply_in_progress', 'This reply is still being written. Wait until it is finished.');
  if (Object.keys(state.running).length >= MAX_RUNNING_REPLIES) return tooManyRunning();
  const asked = { messageId: message.id, replyId, model, userId, botId, ...(continues !== null && { continues }) };
  return [
    { type: 'ReplyRequested', ...asked, ...(reasoning && { reasoning }), ...reservedIn(budgets) },
    ...(claim ? [claimedBy(replyId, claim)] : []),
  ];
}

const reservedIn = (budgets: readonly string[] | undefined) => (budgets && budgets.length > 0 ? { budgets } : {});

type Told = Parties & { replyId: string; model: string };

export function completed(command: Extract<ConversationCommand, { type: 'CompleteReply' }>, told: Told): ConversationEvent[] {
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
    ...told,
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
  return [...failedCalls.map((charge) => charged(charge, told)), end];
}

/** Charges are before the end of their reply, because budgets release the rest of its reservation at its end. */
const charged = (charge: Charge, { userId, botId, budgets }: Parties): Extract<ConversationEvent, { type: 'TokensCharged' }> => ({
  type: 'TokensCharged',
  ...charge,
  userId,
  botId,
  ...reservedIn(budgets),
});

export function failed(command: Extract<ConversationCommand, { type: 'FailReply' }>, told: Told): ConversationEvent[] {
  const { code, reason, partial, claim, failedCalls = [] } = command;
  const written = partial && { content: partial.content, claim };
  const failure: ConversationEvent = { type: 'ReplyFailed', ...told, code, reason, ...written };
  const calls = failedCalls.map((charge) => charged(charge, told));
  if (!partial) return [...calls, failure];
  const { model = told.model, usage, costNanoDollars } = partial;
  return [...calls, charged({ chargeId: told.replyId, purpose: 'chat', model, usage, costNanoDollars }, told), failure];
}

/** Nothing of the reply is kept. Its end releases the rest of its reservation. */
export function chargeErased(
  { replyId, charges }: Extract<ConversationCommand, { type: 'ChargeErasedReply' }>,
  told: Told,
): ConversationEvent[] {
  const failure = { code: 'conversation_erased', reason: 'This conversation was erased.' };
  return [
    ...charges.map((charge) => ({ ...charged(charge, told), afterErasure: true as const })),
    { type: 'ReplyFailed', ...told, replyId, ...failure },
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
    return refuse('invalid', 'category_required', 'A negative rating needs a category. Send the reason in `category`.');
  return [{ type: 'FeedbackGiven', replyId: reply.id, thumbsUp, category, comment, userId, botId: state.botId }];
}

export const claimedBy = (replyId: string, { claim, leaseUntil, worker }: Claim): ConversationEvent => ({
  type: 'ReplyClaimed',
  replyId,
  claim,
  leaseUntil,
  ...(worker !== undefined && { worker }),
});

/**
 * Ids that are removed only grow, so a step that is repeated, or that two processes take at once, removes nothing twice. Ids that were
 * read while messages could still be added count only if they are all there are: a lower one might be missing among them.
 */
export function eraseStep(
  command: Extract<ConversationCommand, { type: 'Erase' }>,
  { messages, removedTo, deleted }: Conversation,
): ConversationEvent[] {
  const { userId, messageIds, isBegun } = command;
  const rest = messageIds
    .filter((id) => id > (removedTo ?? ''))
    .toSorted()
    .slice(0, MESSAGES_REMOVED_AT_ONCE);
  const isAll = rest.length === messages;
  const removed = isAll || (isBegun && removedTo !== undefined) ? rest : [];
  const by = { userId, ...(deleted !== undefined && { deleted: true as const }) };
  return [
    ...(removedTo === undefined ? [{ type: 'ConversationErasureBegun', userId } as const] : []),
    ...(removed.length > 0 ? [{ type: 'MessagesRemoved', ...by, messageIds: removed } as const] : []),
    ...(isAll ? [{ type: 'ConversationErased', ...by } as const] : []),
  ];
}
