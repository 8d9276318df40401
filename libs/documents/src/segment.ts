import { DocumentRefused } from './document-refused.ts';
import { MAX_HEADING, MAX_TEXT } from './limits.ts';

/** A part of a document between two borders of the format: a paragraph, a heading, a row. */
export interface Segment {
  readonly text: string;
  /** `prose` is split at sentences. `heading` stays with the content that follows it. `row` stays whole if it fits into a chunk. */
  readonly kind: 'prose' | 'heading' | 'row';
  readonly page: number | null;
  readonly heading: string | null;
  /** True if only a line break separates it from the previous segment. */
  readonly isTight?: boolean;
}

export interface Parsed {
  readonly title: string | null;
  readonly segments: Iterable<Segment>;
  /** Pages of a PDF. */
  readonly pages?: number;
}

export function oneLine(text: string): string {
  return text
    .slice(0, MAX_HEADING * 8)
    .replace(/\s+/g, ' ')
    .trim();
}

/** A heading or title on one line, without half a character at its end. */
export function headingOf(text: string): string | null {
  const line = oneLine(text)
    .slice(0, MAX_HEADING)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trim();
  return line === '' ? null : line;
}

export const textTooLarge = () =>
  new DocumentRefused(
    'too_large',
    `The text of this file is longer than ${MAX_TEXT.toLocaleString('en')} characters. Split it into several files.`,
  );

/** Collects segments and refuses the document once its text is too long. */
export class Segments {
  readonly all: Segment[] = [];
  private length = 0;
  private heading: string | null = null;
  page: number | null = null;

  /** Starts a section. The text is part of the document unless `isShown` is false. */
  open(text: string, isShown = true): void {
    const heading = headingOf(text);
    if (heading === null) return;
    this.heading = heading;
    if (isShown) this.add(text.trim(), 'heading');
  }

  /** Adds segments that were parsed from another text, on the current page. */
  addAll(segments: Iterable<Segment>): void {
    for (const { text, kind, heading, isTight } of segments) {
      this.heading = heading;
      this.add(text, kind, isTight);
    }
  }

  add(text: string, kind: Segment['kind'], isTight = false): void {
    if (text.trim() === '') return;
    this.length += text.length;
    if (this.length > MAX_TEXT) throw textTooLarge();
    this.all.push({ text, kind, page: this.page, heading: this.heading, isTight });
  }
}
