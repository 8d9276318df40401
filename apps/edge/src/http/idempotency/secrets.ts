import { LEAF, type Shape } from '../routing/schema-shapes.ts';

/** An answer's value as it may be stored: of values marked with `x-secret`, at most the ends are kept. */
export function maskSecrets(value: unknown, shape: Shape): unknown {
  if (value === null || shape === LEAF) return value;
  if (shape.secret) return typeof value === 'string' ? masked(value) : '…';
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => maskSecrets(item, shape.items ?? LEAF));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskSecrets(member, shape.properties.get(name) ?? shape.values ?? LEAF)]),
  );
}

/** Enough to tell one key from another. For a short text, it would be most of it. */
const masked = (text: string): string => (text.length < 24 ? '…' : `${text.slice(0, 8)}…${text.slice(-4)}`);
