import { deepStrictEqual, notStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { addressCases } from './contract-addresses.ts';
import { removeAll } from '../src/remove-all.ts';
import { BadContentType, BadKey, type ObjectStore, WrongSize } from '../src/object-store.ts';

const LATE_CLOCK_MILLIS = 20;

/** A store whose addresses are reachable over HTTP. Each case uses only its own `folder`, so that cases can share a fixture. */
export interface ObjectStoreFixture {
  readonly store: ObjectStore;
  /** The same store, opened by a program whose clock shows another time. */
  at(now: Date): ObjectStore;
  /** False if the store cannot limit the size of a signed upload. */
  readonly boundsUploads: boolean;
  remove(): Promise<void>;
}

export interface StoreCase {
  readonly name: string;
  /** `folder` ends with a slash, and only this case uses it. */
  run(fixture: ObjectStoreFixture, folder: string): Promise<void>;
}

const text = { contentType: 'text/plain' };
const utf8 = (content: string) => Buffer.from(content);

async function contentOf(store: ObjectStore, key: string): Promise<string | null> {
  const object = await store.get(key);
  return object && (await buffer(object.body)).toString();
}

async function keysIn(store: ObjectStore, prefix: string, after?: string, limit = 1_000): Promise<string[]> {
  return (await store.list(prefix, { limit, ...(after !== undefined && { after }) })).map(({ key }) => key);
}

/** A body of 20 MiB in pieces of odd sizes, never completely in memory, and its digest. */
function bigBody(): { body: Readable; size: number; digest(): string } {
  const hash = createHash('sha256');
  const piece = randomBytes(64 * 1024 + 7);
  const times = Math.ceil((20 * 1024 ** 2) / piece.length);
  const pieces = function* () {
    for (let time = 0; time < times; time++) {
      hash.update(piece);
      yield piece;
    }
  };
  return { body: Readable.from(pieces()), size: piece.length * times, digest: () => hash.digest('hex') };
}

const storingCases: readonly StoreCase[] = [
  {
    name: 'returns a stored object with its type and size',
    async run({ store }, folder) {
      strictEqual(await store.put(`${folder}a.txt`, utf8('grüße'), { contentType: 'text/plain; charset=utf-8' }), true);
      const object = await store.get(`${folder}a.txt`);
      strictEqual((await buffer(object!.body)).toString(), 'grüße');
      const { size, contentType, etag } = object!;
      deepStrictEqual({ size, contentType }, { size: 7, contentType: 'text/plain; charset=utf-8' });
      ok(etag.length > 0);
      deepStrictEqual(await store.stat(`${folder}a.txt`), { size, contentType, etag });
    },
  },
  {
    name: 'returns nothing for a key without an object',
    async run({ store }, folder) {
      strictEqual(await store.get(`${folder}absent`), null);
      strictEqual(await store.stat(`${folder}absent/too`), null);
      deepStrictEqual(await keysIn(store, folder), []);
      await store.remove(`${folder}absent`);
    },
  },
  {
    name: 'accepts streams of unknown size, and empty bodies',
    async run({ store }, folder) {
      await store.put(`${folder}stream`, Readable.from([utf8('one '), utf8('two')]), text);
      await store.put(`${folder}empty`, new Uint8Array(), text);
      await store.put(`${folder}nothing`, Readable.from([]), { ...text, size: 0 });
      strictEqual(await contentOf(store, `${folder}stream`), 'one two');
      strictEqual(await contentOf(store, `${folder}empty`), '');
      strictEqual((await store.stat(`${folder}nothing`))?.size, 0);
    },
  },
  {
    name: 'replaces an object completely: bytes, type and etag',
    async run({ store }, folder) {
      await store.put(`${folder}a`, utf8('a long first one'), text);
      const first = await store.stat(`${folder}a`);
      strictEqual(await store.put(`${folder}a`, utf8('second'), { contentType: 'application/json' }), true);
      const second = await store.stat(`${folder}a`);
      strictEqual(await contentOf(store, `${folder}a`), 'second');
      strictEqual(second?.contentType, 'application/json');
      notStrictEqual(second.etag, first?.etag);
    },
  },
  {
    name: 'does not replace an object that must be absent',
    async run({ store }, folder) {
      strictEqual(await store.put(`${folder}a`, utf8('first'), { ...text, ifAbsent: true }), true);
      strictEqual(await store.put(`${folder}a`, utf8('second'), { ...text, ifAbsent: true }), false);
      strictEqual(await contentOf(store, `${folder}a`), 'first');
    },
  },
  {
    name: 'lets one of several concurrent puts of an absent object win',
    async run({ store }, folder) {
      const racers = Array.from({ length: 8 }, (_, racer) => `racer ${racer}`);
      const wins = await Promise.all(racers.map((racer) => store.put(`${folder}a`, utf8(racer), { ...text, ifAbsent: true })));
      strictEqual(wins.filter(Boolean).length, 1);
      strictEqual(await contentOf(store, `${folder}a`), racers[wins.indexOf(true)]);
    },
  },
  {
    name: 'stores nothing of a body that has another size than announced, or fails',
    async run({ store }, folder) {
      await store.put(`${folder}a`, utf8('as it was'), text);
      await rejects(store.put(`${folder}a`, utf8('four'), { ...text, size: 5 }), WrongSize);
      await rejects(store.put(`${folder}a`, Readable.from([utf8('four')]), { ...text, size: 3 }), WrongSize);
      const breaks = function* () {
        yield utf8('half of');
        throw new Error('the sender is gone');
      };
      await rejects(store.put(`${folder}a`, Readable.from(breaks()), text), /the sender is gone/);
      await rejects(store.put(`${folder}b`, Readable.from(breaks()), text), /the sender is gone/);
      strictEqual(await contentOf(store, `${folder}a`), 'as it was');
      deepStrictEqual(await keysIn(store, folder), [`${folder}a`]);
    },
  },
  {
    name: 'streams a big body in and out',
    async run({ store }, folder) {
      const { body, size, digest } = bigBody();
      await store.put(`${folder}big`, body, { contentType: 'application/octet-stream' });
      const object = await store.get(`${folder}big`);
      const hash = createHash('sha256');
      for await (const chunk of object!.body) hash.update(chunk as Uint8Array);
      strictEqual(object!.size, size);
      strictEqual(hash.digest('hex'), digest());
      strictEqual(await store.put(`${folder}big`, bigBody().body, { ...text, ifAbsent: true }), false);
      await rejects(store.put(`${folder}other`, bigBody().body, { ...text, size: size + 1 }), WrongSize);
      deepStrictEqual(await keysIn(store, folder), [`${folder}big`]);
    },
  },
  {
    name: 'removes one object and no others',
    async run({ store }, folder) {
      for (const key of ['a', 'a/b', 'a/c']) await store.put(folder + key, utf8(key), text);
      await store.remove(`${folder}a`);
      await store.remove(`${folder}a/c`);
      strictEqual(await store.get(`${folder}a`), null);
      deepStrictEqual(await keysIn(store, folder), [`${folder}a/b`]);
      await store.remove(`${folder}a/b`);
      deepStrictEqual(await keysIn(store, folder), []);
      await store.put(`${folder}a/b/c`, utf8('again'), text);
      strictEqual(await contentOf(store, `${folder}a/b/c`), 'again');
    },
  },
  {
    name: 'lists by prefix, in the order of the keys, page by page',
    async run({ store }, folder) {
      const keys = ['A', 'Z/z', 'a', 'a-b', 'a.b', 'a/b', 'a/b/c', 'a/z', 'a0', 'a=b', 'a_b', 'b/1', 'b/10', 'b/2'].map(
        (key) => folder + key,
      );
      for (const key of [...keys].reverse()) await store.put(key, utf8(key), text);
      deepStrictEqual(await keysIn(store, folder), keys);
      deepStrictEqual(await keysIn(store, `${folder}a`), keys.slice(2, 11));
      deepStrictEqual(await keysIn(store, `${folder}a/`), keys.slice(5, 8));
      deepStrictEqual(await keysIn(store, `${folder}b/1`), keys.slice(11, 13));
      const paged: string[] = [];
      for (;;) {
        const page = await keysIn(store, folder, paged.at(-1), 4);
        paged.push(...page);
        if (page.length < 4) break;
      }
      deepStrictEqual(paged, keys);
      deepStrictEqual(await keysIn(store, folder, `${folder}a/a`), keys.slice(5), 'after a key without an object');
      const { key, size } = (await store.list(`${folder}A`, { limit: 1 }))[0]!;
      deepStrictEqual({ key, size }, { key: `${folder}A`, size: folder.length + 1 });
    },
  },
  {
    name: 'lists when each object was last put',
    async run({ store }, folder) {
      // S3 truncates the time to whole seconds. The clock of a file system advances in ticks, and is some milliseconds late.
      const before = Math.floor((Date.now() - LATE_CLOCK_MILLIS) / 1000) * 1000;
      await store.put(`${folder}a`, utf8('a'), text);
      const [first] = await store.list(folder, { limit: 1 });
      // File dates are rounded up to the next millisecond.
      ok(first!.modified.getTime() >= before && first!.modified.getTime() <= Date.now() + 1, 'between the put and now');
      for (let later = first!.modified; later <= first!.modified;) {
        ok(Date.now() < before + 10_000, 'a later put has a later time');
        await store.put(`${folder}a`, utf8('again'), text);
        later = (await store.list(folder, { limit: 1 }))[0]!.modified;
      }
    },
  },
  {
    name: 'answers a check',
    run: ({ store }) => store.check(),
  },
  {
    name: 'removeAll removes all objects below a prefix, and no others',
    async run({ store }, folder) {
      const keys = Array.from({ length: 12 }, (_, index) => `${folder}bot-1/${index}`);
      for (const key of [...keys, `${folder}bot-10/a`, `${folder}bot-1`]) await store.put(key, utf8('x'), text);
      strictEqual(await removeAll(store, `${folder}bot-1/`), 12);
      strictEqual(await removeAll(store, `${folder}bot-1/`), 0);
      deepStrictEqual(await keysIn(store, folder), [`${folder}bot-1`, `${folder}bot-10/a`]);
      await rejects(removeAll(store, ''), RangeError);
    },
  },
  {
    name: 'refuses invalid keys and content types',
    async run({ store }, folder) {
      const expiresAt = new Date(Date.now() + 60_000);
      const bad = [
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '.',
        './a',
        'a/./b',
        '..',
        '../a',
        'a/../b',
        'a..b',
        'a b',
        'a%2fb',
        'a\0',
        'a\\b',
        'ä',
        'a@',
        'x'.repeat(201),
      ];
      for (const key of bad) {
        await rejects(async () => store.put(key, utf8(''), text), BadKey, key);
        await rejects(async () => store.get(key), BadKey, key);
        await rejects(async () => store.stat(key), BadKey, key);
        await rejects(async () => store.remove(key), BadKey, key);
        await rejects(async () => store.signedUpload(key, { ...text, expiresAt, issuedTo: null }), BadKey, key);
        await rejects(async () => store.signedDownload(key, { expiresAt, issuedTo: null }), BadKey, key);
      }
      for (const prefix of ['/', '../', 'a//', 'a b']) await rejects(async () => store.list(prefix, { limit: 1 }), BadKey, prefix);
      for (const contentType of ['', 'text', 'a/b\r\nx: y', 'tëxt/plain']) {
        await rejects(async () => store.put(`${folder}a`, utf8(''), { contentType }), BadContentType, contentType);
        await rejects(
          async () => store.signedUpload(`${folder}a`, { contentType, expiresAt, issuedTo: null }),
          BadContentType,
          contentType,
        );
      }
    },
  },
];

/** The cases that every store must pass. They are plain functions, so that they can also test stores that are broken on purpose. */
export const objectStoreCases: readonly StoreCase[] = [...storingCases, ...addressCases];

/** The contract as a suite; its cases share one fixture. */
export function objectStoreContract(name: string, makeFixture: () => Promise<ObjectStoreFixture>): void {
  describe(`${name} as an object store`, () => {
    let fixture: ObjectStoreFixture;
    beforeAll(async () => {
      fixture = await makeFixture();
    });
    afterAll(() => fixture.remove());
    for (const [index, { name: sentence, run }] of objectStoreCases.entries()) {
      it(sentence, () => run(fixture, `contract/${index}/`));
    }
  });
}
