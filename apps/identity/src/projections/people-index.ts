import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { People } from './people.ts';
import { Person, UsersChangedAfter } from './users.ts';

/** The fields of a user that all users may see. */
export const PublicPerson = Person.pick({ user_id: true, first_name: true, last_name: true });
export type PublicPerson = z.infer<typeof PublicPerson>;

interface Entry extends PublicPerson {
  /** The folded texts that a prefix is compared with. */
  readonly words: readonly string[];
}

const BATCH_SIZE = 100;

/**
 * Finds users by the beginning of a name or address. These are sealed in storage, so no database can index them. This index is in
 * memory. Each search first brings it up to date, which also removes erased users. 10,000 users take about 4 MB and 2 ms a search.
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
    // A run that began earlier may lack what the caller has just written, so another one follows.
    await this.catchingUp;
    await (this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null)));
    const wanted = folded(prefix);
    const found: Entry[] = [];
    for (const entry of this.entries.values()) if (entry.words.some((word) => word.startsWith(wanted))) found.push(entry);
    return found
      .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
      .filter(({ user_id }) => after === null || user_id > after)
      .slice(0, limit)
      .map(({ words: _, ...person }) => person);
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const { rows, erased, upTo } = await this.queries.execute(new UsersChangedAfter(this.upTo));
      for (let from = 0; from < rows.length; from += BATCH_SIZE) {
        const people = await Promise.all(rows.slice(from, from + BATCH_SIZE).map((row) => this.people.open(row)));
        for (const { user_id, first_name, last_name, email } of people)
          this.entries.set(user_id, { user_id, first_name, last_name, words: [email, first_name, last_name].map(folded) });
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
