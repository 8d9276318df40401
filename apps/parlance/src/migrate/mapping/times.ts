const NEWEST_MILLIS = 8_640_000_000_000;

/** The source has seconds, as a number or a text. Some early records have milliseconds. */
export function millisOf(value: unknown): number | null {
  const number = Number(value);
  if (value === null || value === undefined || value === '' || !Number.isFinite(number) || number < 0) return null;
  const millis = Math.round(number < 1e11 ? number * 1000 : number);
  return millis <= NEWEST_MILLIS ? millis : null;
}
