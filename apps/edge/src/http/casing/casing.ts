import { refuse } from '@parlance/decider';
import { LEAF, type Shape } from '../routing/schema-shapes.ts';

/**
 * A request's value, with declared names changed from camelCase to snake_case. Undeclared names stay, so that a refusal names what the
 * client wrote. Returns the same object when nothing changes. Throws the refusal `malformed_body` (invalid) for an object that has a name
 * both ways.
 */
export function toSnakeCase(value: unknown, shape: Shape): unknown {
  return renamed(value, shape, 'snake', (one, other) => {
    throw bothWays(one, other);
  });
}

/** The refusal of an object that has a name in both cases. */
export const bothWays = (one: string, other: string): Error =>
  refuse('invalid', 'malformed_body', `The body has ${other} and ${one}, which are the same field.`);

/** An answer's value, with the declared names in camelCase. Returns the same object when nothing changes. */
export function toCamelCase(value: unknown, shape: Shape): unknown {
  // A free name of a map may equal a declared name. Both stay unchanged then.
  return renamed(value, shape, 'camel', () => undefined);
}

function renamed(value: unknown, shape: Shape, way: 'snake' | 'camel', onBoth: (to: string, from: string) => void): unknown {
  if (typeof value !== 'object' || value === null || shape === LEAF) return value;
  let changed = false;
  if (Array.isArray(value)) {
    const { items } = shape;
    if (!items) return value;
    const all = value.map((item: unknown) => {
      const renamedItem = renamed(item, items, way, onBoth);
      changed ||= renamedItem !== item;
      return renamedItem;
    });
    return changed ? all : value;
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    let to = shape[way].get(name) ?? name;
    if (to !== name && Object.hasOwn(value, to)) {
      onBoth(to, name);
      to = name;
    }
    const renamedMember = renamed(member, shapeUnder(shape, way === 'snake' ? to : name), way, onBoth);
    changed ||= to !== name || renamedMember !== member;
    return [to, renamedMember];
  });
  return changed ? Object.fromEntries(members) : value;
}

const shapeUnder = (shape: Shape, name: string): Shape => shape.properties.get(name) ?? shape.values ?? LEAF;

/** A path from a refusal's `errors` in camelCase, as far as the request's schema declares it: `message.content[0].mediaType`. */
export function camelPath(path: string, shape: Shape): string {
  let here = shape;
  return path.replaceAll(/\[\d+\]|[^.[\]]+/g, (part) => {
    if (part.startsWith('[')) {
      here = here.items ?? LEAF;
      return part;
    }
    const camelPart = here.camel.get(part) ?? part;
    here = shapeUnder(here, part);
    return camelPart;
  });
}

/** The end of a string before a colon that contains a capital letter or a backslash, because an escape may encode a capital. */
const CAPITAL_NAME = /"(?=[ \t\r\n]*:)(?<=[A-Z\\][^"]*")/;

/** Whether a JSON text has a name with a capital letter in it. It takes linear time: 1.7 µs for 1 KB. */
export const hasCapitalNames = (bytes: Buffer): boolean => CAPITAL_NAME.test(bytes.toString('latin1'));
