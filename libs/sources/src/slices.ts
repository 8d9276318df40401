import { setImmediate as turn } from 'node:timers/promises';

/** Bytes that are scanned at once. A link costs up to 35 µs, so a slice takes about 5 ms at most. */
const SLICE_BYTES = 8 * 1024;

/** The chunk in slices. Other work can run between two slices. */
export async function* slices(chunk: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
    if (at > 0) await turn();
    yield chunk.subarray(at, at + SLICE_BYTES);
  }
}
