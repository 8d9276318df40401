import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { unzipped } from '../../../test/unzipped.ts';
import { type ArchiveEntry, archiveOf } from './archive.ts';
import { directoryRecord, endOfDirectory } from './zip-records.ts';

const MODIFIED = new Date('2026-11-23T12:00:00Z');

async function* each(entries: readonly ArchiveEntry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries;
}
const read = async (entries: readonly ArchiveEntry[]) => unzipped(await buffer(archiveOf(each(entries), MODIFIED)));

describe('an archive', () => {
  it('has the bytes of its entries, however they are split', () => {
    const cut = fc.array(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 500 })), { maxLength: 5 });
    const files = fc.dictionary(fc.stringMatching(/^[a-zäß][a-zäß0-9]{0,20}$/), fc.record({ compress: fc.boolean(), parts: cut }));
    return fc.assert(
      fc.asyncProperty(files, async (wanted) => {
        const found = await read(Object.entries(wanted).map(([path, its]) => ({ path, ...its })));
        expect([...found.keys()].toSorted()).toEqual(Object.keys(wanted).toSorted());
        for (const [path, { parts }] of Object.entries(wanted))
          expect(found.get(path)).toEqual(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
      }),
    );
  });
  it.each([0, 1, 16_384, 16_385, 262_144, 262_145])('compresses an entry of %i bytes', async (size) => {
    const bytes = Buffer.from('The sky is blue. '.repeat(Math.ceil(size / 17))).subarray(0, size);
    expect((await read([{ path: 'a', compress: true, parts: [bytes] }])).get('a')).toEqual(bytes);
  });
  it('compresses large entries in parts', async () => {
    const parts = Array.from({ length: 40 }, () => randomBytes(50_000).toString('hex'));
    const found = await read([{ path: 'large', compress: true, parts }]);
    expect(found.get('large')!.toString()).toBe(parts.join(''));
  });
  it('is aborted by an error in an entry, even in a large one', async () => {
    for (const before of [1, 400_000]) {
      const parts = (function* () {
        yield 'x'.repeat(before);
        throw new Error('it is gone');
      })();
      await expect(read([{ path: 'a', compress: true, parts }])).rejects.toThrow('it is gone');
    }
  });
  it('produces no more than its reader takes', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<ArchiveEntry> {
      for (;;) yield { path: `${made++}`, compress: false, parts: [randomBytes(10_000)] };
    }
    const archive = archiveOf(endless(), MODIFIED);
    archive.once('readable', () => undefined);
    for (let turn = 0; turn < 500; turn++) await setImmediate();
    expect(made).toBeLessThan(50);
    archive.destroy();
  });
  it('is aborted when it is not read', async () => {
    const archive = archiveOf(each([{ path: 'a', compress: false, parts: ['a'] }]), MODIFIED, 5);
    const [error] = await once(archive, 'error');
    expect(error).toMatchObject({ message: 'the archive was not read in time' });
  });
});

describe('the directory of a very large archive', () => {
  it('has offsets beyond 4 GiB', () => {
    const entry = { path: Buffer.from('a'), isDeflated: true, crc: 1, packed: 2, size: 3, offset: 5_000_000_000 };
    const record = directoryRecord(entry, 0);
    expect([record.readUInt32LE(42), record.readUInt16LE(30), record.readBigUInt64LE(46 + 1 + 4)]).toEqual([
      0xffff_ffff,
      12,
      5_000_000_000n,
    ]);
  });
  it('has more than 65,535 entries', () => {
    expect(endOfDirectory(10, 100, 200)).toHaveLength(22);
    const end = endOfDirectory(70_000, 5_000_000_000, 200);
    expect([end.readBigUInt64LE(32), end.readBigUInt64LE(48), end.readBigUInt64LE(56 + 8)]).toEqual([
      70_000n,
      5_000_000_000n,
      5_000_000_200n,
    ]);
    expect(end.readUInt16LE(76 + 10)).toBe(0xffff);
  });
});
