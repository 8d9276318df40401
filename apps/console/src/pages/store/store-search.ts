export const LISTS = ['pinned', 'popular', 'pickup'] as const;
export type List = (typeof LISTS)[number];

/** What the store shows: search results, one list page by page, or the start of each list. */
export interface StoreSearch {
  readonly q?: string;
  readonly list?: List;
  readonly token?: string;
}

/** The server's maximum. */
const LONGEST_QUERY = 200;

/** Reads the address. Invalid parts are left out. */
export function storeSearch({ q, list, token }: Record<string, unknown>): StoreSearch {
  // The router reads a query such as 2024 as a number, and true as a boolean.
  const query = typeof q === 'string' || typeof q === 'number' || typeof q === 'boolean' ? String(q).trim().slice(0, LONGEST_QUERY) : '';
  const page = typeof token === 'string' && token !== '' ? { token } : {};
  if (query !== '') return { q: query, ...page };
  const known = LISTS.find((each) => each === list);
  return known === undefined ? {} : { list: known, ...page };
}
