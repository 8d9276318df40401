export type RefusalCode =
  /** The type of the content is not supported. */
  | 'type_unknown'
  | 'encrypted'
  /** No text was found, for example in a scanned PDF. */
  | 'no_text'
  | 'damaged'
  | 'too_large'
  | 'too_deep'
  /** The content must be an attack: XML entities, or an archive that inflates endlessly. */
  | 'unsafe'
  | 'memory_exceeded'
  | 'timeout'
  /** The process ended while it read this file. */
  | 'crashed'
  | 'chunking_invalid';

/** Thrown if a document cannot be read. Retrying the same file fails again. The message tells the bot's owner what to do. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
  readonly code: RefusalCode;
  /** The pages of a PDF without text. */
  readonly pages: number | undefined;

  constructor(code: RefusalCode, message: string, pages?: number) {
    super(message);
    this.code = code;
    this.pages = pages;
  }
}
