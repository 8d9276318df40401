import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '@parlance/decider';
import { ReadModels } from '@parlance/read-models';
import { messageKey, messageRows, type OwedReplyRow, owedReplyRows } from './messages.ts';

/** Replies read at once. */
export const OWED_REPLIES_PAGE = 100;

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
