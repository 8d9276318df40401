import { describe, expect, it } from '@jest/globals';
import { imageKind } from './image-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const size = (mediaType: string) => ({ mediaType, width: 300, height: 200 });

/** The beginnings of images of 300 × 200 pixels, up to their size. */
const IMAGES: Readonly<Record<string, readonly [string, Buffer]>> = {
  png: ['image/png', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x2c\0\0\0\xc8')],
  'gif of 1987': ['image/gif', bytes('GIF87a\x2c\x01\xc8\0')],
  gif: ['image/gif', bytes('GIF89a\x2c\x01\xc8\0')],
  jpeg: ['image/jpeg', bytes('\xff\xd8\xff\xe0\0\x04JF\xff\xc0\0\x11\x08\0\xc8\x01\x2c\x03')],
  'jpeg with tables and fill bytes first': [
    'image/jpeg',
    bytes('\xff\xd8\xff\xc4\0\x05abc\xff\xff\xff\xd0\xff\xc2\0\x11\x08\0\xc8\x01\x2c\x03'),
  ],
  'webp with loss': ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0')],
  'webp without loss': ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x2b\xc1\x31\0\0\0\0\0\0')],
  'webp with more': ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0')],
};

describe('an image', () => {
  it.each(Object.entries(IMAGES))('has its type and its size: %s', (_, [mediaType, image]) => {
    expect(imageKind(image)).toEqual(size(mediaType));
  });
  it.each(Object.entries(IMAGES))('is not recognized when it ends too early: %s', (_, [, image]) => {
    for (let length = 0; length < image.length - 1; length++) expect(imageKind(image.subarray(0, length))).toBeNull();
  });
  it.each(['', 'BM\0\0', '<svg/>', 'RIFF\0\0\0\0WAVEfmt                 ', '\xff\xd8\xff\xda\0\x02\0\0\0\0\0\0'])(
    'is not recognized in other data: %j',
    (other) => expect(imageKind(bytes(other))).toBeNull(),
  );
  it('is scanned up to a limit', () => {
    const endless = Buffer.alloc(1_000_000, 0xff);
    endless[1] = 0xd8;
    expect(imageKind(endless)).toBeNull();
  });
});
