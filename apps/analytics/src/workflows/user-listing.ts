import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import type { Person } from '@parlance/contracts';
import type { Window } from '../domain/window.ts';
import { CostsOfAll, FiguresOfSome } from '../projections/in-window/costs-in-window.ts';
import { ConversationsOfAll, ConversationsOfMonth, ConversationsOfSome, SomeOfMonth } from '../projections/in-window/usage-counts.ts';

export const USER_SORTS = ['total_price', 'email', 'create_time', 'last_sign_in_time', 'conversation_count'] as const;

export interface UserQuery {
  readonly window: Window;
  readonly sort: (typeof USER_SORTS)[number];
  readonly order: 'asc' | 'desc';
  /** Whether to include users without usage in the window. */
  readonly include_all: boolean;
  readonly prefix?: string;
  readonly group?: string;
  readonly enabled?: boolean;
}

/** The charges of a user in a window. */
export interface UserFigures {
  /** As billed. */
  readonly nano_dollars: number;
  /** What restatements added to the cost as corrected. */
  readonly corrections?: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly conversations: number;
}

const NOTHING: UserFigures = { nano_dollars: 0, input_tokens: 0, output_tokens: 0, conversations: 0 };

/** Users with their usage in a window. Names and groups come from identity, figures from the rows of this service. */
@Injectable()
export class UserListing {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
  ) {}

  /** The IDs of all requested users, in the requested order. */
  async ids(asked: UserQuery): Promise<readonly string[]> {
    const { sort, order, include_all: isComplete, window, ...conditions } = asked;
    const byFigure = sort === 'total_price' || sort === 'conversation_count';
    const isFiltered = Object.values(conditions).some((condition) => condition !== undefined);
    const values = await this.values(window, sort === 'conversation_count');
    if (byFigure && !isFiltered && !isComplete) return sorted([...values.keys()], values, order);
    const selection = byFigure ? { sort: 'user_id', order: 'asc' } : { sort, order };
    const path = '/internal/users/select';
    const { user_ids } = await this.calls.post<{ user_ids: readonly string[] }>(
      'identity',
      path,
      { ...conditions, ...selection },
      HARMLESS,
    );
    const known = isComplete ? user_ids : user_ids.filter((id) => values.has(id));
    // Erased users have no name by which they could be found or sorted, but their usage belongs to the sums.
    const erased = isFiltered ? [] : leftOut(values, user_ids);
    return byFigure ? sorted([...known, ...erased], values, order) : [...known, ...erased];
  }

  /** The current figures of some users. */
  async figures(userIds: readonly string[], window: Window): Promise<ReadonlyMap<string, UserFigures>> {
    const figures = new Map<string, UserFigures>();
    if (window.month !== undefined) {
      const rows = await this.queries.execute(new SomeOfMonth('user', window.month, userIds));
      for (const [id, { parts, ...row }] of rows) figures.set(id, { ...row, conversations: parts ?? 0 });
    } else {
      const sums = await this.queries.execute(new FiguresOfSome('user', userIds, window));
      const counts = await this.queries.execute(new ConversationsOfSome(window, userIds));
      for (const id of userIds) figures.set(id, { ...NOTHING, ...sums.get(id), conversations: counts.get(id) ?? 0 });
    }
    for (const id of userIds) if (!figures.has(id)) figures.set(id, NOTHING);
    return figures;
  }

  /** These users, without erased ones. */
  async persons(userIds: readonly string[]): Promise<ReadonlyMap<string, Person>> {
    if (userIds.length === 0) return new Map();
    const { users } = await this.calls.post<{ users: readonly Person[] }>(
      'identity',
      '/internal/users/persons',
      { user_ids: userIds },
      HARMLESS,
    );
    return new Map(users.map((person) => [person.user_id, person]));
  }

  /** For each user with usage: the cost, or the number of conversations. */
  private async values(window: Window, isOfConversations: boolean): Promise<ReadonlyMap<string, number>> {
    if (isOfConversations && window.month !== undefined) return this.queries.execute(new ConversationsOfMonth(window.month));
    const costs = await this.queries.execute(new CostsOfAll('user', window));
    if (!isOfConversations) return costs;
    const counts = await this.queries.execute(new ConversationsOfAll(window));
    return new Map([...costs.keys()].map((id) => [id, counts.get(id) ?? 0]));
  }
}

function leftOut(values: ReadonlyMap<string, number>, ids: readonly string[]): string[] {
  const known = new Set(ids);
  return [...values.keys()].filter((id) => !known.has(id)).toSorted();
}

/** IDs sorted by value, then by ID. This takes a third of the time of looking up values in each comparison, for 10,000 IDs. */
function sorted(ids: readonly string[], values: ReadonlyMap<string, number>, order: 'asc' | 'desc'): readonly string[] {
  const sign = order === 'asc' ? 1 : -1;
  const pairs = ids.map((id) => ({ id, value: values.get(id) ?? 0 }));
  pairs.sort((a, b) => sign * (a.value - b.value) || (a.id < b.id ? -1 : 1));
  return pairs.map(({ id }) => id);
}
