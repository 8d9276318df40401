import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { parsed, type Span } from '../json-members.ts';

const BACKSLASH = 0x5c;
/** Bytes or characters of a text that are converted at once. */
const SLICE = 64 * 1024;
/** Bytes of the longest escape, such as \u00e9. */
const LONGEST_ESCAPE = 6;

/** The value of a text in JSON, also of a long one, in slices of the event loop. Rejects with the refusal `malformed_body` (invalid). */
export async function textOf(bytes: Buffer, span: Span): Promise<string> {
  if (span.to - span.from <= SLICE) return parsed(bytes, span) as string;
  const parts: string[] = [];
  for (let from = span.from + 1; from < span.to - 1;) {
    if (isTurnOver()) await nextTurn();
    const to = wholeEnd(bytes, from, Math.min(from + SLICE, span.to - 1), span.to - 1);
    const slice = Buffer.concat([QUOTE, bytes.subarray(from, to), QUOTE]);
    parts.push(parsed(slice, { from: 0, to: slice.length }) as string);
    from = to;
  }
  return parts.join('');
}

/** The text in JSON, also a long one, in slices of the event loop. */
export async function jsonOf(text: string): Promise<Buffer> {
  if (text.length <= SLICE) return Buffer.from(JSON.stringify(text));
  const parts: Buffer[] = [QUOTE];
  for (let from = 0; from < text.length; from += SLICE) {
    if (isTurnOver()) await nextTurn();
    // Half of a surrogate pair is written as an escape.
    parts.push(Buffer.from(JSON.stringify(text.slice(from, from + SLICE)).slice(1, -1)));
  }
  return Buffer.concat([...parts, QUOTE]);
}

const QUOTE = Buffer.from('"');

/** An end at or before `to` at which no character and no escape is divided. */
function wholeEnd(bytes: Buffer, from: number, to: number, last: number): number {
  if (to === last) return last;
  let end = to;
  while (end > from && (bytes[end]! & 0xc0) === 0x80) end--;
  for (let at = end - 1; at >= Math.max(from, end - LONGEST_ESCAPE); at--) {
    if (bytes[at] !== BACKSLASH) continue;
    let first = at;
    while (first > from && bytes[first - 1] === BACKSLASH) first--;
    // The last of an odd number of them begins an escape.
    return (at - first) % 2 === 0 ? at : end;
  }
  return end;
}
