import type { Decision } from '@parlance/decider';
import type { ConversationCommand } from './conversation-commands.ts';
import { ERASED, of, reservedIn } from './conversation-decisions.ts';
import type { ConversationEvent } from './conversation-events.ts';
import { MESSAGES_REMOVED_AT_ONCE } from './conversation-limits.ts';
import { conversationNotFound } from './conversation-refusals.ts';
import { type Conversation, isClosed } from './conversation-state.ts';

/** Replies without a worker fail at once, which releases their reservations. The others are ended by their workers, which also record the charges. */
export function erasureBegun(
  { botId, apiId, messages, running }: Conversation,
  by: { userId: string; deleted?: true; expired?: true; because?: 'retention'; ruleId?: string },
): ConversationEvent[] {
  const unclaimed = Object.entries(running).filter(([, { claim }]) => claim === null);
  return [
    { type: 'ConversationErasureBegun', ...by, botId, messages, ...(apiId !== undefined && { apiId }) },
    ...unclaimed.map(([replyId, { userId, botId: bot, model, budgets, api }]): ConversationEvent => {
      return { type: 'ReplyFailed', replyId, userId, botId: bot, model, ...reservedIn(budgets), ...of(api), ...ERASED };
    }),
  ];
}

/** A conversation with a hold or a newer message is kept. A reply in progress does not prevent expiry, because the time counts from its request. */
export function expire(
  { lastMessageId, ruleId, holds = [] }: Extract<ConversationCommand, { type: 'Expire' }>,
  state: Conversation,
): Decision<ConversationEvent> {
  if (state.erased || state.userId === null || (!state.temporary && ruleId === undefined)) return conversationNotFound();
  if (isClosed(state) || state.lastMessageId !== lastMessageId || holds.length > 0) return [];
  const why = ruleId === undefined ? ({ expired: true } as const) : ({ because: 'retention', ruleId } as const);
  return erasureBegun(state, { userId: state.userId, deleted: true, ...why });
}

/**
 * IDs are removed in ascending order, so a step that is repeated, or runs in two processes at once, removes nothing twice. IDs that were read
 * while messages could still be added are used only if they are all IDs of the conversation, because a lower ID might be missing among them.
 */
export function eraseStep(command: Extract<ConversationCommand, { type: 'Erase' }>, state: Conversation): ConversationEvent[] {
  const { messages, removedTo, deleted } = state;
  const { userId, messageIds, files = {}, isBegun } = command;
  const rest = messageIds
    .filter((id) => id > (removedTo ?? ''))
    .toSorted()
    .slice(0, MESSAGES_REMOVED_AT_ONCE);
  const isAll = rest.length === messages;
  const removed = isAll || (isBegun && removedTo !== undefined) ? rest : [];
  const removedFiles = removed.reduce((sum, id) => sum + (files[id] ?? 0), 0);
  const counted = removedFiles > 0 ? { files: removedFiles } : {};
  const by = { userId, ...(deleted !== undefined && { deleted: true as const }) };
  return [
    ...(removedTo === undefined ? erasureBegun(state, { userId }) : []),
    ...(removed.length > 0 ? [{ type: 'MessagesRemoved', ...by, messageIds: removed, ...counted } as const] : []),
    ...(isAll ? [{ type: 'ConversationErased', ...by } as const] : []),
  ];
}
