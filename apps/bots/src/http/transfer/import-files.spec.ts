import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { ArchiveReader } from '../../adapters/transfer/archive-reader.ts';
import type { FileStore } from '../../adapters/file-store.ts';
import type { UploadNotes } from '../../commands/upload-notes.ts';
import { FileListing, MOST_BYTES } from '../../workflows/transfer/file-listing.ts';
import { ImportFiles } from './import-files.ts';

/** More than streams buffer, so that a file is read to its end only if the store reads it. */
const SIZE = 4 * 1024 * 1024;

const archived = (put: (body: Readable) => Promise<void>) => {
  const files = { isTooLarge: () => false, put: (_: unknown, __: unknown, body: Readable) => put(body) } as unknown as FileStore;
  const notes = { note: async () => undefined } as unknown as UploadNotes;
  const archive = {
    sizeOf: () => SIZE,
    read: async () => Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(SIZE / 64))),
  } as unknown as ArchiveReader;
  const place = { ownerUserId: 'u', botId: 'b' };
  return new ImportFiles(files, null as never, notes).archived(archive, [{ name: 'a.txt', path: 'files/1' }] as never, place as never);
};

it('ends with the error of a store that fails before it reads a file', async () => {
  await expect(archived(() => Promise.reject(new Error('the store is down')))).rejects.toThrow('the store is down');
});

it('does not report a damaged archive when the store fails in the middle of a file', async () => {
  const broken = async (body: Readable) => {
    for await (const _ of body) throw new Error('the store is down');
  };
  await expect(archived(broken)).rejects.toThrow('the store is down');
});

it('names the uploaded files that together are too large for comparing their checksums', async () => {
  const stored = { size: MOST_BYTES, contentType: 'text/plain' };
  const files = { isTooLarge: () => false, requireAvailable: async () => undefined, stat: async () => stored } as unknown as FileStore;
  const importing = new ImportFiles(files, new FileListing(files), null as never);
  const sha256 = 'a'.repeat(64);
  const { names, leftOut, unchecked } = await importing.uploaded({ ownerUserId: 'u', botId: 'b' }, [
    { name: 'a.txt', sha256 },
    { name: 'b.txt', sha256 },
    { name: 'c.txt' },
  ]);
  expect([names, leftOut, unchecked]).toEqual([['a.txt', 'b.txt', 'c.txt'], [], ['a.txt', 'b.txt']]);
});
