export interface BatchLimits {
  readonly texts: number;
  readonly bytes: number;
}

/** Splits texts into batches in order. A batch has at least one text, even if that text exceeds the limit. */
export function* batchesOf(texts: readonly string[], limits: () => BatchLimits): Generator<{ from: number; texts: string[] }> {
  let batch: string[] = [];
  let from = 0;
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    const size = Buffer.byteLength(text);
    const most = limits();
    if (batch.length > 0 && (batch.length >= most.texts || bytes + size > most.bytes)) {
      yield { from, texts: batch };
      batch = [];
      from = index;
      bytes = 0;
    }
    batch.push(text);
    bytes += size;
  }
  if (batch.length > 0) yield { from, texts: batch };
}

/**
 * UTF-8 bytes per token, for limits and estimates without the model's own tokenizer. English has about four. Scripts with three bytes per
 * character have about three or fewer.
 */
const BYTES_PER_TOKEN = 3;

export function estimatedTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
}

/** The beginning of a text that is estimated to fit into a context window, cut between characters. */
export function cutToTokens(text: string, tokens: number): string {
  const most = tokens * BYTES_PER_TOKEN;
  // A UTF-16 unit has at most three bytes of UTF-8.
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text.slice(0, most));
  let end = Math.min(most, bytes.length);
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
