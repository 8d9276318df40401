import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '@parlance/decider';
import { type Cursor, ReadModels } from '@parlance/read-models';
import { messageKey, messageRows, type OwedReplyRow, owedReplyRows } from './messages.ts';

/** Replies read at once. */
export const OWED_REPLIES_PAGE = 100;
const COUNTED_AT_ONCE = 500;

/** Replies that are owed and that no process has a lease on, oldest first, at most `OWED_REPLIES_PAGE`. */
export class OwedReplies extends Query<readonly OwedReplyRow[]> {
  constructor(readonly now: Instant) {
    super();
  }
}

@QueryHandler(OwedReplies)
export class FindOwedReplies implements IQueryHandler<OwedReplies> {
  constructor(private readonly models: ReadModels) {}

  async execute({ now }: OwedReplies) {
    return (await this.models.find(owedReplyRows, { index: 'byLease', to: now, limit: OWED_REPLIES_PAGE })).rows;
  }
}

/** How many replies are owed, whether a process has a lease on them or not; no more than `most` are counted. */
export class CountOwedReplies extends Query<number> {
  constructor(readonly most: number) {
    super();
  }
}

@QueryHandler(CountOwedReplies)
export class CountOwed implements IQueryHandler<CountOwedReplies> {
  constructor(private readonly models: ReadModels) {}

  async execute({ most }: CountOwedReplies) {
    let count = 0;
    for (let after: Cursor | null | undefined; after !== null && count < most;) {
      const limit = Math.min(COUNTED_AT_ONCE, most - count);
      const { keys, next } = await this.models.find(owedReplyRows, { index: 'byLease', limit, ...(after && { after }) });
      count += keys.length;
      after = next;
    }
    return count;
  }
}

/** What a reply answers, the text still sealed. */
export interface Asked {
  readonly userId: string;
  readonly model: string;
  readonly parentId: string | null;
  readonly content: string;
}

/** The question of a reply; null once it is erased. */
export class QuestionOf extends Query<Asked | null> {
  constructor(
    readonly conversationId: string,
    readonly replyId: string,
  ) {
    super();
  }
}

@QueryHandler(QuestionOf)
export class FindQuestionOf implements IQueryHandler<QuestionOf> {
  constructor(private readonly models: ReadModels) {}

  async execute({ conversationId, replyId }: QuestionOf) {
    const reply = await this.models.get(messageRows, messageKey(conversationId, replyId));
    const question = reply?.parent && (await this.models.get(messageRows, messageKey(conversationId, reply.parent)));
    if (!question || question.content === null) return null;
    const { user_id: userId, model, parent: parentId, content } = question;
    return { userId, model, parentId, content };
  }
}
