/** Hourly and daily figures are kept for the current month and this many months before it. */
export const MONTHS_KEPT = 13;

/** The first month of which such figures are kept, as YYYY-MM. `time` is in ISO 8601. */
export function firstMonthKept(time: string): string {
  return new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)) - 1 - MONTHS_KEPT)).toISOString().slice(0, 7);
}

/** How long an answer of a model may be cached. */
export const LONGEST_CACHE_SECONDS = 3_600;

/** In characters (code points), as counted by JSON Schema. */
export const LONGEST_GROUP_NAME = 100;

export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};
