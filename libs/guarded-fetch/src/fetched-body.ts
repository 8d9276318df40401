import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { FetchRefused, refusalFor } from './fetch-refused.ts';

/** The answer's bytes, decompressed. Both the received and the decompressed bytes are bounded. */
export function fetchedBody(wire: Readable, encoding: string, maxBytes: number, ends: AbortSignal): Readable {
  // An error may arrive before the caller listens. The caller then gets it from the first read.
  wire.on('error', () => {});
  const body = Readable.from(bounded(wire, encoding.trim().toLowerCase(), maxBytes, ends), { objectMode: false });
  body.on('error', () => {});
  endTogether(body, wire, ends);
  return body;
}

/** Closes the connection as soon as the body is destroyed, because the generator can only be ended between two chunks. */
function endTogether(body: Readable, wire: Readable, ends: AbortSignal): void {
  const stop = () => body.destroy(ends.reason);
  if (ends.aborted) stop();
  ends.addEventListener('abort', stop, { once: true });
  const destroy = body.destroy.bind(body);
  body.destroy = (error) => {
    wire.destroy();
    return destroy(error);
  };
  body.once('close', () => ends.removeEventListener('abort', stop));
}

async function* bounded(wire: Readable, encoding: string, maxBytes: number, ends: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* decompressed(limited(wire, maxBytes), encoding, maxBytes);
    // A decoder may mistake a cut connection for the end of its data.
    if (ends.aborted) throw ends.reason;
  } catch (error) {
    throw refusalFor(error, ends);
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxBytes) throw new FetchRefused('too_large');
    yield chunk;
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer>, encoding: string, maxBytes: number): AsyncGenerator<Buffer> {
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const decoder = decoderFor(encoding, first);
  const all = rejoined(first, chunks);
  if (decoder === null) {
    yield* all;
    return;
  }
  const source = Readable.from(all, { objectMode: false });
  source.once('error', (error) => decoder.destroy(error));
  try {
    yield* limited(source.pipe(decoder), maxBytes);
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

async function* rejoined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Only one coding is accepted, because nested codings turn a small bomb into a large one. */
function decoderFor(encoding: string, first: Buffer) {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Servers send both forms: with the zlib header, as the standard requires, and without it.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new FetchRefused('encoding_unsupported');
  }
}
