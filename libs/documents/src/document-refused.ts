export type RefusalCode =
  /** The content is of no type that can be read. */
  | 'type_unknown'
  | 'encrypted'
  /** No text was found, such as in a scanned PDF. */
  | 'no_text'
  | 'damaged'
  | 'too_large'
  | 'too_deep'
  /** The content can only be an attack: entities in XML, an archive that inflates without end. */
  | 'unsafe'
  | 'memory_exceeded'
  | 'timeout'
  /** The process ended while it read this file. */
  | 'crashed'
  | 'chunking_invalid';

/** Thrown when a document can't be read. Another try with the same file ends alike. The message tells the bot's owner what to do. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
  readonly code: RefusalCode;
  /** Of a PDF without text. */
  readonly pages: number | undefined;

  constructor(code: RefusalCode, message: string, pages?: number) {
    super(message);
    this.code = code;
    this.pages = pages;
  }
}
