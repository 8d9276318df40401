import type { Instant } from '@parlance/decider';
import { query } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { conversationRows, messageKey, messageRows, type OwedReplyRow, owedReplyRows } from './messages.ts';

/** Replies read at once. */
export const OWED_REPLIES_PAGE = 100;
const COUNTED_AT_ONCE = 500;

/** Replies that are owed and that no process has a lease on, oldest first, at most `OWED_REPLIES_PAGE`. */
export const OwedReplies = query('OwedReplies', async (models, now: Instant): Promise<readonly OwedReplyRow[]> => {
  return (await models.find(owedReplyRows, { index: 'byLease', to: now, limit: OWED_REPLIES_PAGE })).rows;
});

/** How many replies are owed, whether a process has a lease on them or not; no more than `most` are counted. */
export const CountOwedReplies = query('CountOwedReplies', async (models, most: number): Promise<number> => {
  let count = 0;
  for (let after: Cursor | null | undefined; after !== null && count < most;) {
    const limit = Math.min(COUNTED_AT_ONCE, most - count);
    const { keys, next } = await models.find(owedReplyRows, { index: 'byLease', limit, ...(after && { after }) });
    count += keys.length;
    after = next;
  }
  return count;
});

/** What a reply answers, the text still sealed. */
export interface SealedQuestion {
  readonly userId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly parentId: string | null;
  readonly content: string;
  /** The text that the reply continues, sealed; null for a new text. */
  readonly continues: string | null;
  readonly wantsReasoning: boolean;
}

/** The question of a reply; null once it is erased. */
export const QuestionOf = query('QuestionOf', async (models, conversationId: string, replyId: string): Promise<SealedQuestion | null> => {
  const [reply, conversation] = await Promise.all([
    models.get(messageRows, messageKey(conversationId, replyId)),
    models.get(conversationRows, conversationId),
  ]);
  const rowOf = (id: string) => models.get(messageRows, messageKey(conversationId, id));
  const question = reply?.parent && (await rowOf(reply.parent));
  if (!reply || !question || question.content === null || !conversation) return null;
  const continued = reply.continues === undefined ? null : await rowOf(reply.continues);
  const { user_id: userId, parent: parentId, content } = question;
  const { model, wants_reasoning: wantsReasoning = false } = reply;
  return { userId, botId: conversation.bot_id, model, parentId, content, continues: continued?.content ?? null, wantsReasoning };
});

/** Where the replica that writes a reply can be asked for it; null where there is none, or none that can be asked. */
export const WorkerOf = query('WorkerOf', async (models, replyId: string): Promise<string | null> => {
  return (await models.get(owedReplyRows, replyId))?.worker ?? null;
});
