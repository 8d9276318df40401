import { readSync } from 'node:fs';

/** Where a log's header has its page size and its salts. */
const HEADER = { bytes: 32, pageSize: 8, salts: 16 };
/** Where a frame has its salts. A page follows it. */
const FRAME = { bytes: 24, salts: 8 };
const SALTS = 8;
const read = { header: Buffer.alloc(HEADER.bytes), salts: Buffer.alloc(SALTS) };

/**
 * Whether the write-ahead log has at least this many frames. Its size doesn't show this, because the log is reused from its beginning: then
 * its header has new salts, and frames with others are left from before (https://www.sqlite.org/fileformat2.html#walformat).
 */
export function hasFrames(log: number, count: number): boolean {
  const { header, salts } = read;
  if (readSync(log, header, 0, HEADER.bytes, 0) < HEADER.bytes) return false;
  const frame = FRAME.bytes + header.readUInt32BE(HEADER.pageSize);
  if (readSync(log, salts, 0, SALTS, HEADER.bytes + (count - 1) * frame + FRAME.salts) < SALTS) return false;
  return salts.equals(header.subarray(HEADER.salts, HEADER.salts + SALTS));
}
