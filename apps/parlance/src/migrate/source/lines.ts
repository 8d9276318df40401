import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** The maximum bytes of one line. An item of DynamoDB has at most 400 KB, and escapes can make it longer. */
export const LONGEST_LINE = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Null for a line that is too long. */
  readonly text: string | null;
}

/** The lines of a file, which may be compressed, without empty lines. Only one line at a time is in memory. */
export async function* linesOf(path: string, after = 0): AsyncGenerator<Line> {
  const file = createReadStream(path);
  const bytes = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // `pipe` does not forward errors.
  if (bytes !== file) file.once('error', (error) => bytes.destroy(error));
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const takeLine = (): Line => {
    const text = length > LONGEST_LINE ? null : Buffer.concat(parts).toString('utf8');
    [parts, length] = [[], 0];
    return { number, text };
  };
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length;) {
        const end = chunk.indexOf(NEWLINE, from);
        const part = chunk.subarray(from, end < 0 ? chunk.length : end);
        length += part.length;
        if (length <= LONGEST_LINE) parts.push(part);
        else parts = [];
        if (end < 0) break;
        from = end + 1;
        number++;
        const line = takeLine();
        if (number > after && line.text !== '') yield line;
      }
    }
    number++;
    if (length > 0 && number > after) yield takeLine();
  } finally {
    file.destroy();
  }
}
