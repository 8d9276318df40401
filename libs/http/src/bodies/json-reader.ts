import { checkText, DEEPEST, LONGEST_NUMBER, malformed, MOST_VALUES, notJson, outOfRange, tooDeep, tooManyValues } from './json-limits.ts';

/** Called with the parts of a JSON text, in their order. */
export interface JsonVisitor {
  /** False: texts among the values are passed over, and come as empty ones. */
  readonly wantsTexts: boolean;
  open(kind: 'object' | 'array'): void;
  close(): void;
  /** `start` and `end`: where the name stands among the bytes, with its quotes. */
  name(name: string, start: number, end: number): void;
  value(value: string | number | boolean | null): void;
}

/** Bytes of a text with escapes that are decoded at once. The clock is looked at after so many of each text. */
const PIECE = 64 * 1024;
/** Bytes of space that count as one part. */
const SPACE = 4 * 1024;
/** Parts of a JSON text between two looks at the clock. */
const PARTS = 256;

const [QUOTE, BACKSLASH, COMMA, COLON, SMALL_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const LITERALS = { 0x74: ['true', true], 0x66: ['false', false], 0x6e: ['null', null] } as const;

interface TextSoFar {
  readonly start: number;
  /** Where what is not decoded yet begins, and whether there is an escape in it. */
  from: number;
  isEscaped: boolean;
  readonly parts: string[];
  hadEscape: boolean;
  wide: boolean;
}

/** What may come next. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/**
 * Reads JSON in slices, in time proportional to its length, whatever it holds. It refuses what `parseJson` refuses, but for
 * names that are given twice, which are left to the visitor. The bytes are known to be UTF-8. Measured in CPU time: 20 MiB in one text 60 to 100 ms,
 * in slices of 4 ms (the joining of that text: 14 to 20 ms); 50,000 names 90 ms. JSON.parse: 20 to 40 ms, and 37 ms for 100,000 names, in one piece.
 */
export class JsonReader {
  private at = 0;
  private expected: Expected = 'value';
  private values = 0;
  private depth = 0;
  private readonly isObject = new Uint8Array(DEEPEST);
  /** A text that is being read: where it began, and what of it has been decoded. */
  private text: TextSoFar | null = null;

  constructor(
    private readonly bytes: Buffer,
    private readonly visitor: JsonVisitor,
    private readonly piece = PIECE,
  ) {}

  /**
   * Reads on for about so many milliseconds. True when the whole text was read.
   * Throws the refusal `malformed_body` (invalid), and what the visitor throws.
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
    while (isOfNumber(bytes[end]) && end - at <= LONGEST_NUMBER) end++;
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

  /** False when the time is over before the text has ended. */
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
          // What has no escape is decoded by itself, which is cheap however long it is.
          if (!text.isEscaped && at - text.from > this.piece) this.decode(at);
          text.isEscaped = text.hadEscape = true;
          at += bytes[at + 1] === SMALL_U ? 6 : 2;
        } else {
          if (byte < 0x20) throw notJson();
          if (byte >= 0x80) text.wide = true;
          at++;
        }
      }
      // Not in the middle of a character.
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
    // Without an escape it is as well formed as its bytes are.
    if (hadEscape) checkText(decoded);
    this.text = null;
    this.at = end + 1;
    if (this.expected.startsWith('name')) {
      this.expected = 'colon';
      this.visitor.name(decoded, start, end + 1);
    } else this.given(decoded);
  }
}

/** Digits, signs, a point, and what begins an exponent. */
const isOfNumber = (byte = 0): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b;

/** A single text or number as JSON.parse has it; undefined when it is none. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
