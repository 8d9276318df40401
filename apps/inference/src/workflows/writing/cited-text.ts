import { type Knowledge, withMarkersOf } from '@parlance/chat-models';

/** An unfinished marker such as ` [^12]` at the end of a text. */
const BEGUN_MARKER = /[^\S\n]?(?:\[(?:\^\d{0,4})?)?$/;
const LONGEST_BEGUN = 7;

/**
 * Removes markers without a source from a text that arrives in parts. A text written without knowledge is left as it is. An unfinished marker is
 * held back until the next part, so that readers never see a marker that is later removed.
 */
export class CitedText {
  private readonly ranks: ReadonlySet<number> | null;
  private heldBack = '';

  constructor(knowledge: Knowledge | null) {
    this.ranks = knowledge && new Set(knowledge.showsSources ? knowledge.chunks.map(({ rank }) => rank) : []);
  }

  /** Returns the text that can be shown after this part. */
  add(part: string): string {
    if (this.ranks === null) return part;
    const text = this.heldBack + part;
    const tail = Math.max(0, text.length - LONGEST_BEGUN);
    const end = tail + BEGUN_MARKER.exec(text.slice(tail))!.index;
    this.heldBack = text.slice(end);
    return withMarkersOf(text.slice(0, end), this.ranks);
  }

  /** Returns the text that was held back. Call it after the last part. */
  end(): string {
    const rest = this.heldBack;
    this.heldBack = '';
    return rest;
  }
}
