import type { PageQuery, PageTokens } from '@parlance/http';
import { z } from 'zod';

/** Cuts one page out of a complete list, which must be sorted by its keys. Throws the refusal `invalid_next_token`. */
export function pageOf<Item>(
  tokens: PageTokens,
  listId: object,
  { limit, next_token }: PageQuery,
  all: readonly Item[],
  keyOf: (item: Item) => string,
  order: 'rising' | 'falling' = 'rising',
): { items: readonly Item[]; next_token: string | null } {
  const after = next_token === undefined ? null : tokens.open<string>(listId, next_token);
  const isAfterCursor = (key: string) => after === null || (order === 'rising' ? key > after : key < after);
  const remaining = all.filter((item) => isAfterCursor(keyOf(item)));
  const items = remaining.slice(0, limit);
  const last = items.at(-1);
  return { items, next_token: last && remaining.length > limit ? tokens.seal(listId, keyOf(last)) : null };
}

/** The schema of one page of a list. */
export function pageAnswer(name: string, row: z.ZodType) {
  const page = z.object({ [name]: z.array(row), next_token: z.string().nullable() });
  return page.meta({ title: `${row.meta()?.title}Page` });
}
