/** Users can type any address, so every value is checked. The router reads `?id=12` as a number. */

export const textParam = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Epoch seconds. */
export const timeParam = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const flagParam = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const choiceParam = <Choice extends string>(value: unknown, choices: readonly Choice[]): Choice | undefined =>
  choices.find((choice) => choice === value);

/** A valid calendar date as YYYY-MM-DD; 2026-02-31 is not one. */
export const dateParam = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
};

/** A month as YYYY-MM. */
export const monthParam = (value: unknown): string | undefined =>
  dateParam(`${String(value)}-01`) === undefined ? undefined : String(value);

export interface PagedSearch {
  /** The page token of a list; the first page has none. */
  readonly token?: string | undefined;
}

/** The search parameters of a list without filters. */
export const pagedSearch = (raw: Record<string, unknown>): PagedSearch => ({ token: textParam(raw['token']) });
