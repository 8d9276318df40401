import { Readable } from 'node:stream';

/** Splits a body into pieces of one size; only the last piece may be smaller. An empty body is one empty piece. */
export async function* partsOf(body: Uint8Array | Readable, size: number): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  let hasYielded = false;
  for await (const chunk of body instanceof Readable ? body : [body]) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    while (length + rest.length >= size) {
      const taken = size - length;
      yield Buffer.concat([...gathered, rest.subarray(0, taken)]);
      hasYielded = true;
      rest = rest.subarray(taken);
      gathered = [];
      length = 0;
    }
    if (rest.length > 0) gathered.push(rest);
    length += rest.length;
  }
  if (length > 0 || !hasYielded) yield Buffer.concat(gathered);
}
