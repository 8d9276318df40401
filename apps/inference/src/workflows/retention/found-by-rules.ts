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
import { FilesUntil, type MessageFilesRow } from '../../projections/message-files.ts';

const DAY_MILLIS = 86_400_000;
/** Rows that are found in one read. */
const PAGE = 40;
/** Lists of members of a group that are read at the same time. They are a page together. */
const LISTS_AT_ONCE = 8;
/** Members of a group that identity answers at once. */
export const MEMBERS_AT_ONCE = 1_000;

/** Conversations, or messages with files, that one preview counts, and how long it counts. */
export const MOST_COUNTED = 10_000;
const COUNTING_MILLIS = 10_000;

type Terms = Pick<RetentionTerms, 'scope' | 'inactiveDays'>;

/** What is looked for, and how. */
interface Wanted<Row> {
  readonly read: (which: Inactive, until: Instant, limit: number, after: Cursor | null) => Promise<Page<Row>>;
  /** The lists that have what is the member's. */
  readonly listsOf: (userId: string) => readonly string[];
}

/** Finds what a retention rule names at this moment. */
@Injectable()
export class FoundByRules {
  private readonly inactive: Wanted<ListedConversationRow> = {
    read: (...page) => this.queries.execute(new InactiveUntil(...page)),
    listsOf: (userId) => [userId, temporaryListOf(userId)],
  };
  private readonly filesWanted: Wanted<MessageFilesRow> = {
    read: (...page) => this.queries.execute(new FilesUntil(...page)),
    listsOf: (userId) => [userId],
  };

  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Page by page, of at most 40. A page may be empty. Each turn of the event loop has one page. */
  conversations(terms: Terms): AsyncGenerator<readonly ListedConversationRow[]> {
    return this.pages(terms, this.inactive);
  }

  /** The same of messages with files. */
  files(terms: Terms): AsyncGenerator<readonly MessageFilesRow[]> {
    return this.pages(terms, this.filesWanted);
  }

  /** How many conversations a rule names at this moment, up to `MOST_COUNTED`. `isComplete` is false if there may be more. */
  countConversations(terms: Terms): Promise<Counted> {
    return counted(this.conversations(terms), () => 1);
  }

  /** The same of the files of messages. */
  countFiles(terms: Terms): Promise<Counted> {
    return counted(this.files(terms), ({ files }) => files);
  }

  private async *pages<Row>({ scope, inactiveDays }: Terms, wanted: Wanted<Row>): AsyncGenerator<readonly Row[]> {
    const until = Instant.plus(this.clock.now(), -inactiveDays * DAY_MILLIS);
    switch (scope.appliesTo) {
      case 'all':
        return yield* after(wanted, { of: 'all' }, until, null);
      case 'bot':
        return yield* after(wanted, { of: 'bot', botId: scope.botId }, until, null);
      case 'group':
        for await (const members of this.membersOf(scope.group)) yield* ofMembers(wanted, members, until);
    }
  }

  /**
   * Page by page. Identity knows them. Rejects if it does not answer, so that nothing is deleted by an old list. A replica of an earlier release answers all of
   * them at once.
   */
  private async *membersOf(group: string): AsyncGenerator<readonly string[]> {
    let last = '';
    for (;;) {
      const selection = { group, sort: 'user_id', order: 'asc', limit: MEMBERS_AT_ONCE, ...(last !== '' && { after: last }) };
      const { user_ids } = await this.calls.post<{ user_ids: readonly string[] }>('identity', '/internal/users/select', selection);
      const next = user_ids.filter((id) => id > last);
      yield next;
      if (next.length !== MEMBERS_AT_ONCE) return;
      last = next.at(-1)!;
    }
  }
}

export interface Counted {
  readonly count: number;
  readonly isComplete: boolean;
}

async function counted<Row>(pages: AsyncIterable<readonly Row[]>, sizeOf: (row: Row) => number): Promise<Counted> {
  const end = performance.now() + COUNTING_MILLIS;
  let count = 0;
  for await (const page of pages) {
    count += page.reduce((sum, row) => sum + sizeOf(row), 0);
    if (count > MOST_COUNTED || performance.now() > end) return { count: Math.min(count, MOST_COUNTED), isComplete: false };
  }
  return { count, isComplete: true };
}

async function* ofMembers<Row>(wanted: Wanted<Row>, userIds: readonly string[], until: Instant): AsyncGenerator<readonly Row[]> {
  const lists = userIds.flatMap((userId) => wanted.listsOf(userId)).map((list) => ({ of: 'list', list }) as const);
  for (let begin = 0; begin < lists.length; begin += LISTS_AT_ONCE) {
    await nextTurn();
    const read = lists.slice(begin, begin + LISTS_AT_ONCE);
    const pages = await Promise.all(read.map((list) => wanted.read(list, until, PAGE / LISTS_AT_ONCE, null)));
    yield pages.flatMap(({ rows }) => rows);
    for (const [nth, { next }] of pages.entries()) if (next) yield* after(wanted, read[nth]!, until, next);
  }
}

async function* after<Row>(wanted: Wanted<Row>, which: Inactive, until: Instant, from: Cursor | null): AsyncGenerator<readonly Row[]> {
  let place = from;
  do {
    await nextTurn();
    const { rows, next } = await wanted.read(which, until, PAGE, place);
    yield rows;
    place = next;
  } while (place !== null);
}
