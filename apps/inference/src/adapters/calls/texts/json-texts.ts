import { isUtf8 } from 'node:buffer';
import { refuse } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { endOfString, malformed, parsed, type Scan, type Span } from '../json-members.ts';
import { isDataText, isFreeObject, kindOfText, type TextKind } from './text-fields.ts';
import { jsonOf, textOf } from './long-texts.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const SPACE = 0x20;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** How many bytes are looked at before other work may have a turn. */
const SLICE = 1_024;
/** Characters of a text that may be an address. */
const BEGINNING = 8;
const DEEPEST = 200;
/** Texts of a document. More would delay other work when they are put together. */
const MOST_TEXTS = 50_000;
const NULL = Buffer.from('null');
const LITERALS = ['true', 'false', 'null'];
const LONGEST_LITERAL = 5;

/**
 * A value of a JSON document that may have text. `logprobs`: the tokens of an answer, and `token`: a text in them. `tokens`: the first number in a
 * list `input`.
 */
export interface FoundText extends Span {
  readonly kind: Exclude<TextKind, null> | 'logprobs' | 'token' | 'tokens';
  /** The field of the document that it is in. */
  readonly top: string;
}

const NO_TEXTS: ReadonlySet<FoundText['kind']> = new Set(['logprobs', 'tokens']);

interface Frame {
  readonly isArray: boolean;
  /** The field that it is the value of, or the field of its array. */
  readonly name: string;
  readonly isFree: boolean;
  /** Whether it is in `logprobs`. */
  readonly hasTokens: boolean;
  readonly from: number;
  /** The name of the next value. Null where a name follows. */
  field: string | null;
  type: string | null;
  /** The text in the field `data`. Whether it is one depends on `type`, which may follow. */
  data: FoundText | null;
}

/**
 * The document with other texts, and all other bytes as they are; the same bytes if no text changes. `change` returns the new value, or the same
 * text; `top` is the field of the document that has it. Rejects with the refusals `malformed_body` for bytes that are no JSON, and `too_many_texts` (both invalid). Works in slices of the event loop.
 */
export async function withTexts(
  bytes: Buffer,
  change: (text: string, kind: FoundText['kind'], top: string) => Promise<string | null>,
): Promise<Buffer> {
  if (!isUtf8(bytes)) throw malformed();
  const changes: (Span & { readonly value: Buffer })[] = [];
  let texts = 0;
  for (const found of textsOf(bytes)) {
    if (isTurnOver()) await nextTurn();
    if (!found) continue;
    const { kind, from, to, top } = found;
    if (kind !== 'token' && ++texts > MOST_TEXTS) throw tooMany();
    const text = NO_TEXTS.has(kind) ? '' : await textOf(bytes, found);
    const changed = await change(text, kind, top);
    if (changed !== text) changes.push({ from, to, value: changed === null ? NULL : await jsonOf(changed) });
  }
  if (changes.length === 0) return bytes;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { from, to, value } of changes.toSorted((a, b) => a.from - b.from)) {
    // Within a value that is replaced.
    if (from < at) continue;
    parts.push(bytes.subarray(at, from), value);
    at = to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

const tooMany = () => refuse('invalid', 'too_many_texts', `A request that policies check has at most ${MOST_TEXTS} texts.`);

/** The texts of a document, and null where other work may have a turn. */
function* textsOf(bytes: Buffer): Generator<FoundText | null, void, void> {
  const frames: Frame[] = [];
  let steps = 0;
  let hasTokens = false;
  for (let at = 0; at < bytes.length;) {
    if (++steps % SLICE === 0) yield null;
    const byte = bytes[at]!;
    const frame = frames.at(-1);
    const top = frames[0]?.field ?? '';
    if (byte === QUOTE) {
      const to = yield* sliced(endOfString(bytes, at));
      if (frame && !frame.isArray && frame.field === null) frame.field = nameIn(bytes, { from: at, to });
      else if (frame) yield textIn(bytes, { from: at, to }, frame, top);
      at = to;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (frames.length === DEEPEST) throw malformed();
      frames.push(opened(frame, byte === OPEN_BRACKET, at));
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (frame?.isArray !== (byte === CLOSE_BRACKET)) throw malformed();
      frames.pop();
      if (frame.data && isDataText(frame.type, frame.name)) yield frame.data;
      if (frame.name === 'logprobs' && !frame.isFree) yield { kind: 'logprobs', from: frame.from, to: at + 1, top };
    } else if (byte === COMMA) {
      if (frame && !frame.isArray) frame.field = null;
    } else if (byte > SPACE && byte !== COLON) {
      // Some parsers also read texts in other quotes, and comments.
      if (!frame || (!frame.isArray && frame.field === null)) throw malformed();
      if (!hasTokens && isNumber(byte) && frame.isArray && frame.name === 'input') {
        hasTokens = true;
        yield { kind: 'tokens', from: at, to: at + 1, top };
      }
      at = literalEnd(bytes, at);
      continue;
    }
    at++;
  }
  if (frames.length > 0) throw malformed();
}

function opened(parent: Frame | undefined, isArray: boolean, from: number): Frame {
  const name = parent ? (parent.isArray ? parent.name : (parent.field ?? '')) : '';
  // An array `input` has the texts of a request.
  const isFree = parent !== undefined && (parent.isFree || (!isArray && !parent.isArray && isFreeObject(name)));
  const hasTokens = parent !== undefined && (parent.hasTokens || (name === 'logprobs' && !isFree));
  return { isArray, name, isFree, hasTokens, from, field: null, type: null, data: null };
}

function textIn(bytes: Buffer, span: Span, frame: Frame, top: string): FoundText | null {
  const { isArray, isFree, name } = frame;
  const field = isArray ? name : (frame.field ?? '');
  if (!isFree && !isArray && field === 'type') frame.type = bytes.toString('utf8', span.from + 1, span.to - 1);
  const kind = kindOfText(field, isFree, bytes.toString('latin1', span.from + 1, span.from + 1 + BEGINNING));
  if (kind === null) return null;
  const found: FoundText = { kind: frame.hasTokens ? 'token' : kind, from: span.from, to: span.to, top };
  if (isFree || isArray || field !== 'data') return found;
  frame.data = found;
  return null;
}

function nameIn(bytes: Buffer, span: Span): string {
  const plain = bytes.toString('utf8', span.from + 1, span.to - 1);
  return plain.includes(String.fromCharCode(BACKSLASH)) ? (parsed(bytes, span) as string) : plain;
}

function* sliced(scan: Scan<number>): Generator<null, number, void> {
  for (;;) {
    const { done, value } = scan.next();
    if (done) return value;
    yield null;
  }
}

/** The end of a number, or of `true`, `false` or `null`. */
function literalEnd(bytes: Buffer, from: number): number {
  let end = from;
  while (isInNumber(bytes[end]!)) end++;
  if (end > from) return end;
  const word = bytes.toString('latin1', from, from + LONGEST_LITERAL);
  const literal = LITERALS.find((each) => word.startsWith(each));
  if (literal === undefined) throw malformed();
  return from + literal.length;
}

/** Digits, and + - . e E. */
const isInNumber = (byte: number): boolean => isNumber(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;

const isNumber = (byte: number): boolean => byte === HYPHEN || (byte >= ZERO && byte <= NINE);
