import { type Knowledge, withMarkersOf } from '@parlance/chat-models';

/** The beginning of a marker such as ` [^12]` at the end of a text, which may be completed by what follows. */
const BEGUN_MARKER = /[^\S\n]?(?:\[(?:\^\d{0,4})?)?$/;
const LONGEST_BEGUN = 7;

/**
 * Removes the markers that refer to no source from a text that comes in parts. A text that was written without knowledge is left as it
 * is. What may be the beginning of a marker is held back until the next part, so that readers never see a marker that is removed.
 */
export class CitedText {
  private readonly ranks: ReadonlySet<number> | null;
  private held = '';

  constructor(knowledge: Knowledge | null) {
    this.ranks = knowledge && new Set(knowledge.showsSources ? knowledge.chunks.map(({ rank }) => rank) : []);
  }

  /** What can be shown with this part. */
  add(part: string): string {
    if (this.ranks === null) return part;
    const text = this.held + part;
    const tail = Math.max(0, text.length - LONGEST_BEGUN);
    const end = tail + BEGUN_MARKER.exec(text.slice(tail))!.index;
    this.held = text.slice(end);
    return withMarkersOf(text.slice(0, end), this.ranks);
  }

  /** What was held back, when no other part follows. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }
}
