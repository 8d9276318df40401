import { checkText, DEEPEST, LONGEST_NUMBER, malformed, MOST_VALUES, notJson, outOfRange, tooDeep, tooManyValues } from './json-limits.ts';

/** Called with the parts of a JSON text in order. */
export interface JsonVisitor {
  /** If false, string values are not decoded, and the visitor gets empty strings. */
  readonly wantsTexts: boolean;
  open(kind: 'object' | 'array'): void;
  close(): void;
  /** `start` and `end`: the byte range of the name, including its quotes. */
  name(name: string, start: number, end: number): void;
  value(value: string | number | boolean | null): void;
}

/** How many bytes of a string with escapes are decoded in one step. The clock is read after each step. */
const PIECE = 64 * 1024;
/** How many bytes of whitespace count as one part. */
const SPACE = 4 * 1024;
/** How many parts of a JSON text are read between two readings of the clock. */
const PARTS = 256;

const [QUOTE, BACKSLASH, COMMA, COLON, SMALL_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const LITERALS = { 0x74: ['true', true], 0x66: ['false', false], 0x6e: ['null', null] } as const;

interface TextSoFar {
  readonly start: number;
  /** The start of the part that is not decoded yet, and whether it contains an escape. */
  from: number;
  isEscaped: boolean;
  readonly parts: string[];
  hadEscape: boolean;
  wide: boolean;
}

/** The token that is expected next. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/**
 * Parses JSON in slices, in time proportional to its length for any content. Its refusals are the same as in `parseJson`, except for repeated
 * names, which the visitor must check. The bytes must be valid UTF-8. Measured in CPU time: one string of 20 MiB takes 60 to 100 ms in
 * slices of 4 ms (joining that string takes 14 to 20 ms); 50,000 names take 90 ms. JSON.parse takes 20 to 40 ms, and 37 ms for 100,000
 * names, without a pause.
 */
export class JsonReader {
  private at = 0;
  private expected: Expected = 'value';
  private values = 0;
  private depth = 0;
  private readonly isObject = new Uint8Array(DEEPEST);
  /** The string that is being read: its start, and its decoded part. */
  private text: TextSoFar | null = null;

  constructor(
    private readonly bytes: Buffer,
    private readonly visitor: JsonVisitor,
    private readonly piece = PIECE,
  ) {}

  /**
   * Continues for about this many milliseconds. Returns true when the whole text was read.
   * Throws the refusal `malformed_body` (invalid) and the errors of the visitor.
   */
  run(millis: number): boolean {
    const until = performance.now() + millis;
    for (let parts = 1; ; parts++) {
      if (this.text) {
        if (!this.readText(until)) return false;
      } else if (this.readPart()) return true;
      if (parts % PARTS === 0 && performance.now() >= until) return false;
    }
  }

  /** True at the end of the whole text. */
  private readPart(): boolean {
    const { bytes } = this;
    let { at } = this;
    for (const end = Math.min(bytes.length, at + SPACE); at < end; at++) {
      const byte = bytes[at] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return this.take(byte, at);
    }
    this.at = at;
    if (at < bytes.length) return false;
    if (this.expected !== 'nothing') throw notJson();
    return true;
  }

  private take(byte: number, at: number): boolean {
    this.at = at + 1;
    switch (this.expected) {
      case 'colon':
        if (byte !== COLON) throw notJson();
        this.expected = 'value';
        return false;
      case 'comma or end':
        if (byte === COMMA) this.expected = this.inObject() ? 'name' : 'value';
        else this.end(byte);
        return false;
      case 'name or end':
      case 'name':
        if (byte === QUOTE) this.beginText(at);
        else if (this.expected === 'name or end') this.end(byte);
        else throw notJson();
        return false;
      case 'value or end':
        if (byte === CLOSE_ARRAY) this.end(byte);
        else this.takeValue(byte, at);
        return false;
      case 'value':
        this.takeValue(byte, at);
        return false;
      case 'nothing':
        throw notJson();
    }
  }

  private takeValue(byte: number, at: number): void {
    if (this.depth > 0 && ++this.values > MOST_VALUES) throw tooManyValues();
    if (byte === QUOTE) this.beginText(at);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.depth === DEEPEST) throw tooDeep();
      const isObject = byte === OPEN_OBJECT;
      this.isObject[this.depth++] = Number(isObject);
      this.expected = isObject ? 'name or end' : 'value or end';
      this.visitor.open(isObject ? 'object' : 'array');
    } else this.given(this.numberOrLiteral(byte, at));
  }

  private end(byte: number): void {
    if (this.depth === 0 || byte !== (this.inObject() ? CLOSE_OBJECT : CLOSE_ARRAY)) throw notJson();
    this.depth--;
    this.visitor.close();
    this.expected = this.depth === 0 ? 'nothing' : 'comma or end';
  }

  private given(value: string | number | boolean | null): void {
    this.visitor.value(value);
    this.expected = this.depth === 0 ? 'nothing' : 'comma or end';
  }

  private inObject(): boolean {
    return this.isObject[this.depth - 1] === 1;
  }

  private numberOrLiteral(byte: number, at: number): number | boolean | null {
    const { bytes } = this;
    const literal = LITERALS[byte as keyof typeof LITERALS] as readonly [string, boolean | null] | undefined;
    if (literal) {
      this.at = at + literal[0].length;
      if (bytes.toString('latin1', at, this.at) !== literal[0]) throw notJson();
      return literal[1];
    }
    let end = at;
    while (isNumberCharacter(bytes[end]) && end - at <= LONGEST_NUMBER) end++;
    if (end - at > LONGEST_NUMBER) throw malformed(`The body has a number of more than ${LONGEST_NUMBER} characters.`);
    this.at = end;
    const number = parsed(bytes.toString('latin1', at, end));
    if (typeof number !== 'number') throw notJson();
    if (!Number.isFinite(number)) throw outOfRange();
    return number;
  }

  private beginText(at: number): void {
    this.text = { start: at, from: at + 1, isEscaped: false, parts: [], hadEscape: false, wide: false };
    this.at = at + 1;
  }

  /** Returns false if the time ends before the string does. */
  private readText(until: number): boolean {
    const { bytes } = this;
    const text = this.text!;
    for (let { at } = this; ;) {
      const stop = Math.min(at + this.piece, bytes.length);
      while (at < stop) {
        const byte = bytes[at] as number;
        if (byte === QUOTE) {
          this.endText(at);
          return true;
        }
        if (byte === BACKSLASH) {
          // A part without escapes is decoded separately, which is fast at any length.
          if (!text.isEscaped && at - text.from > this.piece) this.decode(at);
          text.isEscaped = text.hadEscape = true;
          at += bytes[at + 1] === SMALL_U ? 6 : 2;
        } else {
          if (byte < 0x20) throw notJson();
          if (byte >= 0x80) text.wide = true;
          at++;
        }
      }
      // A character must not be split.
      while (((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
      if (at >= bytes.length) throw notJson();
      if (text.isEscaped) this.decode(at);
      this.at = at;
      if (performance.now() >= until) return false;
    }
  }

  private decode(to: number): void {
    const { bytes, visitor } = this;
    const text = this.text!;
    if (visitor.wantsTexts || this.expected.startsWith('name')) {
      const raw = bytes.toString(text.wide ? 'utf8' : 'latin1', text.from, to);
      const decoded = text.isEscaped ? parsed(`"${raw}"`) : raw;
      if (typeof decoded !== 'string') throw notJson();
      text.parts.push(decoded);
    }
    text.from = to;
    text.isEscaped = false;
  }

  private endText(end: number): void {
    this.decode(end);
    const { start, hadEscape, parts } = this.text!;
    const decoded = parts.length === 1 ? (parts[0] as string) : parts.join('');
    // Without escapes, valid UTF-8 always gives a well-formed string.
    if (hadEscape) checkText(decoded);
    this.text = null;
    this.at = end + 1;
    if (this.expected.startsWith('name')) {
      this.expected = 'colon';
      this.visitor.name(decoded, start, end + 1);
    } else this.given(decoded);
  }
}

/** Digits, signs, the decimal point, and the start of an exponent. */
const isNumberCharacter = (byte = 0): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b;

/** Parses a single string or number with JSON.parse; undefined if it is invalid. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
