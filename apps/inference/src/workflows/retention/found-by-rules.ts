import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { nextTurn } from '@parlance/event-loop';
import { Clock } from '@parlance/foundation';
import type { Cursor, Page } from '@parlance/read-models';
import type { RetentionTerms } from '../../domain/retention/retention.ts';
import { type ListedConversationRow, temporaryListOf } from '../../projections/conversation-list.ts';
import { type Inactive, InactiveUntil } from '../../projections/inactive-conversations.ts';
import { ResponsesUntil, type StoredResponseRow } from '../../projections/responses/stored-responses.ts';
import { FilesUntil, type MessageFilesRow } from '../../projections/message-files.ts';

const DAY_MILLIS = 86_400_000;
/** Rows of one read. */
const PAGE = 40;
/** Lists of a group's members that are read at the same time. Together they make up a page. */
const LISTS_AT_ONCE = 8;
/** Members of a group in one answer of identity. */
export const MEMBERS_AT_ONCE = 1_000;

/** A preview counts at most this many conversations or files, for at most this long. */
export const MOST_COUNTED = 10_000;
const COUNTING_MILLIS = 10_000;

type Terms = Pick<RetentionTerms, 'scope' | 'inactiveDays'>;

/** How to find one kind of data. */
interface Search<Row> {
  readonly read: (which: Inactive, until: Instant, limit: number, after: Cursor | null) => Promise<Page<Row>>;
  /** The lists that have the user's data. */
  readonly listsOf: (userId: string) => readonly string[];
}

/** Finds the data to which a retention rule applies now. */
@Injectable()
export class FoundByRules {
  private readonly inactive: Search<ListedConversationRow> = {
    read: (...page) => this.queries.execute(new InactiveUntil(...page)),
    listsOf: (userId) => [userId, temporaryListOf(userId)],
  };
  private readonly expiringFiles: Search<MessageFilesRow> = {
    read: (...page) => this.queries.execute(new FilesUntil(...page)),
    listsOf: (userId) => [userId],
  };

  private readonly unusedResponses: Search<StoredResponseRow> = {
    read: (...page) => this.queries.execute(new ResponsesUntil(...page)),
    listsOf: (userId) => [userId],
  };

  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
  ) {}

  /** Conversations in pages of at most 40. A page may be empty. Each page is read in its own turn of the event loop. */
  conversations(terms: Terms): AsyncGenerator<readonly ListedConversationRow[]> {
    return this.pages(terms, this.inactive);
  }

  /** As `conversations`, for messages with files. */
  files(terms: Terms): AsyncGenerator<readonly MessageFilesRow[]> {
    return this.pages(terms, this.expiringFiles);
  }

  /** As `conversations`, for stored responses that were not continued since. */
  responses(terms: Terms): AsyncGenerator<readonly StoredResponseRow[]> {
    return this.pages(terms, this.unusedResponses);
  }

  /** The number of conversations to which a rule applies now, up to `MOST_COUNTED`. `isComplete` is false if there may be more. */
  countConversations(terms: Terms): Promise<Counted> {
    return counted(this.conversations(terms), () => 1);
  }

  /** As `countConversations`, for the files of messages. */
  countFiles(terms: Terms): Promise<Counted> {
    return counted(this.files(terms), ({ files }) => files);
  }

  /** As `countConversations`, for stored responses. */
  countResponses(terms: Terms): Promise<Counted> {
    return counted(this.responses(terms), () => 1);
  }

  private async *pages<Row>({ scope, inactiveDays }: Terms, search: Search<Row>): AsyncGenerator<readonly Row[]> {
    const until = Instant.plus(this.clock.now(), -inactiveDays * DAY_MILLIS);
    switch (scope.appliesTo) {
      case 'all':
        return yield* after(search, { of: 'all' }, until, null);
      case 'bot':
        return yield* after(search, { of: 'bot', botId: scope.botId }, until, null);
      case 'group':
        for await (const members of this.membersOf(scope.group)) yield* ofMembers(search, members, until);
    }
  }

  /**
   * A group's members from identity, page by page. Rejects if identity does not answer, so that nothing is deleted by an outdated list. A replica
   * of an earlier release returns all of them at once.
   */
  private async *membersOf(group: string): AsyncGenerator<readonly string[]> {
    let last = '';
    for (;;) {
      const selection = { group, sort: 'user_id', order: 'asc', limit: MEMBERS_AT_ONCE, ...(last !== '' && { after: last }) };
      const { user_ids } = await this.calls.post<{ user_ids: readonly string[] }>(
        'identity',
        '/internal/users/select',
        selection,
        HARMLESS,
      );
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

async function* ofMembers<Row>(search: Search<Row>, userIds: readonly string[], until: Instant): AsyncGenerator<readonly Row[]> {
  const lists = userIds.flatMap((userId) => search.listsOf(userId)).map((list) => ({ of: 'list', list }) as const);
  for (let begin = 0; begin < lists.length; begin += LISTS_AT_ONCE) {
    await nextTurn();
    const read = lists.slice(begin, begin + LISTS_AT_ONCE);
    const pages = await Promise.all(read.map((list) => search.read(list, until, PAGE / LISTS_AT_ONCE, null)));
    yield pages.flatMap(({ rows }) => rows);
    for (const [index, { next }] of pages.entries()) if (next) yield* after(search, read[index]!, until, next);
  }
}

async function* after<Row>(search: Search<Row>, which: Inactive, until: Instant, from: Cursor | null): AsyncGenerator<readonly Row[]> {
  let cursor = from;
  do {
    await nextTurn();
    const { rows, next } = await search.read(which, until, PAGE, cursor);
    yield rows;
    cursor = next;
  } while (cursor !== null);
}
