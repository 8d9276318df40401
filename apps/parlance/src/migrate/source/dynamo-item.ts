/** A value in an export of DynamoDB: an object with one field, whose name is the type. */
type Typed = Readonly<Record<string, unknown>>;

export type Item = Readonly<Record<string, unknown>>;

/** Thrown for a line that is not an item of an export. */
export class NotAnItem extends Error {}

/** Parses an item, or `{"Item": …}` of an export to S3. Numbers stay texts, because amounts of money would lose digits. Throws `NotAnItem`. */
export function itemOf(line: string): Item {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw new NotAnItem('not_json');
  }
  const { Item: inner = parsed } = (isMap(parsed) ? parsed : {}) as { Item?: unknown };
  if (!isMap(inner)) throw new NotAnItem('not_an_item');
  const item: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(inner)) item[name] = plain(value);
  return item;
}

function plain(value: unknown): unknown {
  if (!isMap(value)) throw new NotAnItem('not_typed');
  const [[type, inner] = [], ...others] = Object.entries(value as Typed);
  if (others.length > 0) throw new NotAnItem('not_typed');
  switch (type) {
    case 'S':
    case 'N':
    case 'B':
      return String(inner);
    case 'BOOL':
      return inner === true || inner === 'true';
    case 'NULL':
      return null;
    case 'M':
      return Object.fromEntries(Object.entries((inner ?? {}) as Typed).map(([name, each]) => [name, plain(each)]));
    case 'L':
      return ((inner ?? []) as unknown[]).map(plain);
    case 'SS':
    case 'NS':
    case 'BS':
      return inner;
    default:
      throw new NotAnItem('not_typed');
  }
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
