/** A page of a PDF, drawn for a model that reads it. */
export interface DrawnPage {
  readonly number: number;
  /** A JPEG. */
  readonly image: Uint8Array;
  /** The text that the PDF itself has for the page; empty for a scanned page. */
  readonly text: string;
}

/** The text of each page, as Markdown. */
export type ReadPages = (pages: readonly DrawnPage[]) => Promise<readonly string[]>;
