import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls, unavailable } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/observability';
import { type FromBot, fromBot, type Retrieved } from './from-bot.ts';
import { groupsOf } from './tools/user-groups.ts';

/** Characters of a question used to search for chunks. The bots service refuses longer ones. */
export const QUESTION_SEARCHED = 4_000;
/** After this time the reply is written again later, because a working service answers sooner. */
const SEARCH_MILLIS = 5_000;

/** Fetches a bot's instruction from the bots service, and chunks of its knowledge for a question. */
@Injectable()
export class BotKnowledge {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Searches with the user's current rights. A reply may be written long after its message was accepted, so the groups at that time are neither
   * stored nor used. Usually no group is needed, because the bot is the user's own or shared with all. The user's groups are fetched from the
   * identity service only if the bot is not found without them.
   * Throws the refusal `bot_not_found` (missing) when the bot was deleted or the user may no longer use it, `knowledge_unavailable` (conflict)
   * when its index or its external knowledge base does not answer, and `service_unavailable` (unavailable) when a service does not answer.
   */
  async search(botId: string, userId: string, question: string): Promise<FromBot> {
    const query = question.slice(0, QUESTION_SEARCHED).toWellFormed();
    return inTime(async () => {
      const found = (await this.retrieve(botId, query, userId, [])) ?? (await this.retrieveWithGroups(botId, query, userId));
      if (!found) throw refuse('missing', 'bot_not_found', 'This bot was deleted, or you may no longer use it.');
      return fromBot(found);
    });
  }

  private async retrieveWithGroups(botId: string, query: string, userId: string): Promise<Retrieved | null> {
    const groups = (await orNull([], () => groupsOf(this.calls, userId))) ?? [];
    return groups.length === 0 ? null : this.retrieve(botId, query, userId, groups);
  }

  private retrieve(botId: string, query: string, userId: string, groups: readonly string[]): Promise<Retrieved | null> {
    const caller: Caller = { userId, groups, sessionId: null, kind: 'system' };
    return orNull(['bot_not_found'], () =>
      this.calls.post<Retrieved>('bots', `/internal/bots/${botId}/retrieve`, { query }, { ...HARMLESS, caller }),
    );
  }
}

/** Null for a refusal with one of these codes. */
async function orNull<Answered>(codes: readonly string[], call: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (codes.includes(error.code)) return null;
    // The bots service works, but this bot's knowledge may stay unavailable for a long time, so the reply fails instead of waiting.
    if (error.code === 'knowledge_unavailable') throw refuse('conflict', error.code, error.message);
    // A replica of the previous release lacks the route. The reply is written once that replica is replaced.
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
