import { membersOf } from '../json-members.ts';

/**
 * A JSON object with other values of some members, as JSON. All other bytes stay. Rejects with the refusal `malformed_body` (invalid) for bytes that
 * are no object.
 */
export async function withMembers(bytes: Buffer, values: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const members = await membersOf(bytes);
  const start = bytes.indexOf('{') + 1;
  const changes = Object.entries(values).map(([name, value]) => {
    const span = members.get(name);
    if (span) return { ...span, parts: [value] };
    return { from: start, to: start, parts: [`${JSON.stringify(name)}:`, value, ','] };
  });
  // An object without members has no comma after the last new one.
  if (members.size === 0) changes.at(-1)?.parts.pop();
  const parts: (string | Buffer)[] = [];
  let at = 0;
  for (const change of changes.toSorted((a, b) => a.from - b.from)) {
    parts.push(bytes.subarray(at, change.from), ...change.parts);
    at = change.to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
