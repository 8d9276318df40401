import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Tampered } from './cipher.ts';
import { FileKey, SEGMENT_BYTES, sealedSize } from './sealed-file.ts';

const TAG = 16;

const sealed = (key: FileKey, name: string, bytes: Uint8Array) => Buffer.concat([...key.seal(name, bytes)]);

async function* inPieces(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function opened(key: FileKey, name: string, bytes: Buffer, length = 10_000): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of key.open(name, inPieces(bytes, length))) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a sealed file', () => {
  const key = FileKey.create();
  const segments = randomBytes(2 * SEGMENT_BYTES + 100);
  const box = sealed(key, 'a', segments);
  const [first, second, last] = [0, 1, 2].map((index) => box.subarray(index * (SEGMENT_BYTES + TAG), (index + 1) * (SEGMENT_BYTES + TAG)));

  it.each([0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES])(
    'opens to its original content: %i bytes',
    async (size) => {
      const bytes = randomBytes(size);
      const sealedBytes = sealed(key, 'a', bytes);
      expect(sealedBytes.length).toBe(sealedSize(size));
      for (const length of [1_000, SEGMENT_BYTES + TAG, 1_000_000])
        expect((await opened(key, 'a', sealedBytes, length)).equals(bytes)).toBe(true);
    },
  );
  it.each([0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES])(
    'is the same when its bytes arrive in pieces: %i bytes',
    async (size) => {
      const bytes = randomBytes(size);
      for (const length of [1_000, SEGMENT_BYTES, 1_000_000]) {
        const pieces: Buffer[] = [];
        for await (const piece of key.sealStream('a', inPieces(bytes, length))) pieces.push(piece);
        expect(Buffer.concat(pieces).equals(sealed(key, 'a', bytes))).toBe(true);
      }
    },
  );
  it('opens with a key that was restored from its text', async () => {
    expect((await opened(FileKey.of(key.toSecretText()), 'a', box)).equals(segments)).toBe(true);
  });
  it('does not show its key', () => {
    expect(JSON.stringify(key) + String(key)).not.toContain(key.toSecretText());
  });
  it('does not reveal its content', () => {
    const text = sealed(key, 'a', Buffer.alloc(SEGMENT_BYTES, 'secret '));
    expect(text.includes('secret')).toBe(false);
  });
  it.each([
    ['a changed bit', () => Buffer.from(box).fill(box[100]! ^ 1, 100, 101)],
    ['a missing segment', () => Buffer.concat([first!, last!])],
    ['a missing last segment', () => Buffer.concat([first!, second!])],
    ['segments in another order', () => Buffer.concat([second!, first!, last!])],
    ['a truncated end', () => box.subarray(0, -1)],
    ['further bytes at the end', () => Buffer.concat([box, first!])],
    ['nothing', () => Buffer.alloc(0)],
  ])('does not open with %s', (_, changed) => expect(opened(key, 'a', changed())).rejects.toBeInstanceOf(Tampered));
  it('does not open under another name, or with another key', async () => {
    await expect(opened(key, 'b', box)).rejects.toBeInstanceOf(Tampered);
    await expect(opened(FileKey.create(), 'a', box)).rejects.toBeInstanceOf(Tampered);
    expect(() => FileKey.of('short')).toThrow(Tampered);
  });
});
