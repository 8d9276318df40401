interface Opened {
  readonly plain: string;
  readonly bytes: number;
  /** The texts of the same key. */
  readonly ofKey: Set<string>;
}

/** A longer text is opened again. */
const MOST_BYTES_OF_TEXT = 64 * 1024;
/** A string may have two bytes for each character. */
const bytesOf = (text: string): number => 2 * text.length;

/** Opened texts by their sealed form, in limited memory. The least recently used are dropped first. */
export class OpenedTexts {
  private readonly texts = new Map<string, Opened>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get(sealed: string): string | undefined {
    const opened = this.texts.get(sealed);
    if (!opened) return undefined;
    this.texts.delete(sealed);
    this.texts.set(sealed, opened);
    return opened.plain;
  }

  /** `ofKey`: the sealed texts of the same key that are here. The text is added to them, and removed when it is dropped. */
  add(sealed: string, plain: string, ofKey: Set<string>): void {
    const bytes = bytesOf(sealed) + bytesOf(plain);
    if (bytes > MOST_BYTES_OF_TEXT || this.texts.has(sealed)) return;
    this.texts.set(sealed, { plain, bytes, ofKey });
    ofKey.add(sealed);
    this.bytes += bytes;
    for (const [oldest] of this.texts) {
      if (this.bytes <= this.mostBytes) break;
      this.drop(oldest);
    }
  }

  dropAll(ofKey: Set<string>): void {
    for (const sealed of ofKey) this.drop(sealed);
  }

  private drop(sealed: string): void {
    const opened = this.texts.get(sealed);
    if (!opened) return;
    this.texts.delete(sealed);
    opened.ofKey.delete(sealed);
    this.bytes -= opened.bytes;
  }
}
