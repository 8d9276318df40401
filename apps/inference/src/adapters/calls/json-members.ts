import { refuse } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';

/** The bytes of a member's value. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
/** Members of a request or an answer, and bytes of their names. */
const MOST_MEMBERS = 1_000;
const LONGEST_NAME_BYTES = 1_024;
/** How many values or escaped quotes are skipped before other work may have a turn. */
const SLICE = 1_024;

export type Scan<Result> = Generator<void, Result, void>;

/**
 * Where the values of a JSON object's members are, without parsing them: an image in a request costs no time. Rejects with the refusal
 * `malformed_body` (invalid) for bytes that are no object, and for a repeated name, which two parsers may read differently. Long bodies are read
 * in slices of the event loop.
 */
export async function membersOf(bytes: Buffer): Promise<ReadonlyMap<string, Span>> {
  const scan = members(bytes);
  for (;;) {
    const { done, value } = scan.next();
    if (done) return value;
    if (isTurnOver()) await nextTurn();
  }
}

function* members(bytes: Buffer): Scan<ReadonlyMap<string, Span>> {
  const found = new Map<string, Span>();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) throw malformed();
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE) return found;
  for (;;) {
    const endOfName = yield* endOfString(bytes, at);
    if (endOfName - at > LONGEST_NAME_BYTES || found.size === MOST_MEMBERS) throw malformed();
    const name = parsed(bytes, { from: at, to: endOfName }) as string;
    if (found.has(name)) throw malformed();
    at = skipSpace(bytes, endOfName);
    if (bytes[at] !== COLON) throw malformed();
    const from = skipSpace(bytes, at + 1);
    const to = yield* endOfValue(bytes, from);
    found.set(name, { from, to });
    at = skipSpace(bytes, to);
    if (bytes[at] === CLOSE_BRACE) break;
    if (bytes[at] !== COMMA) throw malformed();
    at = skipSpace(bytes, at + 1);
  }
  if (skipSpace(bytes, at + 1) !== bytes.length) throw malformed();
  return found;
}

/** The value of a member. Throws the refusal `malformed_body` (invalid). */
export function parsed(bytes: Buffer, { from, to }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to));
  } catch {
    throw malformed();
  }
}

function* endOfValue(bytes: Buffer, from: number): Scan<number> {
  const first = bytes[from];
  if (first === QUOTE) return yield* endOfString(bytes, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfLiteral(bytes, from);
  let depth = 0;
  let steps = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (++steps % SLICE === 0) yield;
    if (byte === QUOTE) {
      const end = endOfPlainString(bytes, at);
      at = (end < 0 ? yield* endOfString(bytes, at) : end) - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  throw malformed();
}

/** The end of a string without escaped quotes, such as most are. Negative for another one. */
function endOfPlainString(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(QUOTE, from + 1);
  return at < 0 || isEscaped(bytes, at) ? -1 : at + 1;
}

export function* endOfString(bytes: Buffer, from: number): Scan<number> {
  if (bytes[from] !== QUOTE) throw malformed();
  let steps = 0;
  for (let at = bytes.indexOf(QUOTE, from + 1); at > 0; at = bytes.indexOf(QUOTE, at + 1)) {
    if (!isEscaped(bytes, at)) return at + 1;
    if (++steps % SLICE === 0) yield;
  }
  throw malformed();
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function endOfLiteral(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE) break;
  }
  if (at === from) throw malformed();
  return at;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= SPACE) at++;
  return at;
}

export const malformed = () => refuse('invalid', 'malformed_body', 'The body must be one JSON object, in which no name is repeated.');
