import { Injectable } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Sealed, Vault } from '@parlance/privacy';
import { PopularQueries, type PopularQuery } from '../domain/popular-queries.ts';

/** The newest messages are counted, up to this number. */
export const MOST_COUNTED = 2_000;

/** Opens sealed messages and counts the questions in them. The texts are forgotten. Lets other work run in between. */
@Injectable()
export class QueryCounts {
  constructor(private readonly vault: Vault) {}

  /** `pages` of sealed texts are read until there are enough. Null if there is no text at all. */
  async top(pages: AsyncIterable<readonly string[]>, limit: number): Promise<PopularQuery[] | null> {
    const popular = new PopularQueries();
    let counted = 0;
    for await (const texts of pages) {
      for (const text of texts) {
        if (isTurnOver()) await nextTurn();
        // Null if it was erased in the meantime.
        popular.add((await this.vault.open(text as Sealed)) ?? '');
      }
      counted += texts.length;
      if (counted >= MOST_COUNTED) break;
    }
    if (counted === 0) return null;
    const turns = popular.top(limit);
    for (let turn = turns.next(); ; turn = turns.next()) {
      if (turn.done) return [...turn.value];
      if (isTurnOver()) await nextTurn();
    }
  }
}
