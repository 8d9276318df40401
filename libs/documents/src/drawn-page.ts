/** A page of a PDF, drawn for a model to read. */
export interface DrawnPage {
  readonly number: number;
  /** A JPEG. */
  readonly image: Uint8Array;
  /** The text that the PDF itself contains for the page. Empty for a scanned page. */
  readonly text: string;
}

/** Returns the text of each page, as Markdown. */
export type ReadPages = (pages: readonly DrawnPage[]) => Promise<readonly string[]>;
