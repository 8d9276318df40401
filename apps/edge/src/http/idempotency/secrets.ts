import { LEAF, type Shape } from '../routing/schema-shapes.ts';

/** An answer's value as it may be stored: at most the beginning and the end of values marked with `x-secret` are kept. */
export function maskSecrets(value: unknown, shape: Shape): unknown {
  if (value === null || shape === LEAF) return value;
  if (shape.secret) return typeof value === 'string' ? masked(value) : '…';
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => maskSecrets(item, shape.items ?? LEAF));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskSecrets(member, shape.properties.get(name) ?? shape.values ?? LEAF)]),
  );
}

/** The beginning and the end of a text, to tell one key from another. A short text is hidden completely. */
const masked = (text: string): string => (text.length < 24 ? '…' : `${text.slice(0, 8)}…${text.slice(-4)}`);
