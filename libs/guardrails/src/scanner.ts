import { runEnd } from './characters.ts';
import { type Detector, LOOKED_BACK, NONE, type Span, UNDECIDED } from './detector.ts';

/** A span, and the number of the detector that found it. */
export interface Found extends Span {
  readonly by: number;
}

/** Code units of the spans into which the rest of a value is divided that was cut. */
const BLOCK = 256;
/** While fewer code units than this are undecided, they are tried again with each part, and with each part that has white space. */
const SOON = 64;
const SOON_WITH_SPACE = 512;

interface Cursor {
  readonly detector: Detector;
  readonly by: number;
  /** Everything before this offset is decided. */
  at: number;
  /** Whether a value was cut at this offset and may continue. */
  isCut: boolean;
  /** The length of the text from which on an undecided value is tried again in any case. */
  retryFrom: number;
}

/**
 * Finds the values of several detectors in a text that arrives in parts. The spans are the same however the text is divided, and come in the
 * order of their beginnings. Offsets count from the beginning of the first part.
 */
export class Scanner {
  private readonly cursors: readonly Cursor[];
  private text = '';
  /** The offset of the beginning of `text`. */
  private base = 0;
  private found: Found[] = [];

  constructor(detectors: readonly Detector[]) {
    this.cursors = detectors.map((detector, by) => ({ detector, by, at: 0, isCut: false, retryFrom: 0 }));
  }

  /** The offset before which all spans that begin there are known. */
  get decided(): number {
    return this.cursors.reduce((least, { at }) => Math.min(least, at), this.base + this.text.length);
  }

  /** Returns the spans that begin before `decided`, which this part has moved. */
  add(part: string, isEnd = false): readonly Found[] {
    this.text += part;
    const length = this.base + this.text.length;
    const isSpaced = /\s/.test(part);
    for (const cursor of this.cursors) {
      // Without this, a long value that arrives in short parts would be read again with each of them.
      const undecided = length - cursor.at;
      if (isEnd || length >= cursor.retryFrom || undecided < (isSpaced ? SOON_WITH_SPACE : SOON)) this.advance(cursor, isEnd);
    }
    const { decided } = this;
    const known = this.found.filter(({ start }) => start < decided).sort(inOrder);
    if (known.length > 0) this.found = this.found.filter(({ start }) => start >= decided);
    this.forget(decided);
    return known;
  }

  private advance(cursor: Cursor, isEnd: boolean): void {
    const { text, base } = this;
    const { detector, by } = cursor;
    let at = cursor.at - base;
    while (at < text.length) {
      if (cursor.isCut) {
        const end = runEnd(text, at, detector.continues!, BLOCK);
        if (end === text.length && end - at < BLOCK && !isEnd) break;
        cursor.isCut = end - at === BLOCK;
        if (end > at) this.found.push({ kind: detector.kind, start: base + at, end: base + end, by });
        at = end;
        continue;
      }
      at = detector.next(text, at);
      if (at >= text.length) break;
      const end = detector.match(text, at, isEnd);
      if (end === UNDECIDED) break;
      if (end === NONE) at += 1;
      else {
        this.found.push({ kind: detector.kind, start: base + at, end: base + end, by });
        cursor.isCut = end - at >= detector.reach - 1 && detector.continues !== undefined;
        at = end;
      }
    }
    cursor.at = base + at;
    const undecided = text.length - at;
    cursor.retryFrom = cursor.at + Math.min(2 * undecided, Math.max(detector.reach, undecided + 1));
  }

  private forget(decided: number): void {
    const before = decided - this.base - LOOKED_BACK;
    if (before <= 0) return;
    this.text = this.text.slice(before);
    this.base += before;
  }
}

const inOrder = (one: Found, other: Found): number => one.start - other.start || other.end - one.end || one.by - other.by;
