import { constants, createInflate, inflateSync } from 'node:zlib';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_ENTRY_BYTES, MAX_INFLATED_BYTES, MAX_RATIO, RATIO_FROM_BYTES } from '../limits.ts';

const tooLarge = () =>
  new DocumentRefused(
    'too_large',
    'This PDF unpacks to more data than is allowed. Split it into several files, or save it in a simpler form.',
  );
const unsafe = () =>
  new DocumentRefused(
    'unsafe',
    'This PDF unpacks to far more data than its size suggests. Save it again in its program and upload the new file.',
  );

const STREAM = 'stream';
const END = 'endstream';
/** How many bytes before a stream are searched for its dictionary. */
const DICTIONARY_BYTES = 2_048;
/** Images, fonts and attached files are not read for text. White pages compress better than any text. */
const NOT_READ = /\/Subtype\s*\/Image\b|\/Length1\b|\/EmbeddedFile\b/;
/** A stream may be compressed more than once. */
const MOST_LAYERS = 4;

/** A stream up to this length is inflated at once. Longer streams are counted in pieces, so that they use no memory. */
const AT_ONCE_BYTES = 1024 * 1024;
const PIECE_BYTES = 65_536;

/**
 * The inflated size of a PDF's compressed streams, without images, fonts and attached files. Each stream is inflated here, in native code, so
 * that a PDF that inflates endlessly is refused before it is parsed. Streams with other filters count with their own size. Rejects with
 * `DocumentRefused`.
 */
export async function inflatedBytesOf(pdf: Buffer): Promise<number> {
  let bytes = 0;
  // Nested streams share one end, which is searched for once.
  let end = 0;
  for (let at = pdf.indexOf(STREAM); at >= 0; at = pdf.indexOf(STREAM, at + STREAM.length)) {
    if (pdf.subarray(at - 3, at).toString('latin1') === 'end') continue;
    const start = dataAfter(pdf, at + STREAM.length);
    if (!isZlib(pdf, start) || NOT_READ.test(dictionaryBefore(pdf, at))) continue;
    if (end < start) end = endAfter(pdf, start);
    bytes += await layersOf(pdf.subarray(start, end), MAX_INFLATED_BYTES - bytes);
  }
  return bytes;
}

function endAfter(pdf: Buffer, start: number): number {
  const end = pdf.indexOf(END, start);
  return end < 0 ? pdf.length : end;
}

async function layersOf(data: Buffer, room: number): Promise<number> {
  let bytes = 0;
  let layer: Buffer = data;
  for (let depth = 0; depth < MOST_LAYERS && isZlib(layer, 0); depth++) {
    const most = inflationLimitOf(layer, room - bytes);
    const whole = inflated(layer, Math.min(AT_ONCE_BYTES, most.bytes));
    if (whole === null && most.bytes <= AT_ONCE_BYTES) throw most.refusal();
    if (whole === null) return bytes + (await countedBytes(layer, most));
    bytes += whole.length;
    layer = whole;
  }
  return bytes;
}

interface InflationLimit {
  readonly bytes: number;
  readonly refusal: () => DocumentRefused;
}

function inflationLimitOf(data: Buffer, room: number): InflationLimit {
  const byRatio = Math.max(RATIO_FROM_BYTES, data.length * MAX_RATIO);
  const bytes = Math.max(1, Math.min(byRatio, MAX_ENTRY_BYTES, room));
  return { bytes, refusal: bytes === byRatio ? unsafe : tooLarge };
}

/** Inflates data that may be damaged at its end. Null if the result is longer than `most`. */
function inflated(data: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : Buffer.alloc(0);
  }
}

/** The bytes of a long stream. A long stream that is compressed again is refused: no regular program writes one. */
async function countedBytes(data: Buffer, { bytes, refusal }: InflationLimit): Promise<number> {
  let count = 0;
  const stream = createInflate({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  stream.end(data);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (count === 0 && isZlib(piece, 0)) throw unsafe();
      count += piece.length;
      if (count > bytes) throw refusal();
    }
  } catch (error) {
    if (error instanceof DocumentRefused) throw error;
  }
  return count;
}

function dataAfter(pdf: Buffer, at: number): number {
  const isCarriage = pdf[at] === 0x0d;
  return at + (isCarriage ? 1 : 0) + (pdf[at + (isCarriage ? 1 : 0)] === 0x0a ? 1 : 0);
}

const isZlib = (data: Buffer, at: number): boolean =>
  at + 2 < data.length && (data[at]! & 0x0f) === 8 && data[at]! <= 0x78 && data.readUInt16BE(at) % 31 === 0;

function dictionaryBefore(pdf: Buffer, at: number): string {
  const before = pdf.subarray(Math.max(0, at - DICTIONARY_BYTES), at).toString('latin1');
  return before.slice(before.lastIndexOf(' obj') + 1);
}
