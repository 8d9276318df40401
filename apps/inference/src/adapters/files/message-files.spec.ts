import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '@parlance/object-store';
import { openFileObjectStore } from '@parlance/object-store/files';
import { openS3ObjectStore } from '@parlance/object-store/s3';
import { FileKey, type Sealed } from '@parlance/privacy';
import { bucketIn, missing, s3 } from '@parlance/testing';
import { type CheckedFile, type FileDetails, MessageFiles, objectKeysOf } from './message-files.ts';

interface Opened {
  readonly store: ObjectStore;
  stop(): Promise<void>;
}

async function files(): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-message-files-'));
  const store = await openFileObjectStore({ directory, baseUrl: 'http://127.0.0.1', secret: randomBytes(32) });
  return { store, stop: () => rm(directory, { recursive: true }) };
}

async function bucket(): Promise<Opened> {
  const server = await s3();
  const options = await bucketIn(server, 'files');
  const store = openS3ObjectStore({ ...options, edge: { baseUrl: '', secret: randomBytes(32) } });
  return { store, stop: async () => void (await Promise.all([store.close(), server.stop()])) };
}

/** Larger than one part of an upload to S3. */
const large = randomBytes(9 * 1024 * 1024 + 1);
const small = Buffer.from('GIF89a');
const image: CheckedFile = { kind: 'image', mediaType: 'image/gif', name: null, bytes: small, sha256: 'a', text: null };
const report: CheckedFile = {
  kind: 'attachment',
  mediaType: 'text/plain',
  name: 'a.txt',
  bytes: large,
  sha256: 'b',
  text: 'Straße',
  textTokens: 3,
  pages: 2,
};
const place = { conversationId: 'C', messageId: 'M' };
const other = { conversationId: 'C', messageId: 'N' };

/** The vault has its own specs. Here a sealed text is plain text. */
const seal = { json: (value: object) => JSON.stringify(value) as Sealed };
const vault = { openJson: async (text: string) => JSON.parse(text) } as unknown as ConstructorParameters<typeof MessageFiles>[1];

function storing(name: string, isMissing: boolean, open: () => Promise<Opened>) {
  (isMissing ? describe.skip : describe)(`the files of messages in ${name}`, () => {
    let opened: Opened;
    let kept: MessageFiles;
    const keys = async () => (await opened.store.list('message-files/', { limit: 100 })).map(({ key }) => key);
    beforeAll(async () => {
      opened = await open();
      kept = new MessageFiles(opened.store, vault, null);
    });
    afterAll(() => opened?.stop());

    it('are read unchanged, with their texts', async () => {
      const [first, second] = await kept.store(place, [image, report], seal);
      expect([first, second]).toEqual([
        { id: 'M.0', kind: 'image', mediaType: 'image/gif', bytes: 6, sealed: expect.any(String) },
        {
          id: 'M.1',
          kind: 'attachment',
          mediaType: 'text/plain',
          bytes: large.length,
          textBytes: 7,
          textTokens: 3,
          pages: 2,
          sealed: expect.any(String),
        },
      ]);
      expect(await keys()).toEqual([first!, second!].flatMap((file) => objectKeysOf('C', file)));
      const details = (await kept.details(second!)) as FileDetails;
      expect(details).toEqual({ name: 'a.txt', sha256: 'b', key: expect.stringMatching(/^[\w-]{43}$/) });
      expect((await kept.bytes('C', second!, details))?.equals(large)).toBe(true);
      expect((await buffer((await kept.open('C', second!, details))!)).equals(large)).toBe(true);
      expect(await kept.text('C', second!, details)).toBe('Straße');
    });
    it('are sealed, each with its own key', async () => {
      const whole = await Promise.all((await keys()).map(async (key) => buffer((await opened.store.get(key))!.body)));
      expect(whole.some((bytes) => bytes.includes('GIF89a') || bytes.includes('Straße'))).toBe(false);
      const [first, second] = await kept.store(other, [image, image], seal);
      const swapped = (await kept.details(second!)) as FileDetails;
      await expect(kept.bytes('C', first!, swapped)).rejects.toThrow();
    });
    it('are listed with their messages', async () => {
      const listed = await kept.stored(null);
      expect(listed.map(({ messageId }) => messageId)).toEqual(['M', 'M', 'M', 'N', 'N']);
      expect([listed[0]!.conversationId, listed[0]!.modified.getTime() > 0]).toEqual(['C', true]);
      expect(await kept.stored(listed.at(-1)!.key)).toEqual([]);
    });
    it('are removed with their message or conversation', async () => {
      const next = { conversationId: 'CC', messageId: 'M' };
      await kept.store(next, [image], seal);
      await kept.remove(place);
      expect(await keys()).toEqual(['message-files/C/N.0', 'message-files/C/N.1', 'message-files/CC/M.0']);
      await kept.removeAll('C');
      expect(await keys()).toEqual(['message-files/CC/M.0']);
    });
    it('are null if they no longer exist', async () => {
      const [first] = await kept.store(place, [image], seal);
      const details = (await kept.details(first!)) as FileDetails;
      await kept.removeAll('C');
      expect(await kept.bytes('C', first!, details)).toBeNull();
    });
  });
}

storing('a directory', false, files);
storing('S3', missing('s3') !== null, bucket);

describe('without an object store', () => {
  const none = new MessageFiles(null, vault, null);
  it('refuses files', () =>
    expect(none.store(place, [image], seal)).rejects.toMatchObject({ kind: 'unavailable', code: 'object_store_not_configured' }));
  it('has nothing to remove', async () => {
    await none.removeAll('C');
    expect(await none.stored(null)).toEqual([]);
  });
});

describe('an object store that fails', () => {
  const failing = new MessageFiles(
    { put: async () => Promise.reject(new Error('ECONNREFUSED')), get: async () => Promise.reject(new Error('ECONNREFUSED')) } as never,
    vault,
    { check: async () => Promise.reject(new Error('no answer')) },
  );
  it('is unavailable', async () => {
    const refusal = { kind: 'unavailable', code: 'object_store_unavailable' };
    await expect(failing.requireAvailable()).rejects.toMatchObject(refusal);
    await expect(failing.store(place, [image], seal)).rejects.toMatchObject(refusal);
    const file = { id: 'M.0', kind: 'image', mediaType: 'image/gif', bytes: 6, sealed: '' } as const;
    await expect(failing.bytes('C', file, { name: null, sha256: '', key: FileKey.create().toSecretText() })).rejects.toMatchObject(refusal);
  });
});
