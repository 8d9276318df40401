import { invalidBody, invalidValue } from '../scim-errors.ts';

/** A JSON object with unknown members. Names of attributes are case-insensitive in SCIM. */
export type Loose = Readonly<Record<string, unknown>>;

/** Throws the refusal `invalid_body` if the body is not a JSON object. */
export function looseBody(body: unknown): Loose {
  if (!isLoose(body)) throw invalidBody('The body has to be a JSON object.');
  return body;
}

export const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null if the attribute is absent or null. SCIM treats both alike. */
export function attribute(of: Loose, name: string): unknown {
  if (Object.hasOwn(of, name)) return of[name] ?? null;
  const key = Object.keys(of).find((known) => known.toLowerCase() === name.toLowerCase());
  return key === undefined ? null : (of[key] ?? null);
}

/** The trimmed text, or null if it is empty. Throws the refusal `invalid_value`. */
export function textOf(of: Loose, name: string, longest: number): string | null {
  const value = attribute(of, name);
  if (value === null) return null;
  if (typeof value !== 'string') throw invalidValue(`The attribute ${name} must be a string.`);
  const text = value.trim();
  if (text.length > longest) throw invalidValue(`The attribute ${name} must have at most ${longest} characters.`);
  return text === '' ? null : text;
}

/** Entra sends booleans as the texts True and False. Throws the refusal `invalid_value`. */
export function flagOf(of: Loose, name: string): boolean | null {
  const value = attribute(of, name);
  const flag = typeof value === 'string' ? value.toLowerCase() : value;
  if (flag === null) return null;
  if (flag === true || flag === 'true') return true;
  if (flag === false || flag === 'false') return false;
  throw invalidValue(`The attribute ${name} must be true or false.`);
}

/** The objects in a list. Throws the refusal `invalid_value` if the attribute is not a list. */
export function objectsOf(of: Loose, name: string): readonly Loose[] {
  const value = attribute(of, name);
  if (value === null) return [];
  if (!Array.isArray(value)) throw invalidValue(`The attribute ${name} must be a list.`);
  return value.filter(isLoose);
}
