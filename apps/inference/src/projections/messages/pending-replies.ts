import type { Instant } from '@parlance/decider';
import { nextTurn } from '@parlance/event-loop';
import { findImpossiblyLeased } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { MessageFile, ReplyParameters } from '../../domain/conversation-events.ts';
import { conversationRows, messageKey, messageRows, type PendingReplyRow, pendingReplyRows } from './message-rows.ts';

/** Replies read at once. */
const OWED_REPLIES_PAGE = 250;
const COUNTED_AT_ONCE = 500;

const NOT_AWAITING = { index: 'byLease', where: { is_awaiting: 0 } } as const;
const AWAITING = { index: 'byLease', where: { is_awaiting: 1 } } as const;

/**
 * Replies that no process has a lease on, at most `most`: the oldest first, which are read in pages, then some whose approval has expired, and some with
 * a lease from a clock that was ahead.
 */
export const PendingReplies = query('PendingReplies', async (models, now: Instant, most: number): Promise<readonly PendingReplyRow[]> => {
  const owed: PendingReplyRow[] = [];
  for (let after: Cursor | null | undefined; after !== null && owed.length < most;) {
    const limit = Math.min(OWED_REPLIES_PAGE, most - owed.length);
    const due = { ...NOT_AWAITING, to: now, limit, ...(after && { after }) };
    const { rows, next } = await models.find(pendingReplyRows, due);
    owed.push(...rows);
    after = next;
    // Lets other work run between two pages.
    if (after !== null) await nextTurn();
  }
  const left = () => Math.min(OWED_REPLIES_PAGE, most - owed.length);
  if (left() > 0) owed.push(...(await models.find(pendingReplyRows, { ...AWAITING, to: now, limit: left() })).rows);
  if (left() > 0) owed.push(...(await findImpossiblyLeased(models, pendingReplyRows, { ...NOT_AWAITING, limit: left() }, now)));
  return owed;
});

/**
 * Counts the replies that have not ended, with or without a lease, up to `most`. Replies that wait for an approval are not counted.
 */
export const CountPendingReplies = query('CountPendingReplies', async (models, most: number): Promise<number> => {
  let count = 0;
  for (let after: Cursor | null | undefined; after !== null && count < most;) {
    const limit = Math.min(COUNTED_AT_ONCE, most - count);
    const { keys, next } = await models.find(pendingReplyRows, { ...NOT_AWAITING, limit, ...(after && { after }) });
    count += keys.length;
    after = next;
  }
  return count;
});

/** The message that a reply answers, still sealed. */
export interface SealedQuestion {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly files?: readonly MessageFile[];
  /** The text that the reply continues, sealed. Null for a new text. */
  readonly continues: string | null;
  readonly wantsReasoning: boolean;
  /** Texts that a program has sent with the message, sealed. Absent if there are none. */
  readonly terms?: string;
  /** Replace the bot's parameters. Absent if there are none. */
  readonly parameters?: ReplyParameters;
  /** The published API that a program called. Absent for the user's own conversation. */
  readonly apiId?: string;
}

/** The message that a reply answers. Null if it was erased. */
export const QuestionOf = query('QuestionOf', async (models, conversationId: string, replyId: string): Promise<SealedQuestion | null> => {
  const [reply, conversation] = await Promise.all([
    models.get(messageRows, messageKey(conversationId, replyId)),
    models.get(conversationRows, conversationId),
  ]);
  const rowOf = (id: string) => models.get(messageRows, messageKey(conversationId, id));
  const question = reply?.parent && (await rowOf(reply.parent));
  if (!reply || !question || question.content === null || !conversation) return null;
  const continued = reply.continues === undefined ? null : await rowOf(reply.continues);
  const { user_id: userId, parent: parentId, content, files, terms } = question;
  const { model, wants_reasoning: wantsReasoning = false, parameters } = reply;
  const answered = {
    userId,
    botId: conversation.bot_id,
    model,
    parentId,
    content,
    ...(files && { files }),
    ...(terms !== undefined && { terms }),
    ...(parameters && { parameters }),
    ...(conversation.api_id !== undefined && { apiId: conversation.api_id }),
  };
  return { ...answered, continues: continued?.content ?? null, wantsReasoning };
});

/** The address of the replica that writes a reply. Null if no replica writes it, or in single-process mode. */
export const WorkerOf = query('WorkerOf', async (models, replyId: string): Promise<string | null> => {
  return (await models.get(pendingReplyRows, replyId))?.worker ?? null;
});
