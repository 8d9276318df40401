import type { FoundDocument } from '../source/related-documents.ts';

/** Thrown for a record that cannot be imported. `reason` is a code. */
export class LeftOut extends Error {
  constructor(
    readonly reason: string,
    readonly detail = '',
  ) {
    super(reason);
  }
}

/** A part of a record that is not imported, or is changed. */
export interface Note {
  readonly reason: string;
  readonly detail: string;
  /** The exported item that contains the part, if that is not the record itself. */
  readonly document?: FoundDocument;
}
