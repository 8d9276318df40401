import type { PageQuery, PageTokens } from '@parlance/http';
import { z } from 'zod';

/** One page of a complete list that is sorted by a key. Throws the refusal `invalid_next_token`. */
export function pageOf<Item>(
  tokens: PageTokens,
  listId: object,
  { limit, next_token }: PageQuery,
  all: readonly Item[],
  keyOf: (item: Item) => string,
  order: 'rising' | 'falling' = 'rising',
): { items: readonly Item[]; next_token: string | null } {
  const after = next_token === undefined ? null : tokens.open<string>(listId, next_token);
  const isLeft = (key: string) => after === null || (order === 'rising' ? key > after : key < after);
  const left = all.filter((item) => isLeft(keyOf(item)));
  const items = left.slice(0, limit);
  const last = items.at(-1);
  return { items, next_token: last && left.length > limit ? tokens.seal(listId, keyOf(last)) : null };
}

/** The schema of one page of a list. */
export function pageAnswer(name: string, row: z.ZodType) {
  const page = z.object({ [name]: z.array(row), next_token: z.string().nullable() });
  return page.meta({ title: `${row.meta()?.title}Page` });
}
