import { isDeepStrictEqual } from 'node:util';
import { compare } from './query.ts';
import type { ReadModels, Row, Table } from './read-models.ts';

export interface Key {
  readonly table: Table;
  readonly key: string;
}

/** What a rebuild found when it laid its rows beside the living ones. */
export interface Comparison {
  /** Rows of the new generation. */
  readonly rows: number;
  /** The first 20 rows that are not the same in both, as `table/key`. */
  readonly differing: readonly string[];
}

export const REPORTED = 20;
const PAGE = 1_000;

interface Keyed {
  readonly key: string;
  readonly row: Row;
}

/** All rows of a table in the order of their keys, a page at a time. */
async function* walk(models: ReadModels, table: Table): AsyncGenerator<Keyed> {
  let after: readonly string[] | undefined;
  do {
    const page = await models.find(table, { index: 'key', limit: PAGE, ...(after && { after }) });
    for (const [place, row] of page.rows.entries()) yield { key: page.keys[place]!, row };
    after = page.next ? [String(page.next[0])] : undefined;
  } while (after);
}

/** Lays two generations of some tables side by side, row by row; gives at most `most` of the keys whose rows differ. */
export async function differences(
  one: ReadModels,
  other: ReadModels,
  tables: readonly Table[],
  most: number,
): Promise<{ rows: number; keys: Key[] }> {
  const keys: Key[] = [];
  let rows = 0;
  for (const table of tables) {
    const [left, right] = [walk(one, table), walk(other, table)];
    let [a, b] = [await next(left), await next(right)];
    while (a || b) {
      const order = !a ? 1 : !b ? -1 : compare(a.key, b.key);
      if (order >= 0) rows += 1;
      if ((order !== 0 || !isDeepStrictEqual(a!.row, b!.row)) && keys.length < most) keys.push({ table, key: (order <= 0 ? a : b)!.key });
      if (order <= 0) a = await next(left);
      if (order >= 0) b = await next(right);
    }
  }
  return { rows, keys };
}

export async function differs(one: ReadModels, other: ReadModels, { table, key }: Key): Promise<boolean> {
  return !isDeepStrictEqual(await one.get(table, key), await other.get(table, key));
}

async function next(rows: AsyncGenerator<Keyed>): Promise<Keyed | null> {
  const { value, done } = await rows.next();
  return done ? null : value;
}
