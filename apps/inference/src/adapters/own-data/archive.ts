import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { dataDescriptor, directoryRecord, dosTime, endOfDirectory, LARGEST, localHeader, type ZipEntry } from './zip-records.ts';

/** A file of an archive. Its parts are read after the previous files are written. */
export interface ArchiveEntry {
  readonly path: string;
  /** False for files that are usually compressed already. */
  readonly compress: boolean;
  readonly parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** Entries of at most this size are compressed at once, which is cheaper than a stream. */
const SMALL_BYTES = 256 * 1024;
/** Compressing this much takes less than a millisecond, less than handing it to another thread. */
const TINY_BYTES = 16 * 1024;
/** The smallest output buffer for zlib. Its default is 16 KiB for an entry of any size. */
const LEAST_CHUNK = 512;
/** An archive is aborted if nothing is read from it for this long. */
const STALL_MILLIS = 300_000;

/** zlib initializes its tables first. With these options they have about 100 KiB instead of 260. */
const SMALL_WINDOW = { windowBits: 14, memLevel: 6 };

const deflate = promisify(deflateRaw);

/**
 * Writes a ZIP on demand: nothing is produced before it is read, and at most one entry is in memory, in parts. An error in an entry ends the
 * stream before the directory of the archive, so that no program accepts it as complete. Not `yazl`, because it writes the directory in one step,
 * which takes too long for many entries.
 */
export function archiveOf(entries: AsyncIterable<ArchiveEntry>, modified: Date, stallMillis = STALL_MILLIS): Readable {
  async function* watched() {
    for await (const chunk of zipOf(entries, dosTime(modified))) {
      stalled.refresh();
      yield chunk;
    }
  }
  const archive = Readable.from(watched(), { objectMode: false });
  const stalled = setTimeout(() => archive.destroy(new Error('the archive was not read in time')), stallMillis).unref();
  return archive.once('close', () => clearTimeout(stalled));
}

async function* zipOf(entries: AsyncIterable<ArchiveEntry>, time: number): AsyncGenerator<Uint8Array> {
  const written: ZipEntry[] = [];
  let offset = 0;
  for await (const { path: text, compress, parts } of entries) {
    const path = Buffer.from(text);
    const counted = new Counted(parts);
    const begin = offset;
    const header = localHeader(path, compress, time);
    offset += header.length;
    yield header;
    let packed = 0;
    for await (const chunk of compress ? deflated(counted.bytes()) : counted.bytes()) {
      packed += chunk.length;
      yield chunk;
    }
    const { crc, size } = counted;
    if (size >= LARGEST || packed >= LARGEST) throw new Error(`${text} is too large for an archive`);
    const descriptor = dataDescriptor({ crc, packed, size });
    offset += packed + descriptor.length;
    yield descriptor;
    written.push({ path, isDeflated: compress, crc, packed, size, offset: begin });
  }
  let size = 0;
  for (const entry of written) {
    if (isTurnOver()) await nextTurn();
    const record = directoryRecord(entry, time);
    size += record.length;
    yield record;
  }
  yield endOfDirectory(written.length, offset, size);
}

/** Counts the bytes of an entry, and computes their checksum. */
class Counted {
  size = 0;
  crc = 0;

  constructor(private readonly parts: ArchiveEntry['parts']) {}

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const part of this.parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      this.size += bytes.length;
      this.crc = crc32(bytes, this.crc);
      if (bytes.length > 0) yield bytes;
    }
  }
}

async function* deflated(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const begin: Uint8Array[] = [];
  let size = 0;
  let next = await bytes.next();
  for (; !next.done && size <= SMALL_BYTES; next = await bytes.next()) {
    begin.push(next.value);
    size += next.value.length;
  }
  if (next.done) {
    const whole = Buffer.concat(begin);
    const options = { chunkSize: Math.max(LEAST_CHUNK, Math.ceil(size / 2)) };
    return yield size <= TINY_BYTES ? deflateRawSync(whole, { ...options, ...SMALL_WINDOW }) : await deflate(whole, options);
  }
  const first = next.value;
  async function* all() {
    yield* begin;
    yield first;
    yield* bytes;
  }
  // Errors of the pipeline, and of the bytes, are thrown by the loop over it.
  yield* pipeline(Readable.from(all(), { objectMode: false }), createDeflateRaw(), () => undefined);
}
