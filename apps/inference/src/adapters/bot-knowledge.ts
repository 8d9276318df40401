import { Injectable } from '@nestjs/common';
import { ServiceCalls, unavailable } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/observability';
import { type FromBot, fromBot, type Retrieved } from './from-bot.ts';
import { groupsOf } from './tools/user-groups.ts';

/** Characters of a question that chunks are searched for. The bots service refuses longer ones. */
export const QUESTION_SEARCHED = 4_000;
/** After it the reply is left to be written again, because a service that works answers sooner. */
const SEARCH_MILLIS = 5_000;

/** Asks the bots service for the instruction of a bot, and for what its knowledge has on a question. */
@Injectable()
export class BotKnowledge {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Searches with the rights that the user has now. A reply may be written long after its message was accepted, so the groups of that moment
   * are neither stored nor used. Mostly no group is needed, because the bot is the user's own or shared with all: only without success is the
   * identity service asked for the user's groups.
   * Throws the refusal `bot_not_found` (missing) when the bot was deleted or the user may not use it any more, `knowledge_unavailable`
   * (conflict) when its index or its knowledge base of another system does not answer, and `service_unavailable` (unavailable) when a service
   * does not answer.
   */
  async search(botId: string, userId: string, question: string): Promise<FromBot> {
    const query = question.slice(0, QUESTION_SEARCHED).toWellFormed();
    return inTime(async () => {
      const found = (await this.retrieve(botId, query, userId, [])) ?? (await this.retrieveWithGroups(botId, query, userId));
      if (!found) throw refuse('missing', 'bot_not_found', 'This bot was deleted, or you may not use it any more.');
      return fromBot(found);
    });
  }

  private async retrieveWithGroups(botId: string, query: string, userId: string): Promise<Retrieved | null> {
    const groups = (await orNull([], () => groupsOf(this.calls, userId))) ?? [];
    return groups.length === 0 ? null : this.retrieve(botId, query, userId, groups);
  }

  private retrieve(botId: string, query: string, userId: string, groups: readonly string[]): Promise<Retrieved | null> {
    const caller: Caller = { userId, groups, sessionId: null, kind: 'system' };
    return orNull(['bot_not_found'], () => this.calls.post<Retrieved>('bots', `/internal/bots/${botId}/retrieve`, { query }, { caller }));
  }
}

/** Null for a refusal with one of these codes. */
async function orNull<Answered>(codes: readonly string[], call: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (codes.includes(error.code)) return null;
    // The bots service works, but the knowledge of this bot does not, and may not for a long time: the reply fails, so that it ends.
    if (error.code === 'knowledge_unavailable') throw refuse('conflict', error.code, error.message);
    // A replica of the previous release does not have the route. The reply is written when that replica has been replaced.
    if (error.code === 'no_such_route') throw unavailable('bots', error, { method: 'POST', path: '/internal/bots/…/retrieve' });
    throw error;
  }
}

async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(unavailable('bots', new Error(`no answer in ${SEARCH_MILLIS} ms`), { method: 'POST', path: '/internal/bots/…/retrieve' }));
  }, SEARCH_MILLIS);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
