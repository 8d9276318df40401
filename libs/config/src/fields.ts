export type Constructor = new () => object;

/** How a value is written in an environment variable. In a file it has the corresponding JSON type. */
export type Kind = 'text' | 'number' | 'flag' | 'list' | 'object' | 'object-or-file';

/** A value that consists of further keys: one object, a list of them, or a map from free names to them. */
export interface Shape {
  readonly type: Constructor;
  readonly many: 'one' | 'list' | 'map';
}

/** The declaration of a key. */
export interface Field {
  readonly doc: string;
  readonly secret: boolean;
  readonly kind: Kind;
  /** The allowed values, as the end of a sentence. */
  readonly allowed: string;
  /** The default in words, if it is derived from other values. */
  readonly defaultText: string | null;
  readonly shape: Shape | null;
}

const blank: Field = { doc: '', secret: false, kind: 'text', allowed: '', defaultText: null, shape: null };
const known = new Map<unknown, Map<string, Field>>();

/** The keys of a configuration class in the order of their declaration, after the keys of its base class. */
export function fieldsOf(type: unknown): ReadonlyMap<string, Field> {
  const own = known.get(type) ?? new Map<string, Field>();
  const parent: unknown = typeof type === 'function' ? Object.getPrototypeOf(type) : null;
  return known.has(parent) ? new Map([...fieldsOf(parent), ...own]) : own;
}

export function note(target: object, property: string | symbol, facts: Partial<Field>): void {
  const type = target.constructor;
  const fields = known.get(type) ?? new Map<string, Field>();
  known.set(type, fields);
  const key = String(property);
  fields.set(key, { ...(fields.get(key) ?? blank), ...facts });
}

/** Declares a key, with its description for the documentation. */
export function Key(doc: string, more: { secret?: true; defaultText?: string } = {}): PropertyDecorator {
  return (target, property) => note(target, property, { doc, ...more });
}

/** `tokenValidMinutes` → `PARLANCE_TOKEN_VALID_MINUTES`: an underscore before every capital. */
export function environmentName(key: string): string {
  return `PARLANCE_${key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
}

/** The inverse: the key that a variable sets, if such a key exists. */
export function keyOfEnvironmentName(name: string): string {
  return name
    .replace(/^PARLANCE_/, '')
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
