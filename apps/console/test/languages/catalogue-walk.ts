/** A text, or a function that makes one. */
export type Entry = string | ((...values: unknown[]) => unknown);

/** All texts of a catalogue with their paths, such as `chat.send`. */
export function* entriesOf(node: unknown, path = ''): Generator<readonly [path: string, entry: Entry]> {
  if (typeof node === 'string' || typeof node === 'function') yield [path, node as Entry];
  else if (typeof node === 'object' && node !== null)
    for (const [key, child] of Object.entries(node)) yield* entriesOf(child, path === '' ? key : `${path}.${key}`);
}
