/** The types of images that all providers with vision accept. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export interface ImageKind {
  readonly mediaType: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Segments of a JPEG that are read. Real files have the size within a few dozen. */
const MOST_SEGMENTS = 10_000;

/** The type and the size of an image, from its first bytes. Null for anything else, and for an image that ends before its size. */
export function imageKind(bytes: Buffer): ImageKind | null {
  const size = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  return size;
}

function png(bytes: Buffer): ImageKind | null {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return null;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): ImageKind | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  return { mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webp(bytes: Buffer): ImageKind | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const mediaType = 'image/webp';
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return bytes[20] === 0x2f ? { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null;
    }
    case 'VP8 ':
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : null;
    default:
      return null;
  }
}

/** The size is in the first frame header, after segments of any length. */
function jpeg(bytes: Buffer): ImageKind | null {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return null;
  for (let at = 2, segment = 0; at + 9 <= bytes.length && segment < MOST_SEGMENTS; segment++) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isFrame(marker)) return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

/** SOF0 to SOF15, without the markers of tables in this range. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
