import { readSync } from 'node:fs';

/** The offsets of the page size and the salts in a log's header. */
const HEADER = { bytes: 32, pageSize: 8, salts: 16 };
/** The offset of the salts in a frame's header, which is followed by a page. */
const FRAME = { bytes: 24, salts: 8 };
const SALTS = 8;
const read = { header: Buffer.alloc(HEADER.bytes), salts: Buffer.alloc(SALTS) };

/**
 * Whether the write-ahead log has at least this many frames. The size of the log does not show this, because SQLite reuses the log from its beginning:
 * the header then gets new salts, and frames with other salts are old (https://www.sqlite.org/fileformat2.html#walformat).
 */
export function hasFrames(log: number, count: number): boolean {
  const { header, salts } = read;
  if (readSync(log, header, 0, HEADER.bytes, 0) < HEADER.bytes) return false;
  const frame = FRAME.bytes + header.readUInt32BE(HEADER.pageSize);
  if (readSync(log, salts, 0, SALTS, HEADER.bytes + (count - 1) * frame + FRAME.salts) < SALTS) return false;
  return salts.equals(header.subarray(HEADER.salts, HEADER.salts + SALTS));
}
