import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { nextTurn } from '@parlance/event-loop';
import { Clock } from '@parlance/foundation';
import type { Cursor, Page } from '@parlance/read-models';
import type { RetentionTerms } from '../../domain/retention/retention.ts';
import { type ListedConversationRow, temporaryListOf } from '../../projections/conversation-list.ts';
import { type Inactive, InactiveUntil } from '../../projections/inactive-conversations.ts';

const DAY_MILLIS = 86_400_000;
/** Conversations that are found in one read. */
const PAGE = 40;
/** Lists of members of a group that are read at the same time. They are a page together. */
const LISTS_AT_ONCE = 8;

/** Conversations that one preview counts, and how long it counts. */
export const MOST_COUNTED = 10_000;
const COUNTING_MILLIS = 10_000;

/** Finds the conversations that a retention rule names at this moment. */
@Injectable()
export class FoundByRules {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Page by page, of at most 40. A page may be empty. Each turn of the event loop has one page. */
  async *pages({ scope, inactiveDays }: RetentionTerms): AsyncGenerator<readonly ListedConversationRow[]> {
    const until = Instant.plus(this.clock.now(), -inactiveDays * DAY_MILLIS);
    switch (scope.appliesTo) {
      case 'all':
        return yield* this.after({ of: 'all' }, until, null);
      case 'bot':
        return yield* this.after({ of: 'bot', botId: scope.botId }, until, null);
      case 'group':
        return yield* this.ofMembers(await this.membersOf(scope.group), until);
    }
  }

  /** How many conversations a rule names at this moment, up to `MOST_COUNTED`. `isComplete` is false if there may be more. */
  async count(terms: RetentionTerms): Promise<{ readonly conversations: number; readonly isComplete: boolean }> {
    const end = performance.now() + COUNTING_MILLIS;
    let conversations = 0;
    for await (const page of this.pages(terms)) {
      conversations += page.length;
      if (conversations > MOST_COUNTED || performance.now() > end)
        return { conversations: Math.min(conversations, MOST_COUNTED), isComplete: false };
    }
    return { conversations, isComplete: true };
  }

  private async *ofMembers(userIds: readonly string[], until: Instant): AsyncGenerator<readonly ListedConversationRow[]> {
    for (let begin = 0; begin < 2 * userIds.length; begin += LISTS_AT_ONCE) {
      await nextTurn();
      const lists = userIds
        .slice(begin / 2, (begin + LISTS_AT_ONCE) / 2)
        .flatMap((userId) => [userId, temporaryListOf(userId)])
        .map((list) => ({ of: 'list', list }) as const);
      const pages = await Promise.all(lists.map((list) => this.page(list, until, PAGE / LISTS_AT_ONCE, null)));
      yield pages.flatMap(({ rows }) => rows);
      for (const [nth, { next }] of pages.entries()) if (next) yield* this.after(lists[nth]!, until, next);
    }
  }

  private async *after(which: Inactive, until: Instant, from: Cursor | null): AsyncGenerator<readonly ListedConversationRow[]> {
    let after = from;
    do {
      await nextTurn();
      const { rows, next } = await this.page(which, until, PAGE, after);
      yield rows;
      after = next;
    } while (after !== null);
  }

  private page(which: Inactive, until: Instant, limit: number, after: Cursor | null): Promise<Page<ListedConversationRow>> {
    return this.queries.execute(new InactiveUntil(which, until, limit, after));
  }

  /** Identity knows them. Rejects if it does not answer, so that nothing is deleted by an old list. */
  private async membersOf(group: string): Promise<readonly string[]> {
    const selection = { group, sort: 'user_id', order: 'asc' };
    const { user_ids } = await this.calls.post<{ user_ids: readonly string[] }>('identity', '/internal/users/select', selection);
    return user_ids;
  }
}
