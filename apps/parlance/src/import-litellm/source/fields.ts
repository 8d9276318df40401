export type Fields = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const mapOf = (value: unknown): Fields => (isMap(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Null for anything but a text or a number. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

export const textsOf = (value: unknown): readonly string[] => listOf(value).filter((each) => typeof each === 'string');

/** Null for anything that is not a finite number. YAML and CSV may have it as a text. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** PostgreSQL writes t and f to CSV. */
export const flagOf = (value: unknown): boolean => value === true || value === 't' || value === 'true' || value === 'True';
