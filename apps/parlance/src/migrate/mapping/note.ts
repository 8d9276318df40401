import type { FoundDocument } from '../source/related-documents.ts';

/** A record that cannot be taken, with a word for the reason. */
export class LeftOut extends Error {
  constructor(
    readonly reason: string,
    readonly detail = '',
  ) {
    super(reason);
  }
}

/** A part of a record that is not taken, or is taken with a change. */
export interface Note {
  readonly reason: string;
  readonly detail: string;
  /** The item of the export that has the part, where it is not the record itself. */
  readonly document?: FoundDocument;
}
