import { invalidBody, invalidValue } from '../scim-errors.ts';

/** Some JSON object of which a few members are known. Names of attributes have no case in SCIM. */
export type Loose = Readonly<Record<string, unknown>>;

/** Throws the refusal `invalid_body` for what is no JSON object. */
export function looseBody(body: unknown): Loose {
  if (!isLoose(body)) throw invalidBody('The body has to be a JSON object.');
  return body;
}

export const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null where the attribute isn't there, or is null: to SCIM these are the same. */
export function attribute(of: Loose, name: string): unknown {
  if (Object.hasOwn(of, name)) return of[name] ?? null;
  const key = Object.keys(of).find((its) => its.toLowerCase() === name.toLowerCase());
  return key === undefined ? null : (of[key] ?? null);
}

/** Without the spaces at its ends; null where nothing else is there. Throws the refusal `invalid_value`. */
export function textOf(of: Loose, name: string, longest: number): string | null {
  const value = attribute(of, name);
  if (value === null) return null;
  if (typeof value !== 'string') throw invalidValue(`The attribute ${name} must be a text.`);
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

/** Its objects alone. Throws the refusal `invalid_value` for what is no list. */
export function objectsOf(of: Loose, name: string): readonly Loose[] {
  const value = attribute(of, name);
  if (value === null) return [];
  if (!Array.isArray(value)) throw invalidValue(`The attribute ${name} must be a list.`);
  return value.filter(isLoose);
}
