export const LISTS = ['pinned', 'popular', 'pickup'] as const;
export type List = (typeof LISTS)[number];

/** What the store shows: the results of a search, one list by pages, or the beginning of each list. */
export interface StoreSearch {
  readonly q?: string;
  readonly list?: List;
  readonly token?: string;
}

/** The server takes no longer query. */
const LONGEST_QUERY = 200;

/** Reads the address. Parts that do not fit are left out. */
export function storeSearch({ q, list, token }: Record<string, unknown>): StoreSearch {
  // The router reads a query such as 2024 as a number, and true as a boolean.
  const query = typeof q === 'string' || typeof q === 'number' || typeof q === 'boolean' ? String(q).trim().slice(0, LONGEST_QUERY) : '';
  const place = typeof token === 'string' && token !== '' ? { token } : {};
  if (query !== '') return { q: query, ...place };
  const known = LISTS.find((each) => each === list);
  return known === undefined ? {} : { list: known, ...place };
}
