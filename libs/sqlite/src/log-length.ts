import { readSync } from 'node:fs';

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;
const salts = { header: Buffer.alloc(8), frame: Buffer.alloc(8) };

/**
 * Whether the write-ahead log has at least this many frames. Its size doesn't tell, because the log is used from its beginning again: then
 * its header has new salts, and frames with others are left from before (https://www.sqlite.org/fileformat2.html#walformat).
 */
export function hasFrames(log: number, count: number): boolean {
  const { header, frame } = salts;
  const read = readSync(log, header, 0, 8, 16) + readSync(log, frame, 0, 8, HEADER_BYTES + (count - 1) * FRAME_BYTES + 8);
  return read === 16 && header.equals(frame);
}
