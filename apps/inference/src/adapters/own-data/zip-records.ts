/** An entry in the directory of a ZIP. */
export interface ZipEntry {
  readonly path: Buffer;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** The offset of its local header. */
  readonly offset: number;
}

export const LARGEST = 0xffff_ffff;
const MOST_ENTRIES = 0xffff;

/** Sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808;
const VERSION = 20;
const VERSION_64 = 45;

const methodOf = (isDeflated: boolean) => (isDeflated ? 8 : 0);

/** A time in DOS format, in UTC: the time in the lower half, the date in the upper half. */
export function dosTime(date: Date): number {
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x1_0000 + time;
}

export function localHeader(path: Buffer, isDeflated: boolean, time: number): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(methodOf(isDeflated), 8);
  header.writeUInt32LE(time, 10);
  header.writeUInt16LE(path.length, 26);
  return Buffer.concat([header, path]);
}

export function dataDescriptor({ crc, packed, size }: Pick<ZipEntry, 'crc' | 'packed' | 'size'>): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x0807_4b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

export function directoryRecord({ path, isDeflated, crc, packed, size, offset }: ZipEntry, time: number): Buffer {
  const isFar = offset >= LARGEST;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE(isFar ? VERSION_64 : VERSION, 4);
  record.writeUInt16LE(isFar ? VERSION_64 : VERSION, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(methodOf(isDeflated), 10);
  record.writeUInt32LE(time, 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(packed, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(path.length, 28);
  record.writeUInt16LE(isFar ? 12 : 0, 30);
  record.writeUInt32LE(Math.min(offset, LARGEST), 42);
  if (!isFar) return Buffer.concat([record, path]);
  const far = Buffer.alloc(12);
  far.writeUInt16LE(1, 0);
  far.writeUInt16LE(8, 2);
  far.writeBigUInt64LE(BigInt(offset), 4);
  return Buffer.concat([record, path, far]);
}

/** The end of an archive, with ZIP64 records if the numbers are too large for the normal ones. */
export function endOfDirectory(entries: number, begin: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries, MOST_ENTRIES), 8);
  end.writeUInt16LE(Math.min(entries, MOST_ENTRIES), 10);
  end.writeUInt32LE(Math.min(size, LARGEST), 12);
  end.writeUInt32LE(Math.min(begin, LARGEST), 16);
  if (entries < MOST_ENTRIES && size < LARGEST && begin < LARGEST) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x0606_4b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  end64.writeBigUInt64LE(BigInt(entries), 24);
  end64.writeBigUInt64LE(BigInt(entries), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(begin), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(begin + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
