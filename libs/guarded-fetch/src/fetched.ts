import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { FetchRefused } from './fetch-refused.ts';

/** An answer. Read `body` to its end, destroy it, or call `dump` or `text`. Otherwise it keeps its connection until the time limit. */
export class Fetched {
  constructor(
    /** The address of the answer, after redirects. */
    readonly url: string,
    readonly status: number,
    /** Names are in lower case. Repeated headers are joined with a comma. */
    readonly headers: Readonly<Record<string, string>>,
    /** Errors with FetchRefused `too_large`, `timeout`, `response_invalid` or `unreachable`, or with the reason of the caller's signal. */
    readonly body: Readable,
  ) {}

  /** Discards the rest of the answer. */
  dump(): void {
    this.body.destroy();
  }

  /** Decodes with the charset of the content type. Rejects with FetchRefused `too_large` if there are more bytes, and as `body` does. */
  async text(maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of this.body as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > maxBytes) throw new FetchRefused('too_large');
      chunks.push(chunk);
    }
    return decoderOf(this.headers['content-type']).decode(Buffer.concat(chunks));
  }
}

/** A decoder for the charset of a content type. UTF-8 if the charset is missing or unknown. */
export function decoderOf(contentType = ''): TextDecoder {
  const [, charset = 'utf-8'] = /;\s*charset="?([a-z0-9_:.-]{1,40})/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
