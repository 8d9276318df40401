import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Person } from '@parlance/contracts';
import { nameSchemas } from '@parlance/openapi';
import type { z } from 'zod';
import { People } from './people.ts';
import { UsersChangedAfter } from './users.ts';

/** The fields of a user that all users may see. */
export const PublicPerson = Person.pick({ user_id: true, first_name: true, last_name: true });
export type PublicPerson = z.infer<typeof PublicPerson>;

nameSchemas({ PublicUser: PublicPerson });

interface Entry extends PublicPerson {
  /** The folded texts that a prefix is compared with. The first is the address. */
  readonly words: readonly string[];
  readonly groups: readonly string[];
  readonly enabled: boolean;
  readonly create_time: number;
  readonly last_sign_in_time: number | null;
}

/** Fields that users can be sorted by. */
export const SORTS = ['user_id', 'email', 'create_time', 'last_sign_in_time'] as const;

/** Which users to return, and in which order. Users with equal values are sorted by their IDs. */
export interface Selection {
  readonly prefix?: string;
  readonly group?: string;
  readonly enabled?: boolean;
  readonly sort: (typeof SORTS)[number];
  readonly order: 'asc' | 'desc';
  /** The ID of a user: only users after it, when sorted by ID. */
  readonly after?: string;
  /** The most users to return. */
  readonly limit?: number;
}

const BATCH_SIZE = 100;

/**
 * Finds users by the beginning of a name or address. Names and addresses are sealed in storage, so no database can index them. This index is in
 * memory. Each search first updates it, which also removes erased users. 10,000 users take about 4 MB, and a search 2 ms.
 */
@Injectable()
export class PeopleIndex {
  private readonly entries = new Map<string, Entry>();
  private upTo = 0;
  private catchingUp: Promise<void> | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly people: People,
  ) {}

  /** Users after a user ID, in the order of their IDs. */
  async find(prefix: string, after: string | null, limit: number): Promise<readonly PublicPerson[]> {
    await this.bringUpToDate();
    return this.withPrefix(prefix)
      .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
      .filter(({ user_id }) => after === null || user_id > after)
      .slice(0, limit)
      .map(({ user_id, first_name, last_name }) => ({ user_id, first_name, last_name }));
  }

  /** The IDs of all users that match, in order. */
  async select({ prefix, group, enabled, sort, order, after, limit }: Selection): Promise<readonly string[]> {
    await this.bringUpToDate();
    const found = this.withPrefix(prefix ?? '').filter(
      (entry) => (group === undefined || entry.groups.includes(group)) && (enabled === undefined || entry.enabled === enabled),
    );
    const sign = order === 'asc' ? 1 : -1;
    const valueOf = (entry: Entry) => (sort === 'email' ? entry.words[0]! : (entry[sort] ?? 0));
    const isBehind = ({ user_id }: Entry) => after === undefined || sign * compared(user_id, after) > 0;
    return found
      .filter(isBehind)
      .sort((a, b) => sign * compared(valueOf(a), valueOf(b)) || compared(a.user_id, b.user_id))
      .slice(0, limit)
      .map(({ user_id }) => user_id);
  }

  private withPrefix(prefix: string): Entry[] {
    const wanted = folded(prefix);
    return [...this.entries.values()].filter(({ words }) => words.some((word) => word.startsWith(wanted)));
  }

  private async bringUpToDate(): Promise<void> {
    // An update that began earlier may lack what the caller has just written, so another one follows.
    await this.catchingUp;
    await (this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null)));
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const { rows, erased, upTo } = await this.queries.execute(new UsersChangedAfter(this.upTo));
      for (let from = 0; from < rows.length; from += BATCH_SIZE) {
        const people = await Promise.all(rows.slice(from, from + BATCH_SIZE).map((row) => this.people.open(row)));
        for (const { email, email_verified: _, ...person } of people)
          this.entries.set(person.user_id, { ...person, words: [email, person.first_name, person.last_name].map(folded) });
        // The first search opens thousands of rows. Other requests run in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const userId of erased) this.entries.delete(userId);
      if (upTo === this.upTo) return;
      this.upTo = upTo;
    }
  }
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

const compared = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
