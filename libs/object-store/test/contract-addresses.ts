import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { StoreCase } from './contract.ts';
import type { ObjectStore, SignedUpload } from '../src/object-store.ts';
import { ENDED } from './file-store-fixture.ts';

const text = { contentType: 'text/plain' };
const soon = () => ({ expiresAt: new Date(Date.now() + 60_000), issuedTo: null });

function send({ url, method, headers }: SignedUpload, content: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(url, { method, headers, body: typeof content === 'string' ? Buffer.from(content) : content });
}

/** Some stores refuse with 400, others with 403. */
async function assertRefused(answer: Promise<Response>, why: string): Promise<void> {
  const response = await answer;
  await response.arrayBuffer();
  ok(response.status >= 400 && response.status < 500, `${why}: answered ${response.status}`);
}

async function assertAbsent(store: ObjectStore, ...keys: string[]): Promise<void> {
  for (const key of keys) strictEqual(await store.stat(key), null, key);
}

/** The cases for signed addresses, over real HTTP. */
export const addressCases: readonly StoreCase[] = [
  {
    name: 'accepts an upload at a signed address',
    async run({ store }, folder) {
      const content = new Uint8Array(randomBytes(300_000));
      const signed = await store.signedUpload(`${folder}a.bin`, { contentType: 'application/octet-stream', ...soon() });
      strictEqual((await send(signed, content)).status, 200);
      const object = await store.get(`${folder}a.bin`);
      strictEqual(object?.contentType, 'application/octet-stream');
      ok(Buffer.from(content).equals(await buffer(object.body)));
    },
  },
  {
    name: 'accepts a second upload at the same address, which replaces the first',
    async run({ store }, folder) {
      const signed = await store.signedUpload(`${folder}a`, { ...text, ...soon() });
      await send(signed, 'first');
      await send(signed, 'second one');
      strictEqual((await store.stat(`${folder}a`))?.size, 10);
    },
  },
  {
    name: 'refuses an upload whose signature is missing, changed or from another address',
    async run({ store }, folder) {
      const signed = await store.signedUpload(`${folder}a`, { ...text, ...soon() });
      const other = await store.signedUpload(`${folder}b`, { ...text, ...soon() });
      const name = [...new URL(signed.url).searchParams.keys()].find((key) => /signature$/i.test(key));
      ok(name, 'the address has a signature');
      const withSignature = (signature: string | null): SignedUpload => {
        const url = new URL(signed.url);
        if (signature === null) url.searchParams.delete(name);
        else url.searchParams.set(name, signature);
        return { ...signed, url: url.href };
      };
      const signature = new URL(signed.url).searchParams.get(name)!;
      await assertRefused(send(withSignature((signature.startsWith('a') ? 'b' : 'a') + signature.slice(1)), 'x'), 'changed');
      await assertRefused(send(withSignature(new URL(other.url).searchParams.get(name)), 'x'), 'of another address');
      await assertRefused(send(withSignature(''), 'x'), 'empty');
      await assertRefused(send(withSignature(null), 'x'), 'missing');
      await assertAbsent(store, `${folder}a`, `${folder}b`);
    },
  },
  {
    name: 'refuses an upload to another key than the signed one',
    async run({ store }, folder) {
      const signed = await store.signedUpload(`${folder}a`, { ...text, ...soon() });
      await assertRefused(send({ ...signed, url: signed.url.replace(`${folder}a`, `${folder}b`) }, 'x'), 'another key');
      await assertAbsent(store, `${folder}a`, `${folder}b`);
    },
  },
  {
    name: 'refuses an upload with another content type than the signed one',
    async run({ store }, folder) {
      const signed = await store.signedUpload(`${folder}a`, { ...text, ...soon() });
      await assertRefused(send({ ...signed, headers: { 'content-type': 'text/html' } }, '<script>'), 'another type');
      await assertAbsent(store, `${folder}a`);
    },
  },
  {
    name: 'refuses an address that has expired',
    async run({ store, at }, folder) {
      await store.put(`${folder}there`, Buffer.from('x'), text);
      const anHourAgo = at(new Date(Date.now() - 3_600_000));
      const expiresAt = new Date(Date.now() - 60_000);
      await assertRefused(send(await anHourAgo.signedUpload(`${folder}a`, { ...text, expiresAt, issuedTo: null }), 'x'), 'an upload');
      await assertRefused(fetch((await anHourAgo.signedDownload(`${folder}there`, { expiresAt, issuedTo: null })).url), 'a download');
      await assertAbsent(store, `${folder}a`);
    },
  },
  {
    name: 'serves a download at a signed address, under the requested name',
    async run({ store }, folder) {
      await store.put(`${folder}a.txt`, Buffer.from('content'), text);
      const named = await fetch((await store.signedDownload(`${folder}a.txt`, { ...soon(), fileName: 'Größe "1".txt' })).url);
      strictEqual(named.status, 200);
      strictEqual(await named.text(), 'content');
      deepStrictEqual([named.headers.get('content-type'), named.headers.get('content-length')], ['text/plain', '7']);
      const disposition = named.headers.get('content-disposition') ?? '';
      match(disposition, /^attachment; filename="Gr__e _1_\.txt"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22\.txt$/);
      const plain = await fetch((await store.signedDownload(`${folder}a.txt`, { ...soon() })).url);
      match(plain.headers.get('content-disposition') ?? '', /^attachment; filename="a\.txt"/);
      await plain.arrayBuffer();
    },
  },
  {
    name: 'refuses to use an address for anything other than its signed purpose',
    async run({ store }, folder) {
      await store.put(`${folder}a`, Buffer.from('a'), text);
      await store.put(`${folder}b`, Buffer.from('b'), text);
      const download = await store.signedDownload(`${folder}a`, { ...soon() });
      await assertRefused(fetch(download.url.replace(`${folder}a`, `${folder}b`)), 'another key');
      await assertRefused(send({ url: download.url, method: 'PUT', headers: { 'content-type': 'text/plain' } }, 'x'), 'uploading');
      await assertRefused(fetch(download.url, { method: 'DELETE' }), 'removing');
      const upload = await store.signedUpload(`${folder}a`, { ...text, ...soon() });
      await assertRefused(fetch(upload.url), 'reading');
      strictEqual((await store.stat(`${folder}a`))?.size, 1);
    },
  },
  {
    name: 'refuses a download whose session or token has ended or was changed',
    async run({ store }, folder) {
      await store.put(`${folder}a`, Buffer.from('a'), text);
      const issued = async (issuedTo: string | null) => (await store.signedDownload(`${folder}a`, { ...soon(), issuedTo })).url;
      strictEqual(await (await fetch(await issued('session.one.ann'))).text(), 'a');
      await assertRefused(fetch(await issued(ENDED)), 'an ended session');
      const changed = new URL(await issued(ENDED));
      changed.searchParams.set('issued_to', 'session.one.ann');
      await assertRefused(fetch(changed), 'another session');
      changed.searchParams.delete('issued_to');
      await assertRefused(fetch(changed), 'no session');
      const added = new URL(await issued(null));
      added.searchParams.set('issued_to', 'session.one.ann');
      await assertRefused(fetch(added), 'a session that was added');
    },
  },
  {
    name: 'returns its own address of an object for a minute, if clients can reach the store',
    async run({ store }, folder) {
      await store.put(`${folder}a`, Buffer.from('a'), text);
      const url = await store.directDownload(`${folder}a`, 'b.txt');
      if (url === null) return;
      const lives = new URL(url).searchParams.get('X-Amz-Expires');
      deepStrictEqual([await (await fetch(url)).text(), lives], ['a', '60']);
    },
  },
  {
    name: 'finds nothing at a valid address of a removed object',
    async run({ store }, folder) {
      await store.put(`${folder}a`, Buffer.from('a'), text);
      const { url } = await store.signedDownload(`${folder}a`, { ...soon() });
      await store.remove(`${folder}a`);
      // S3 answers 404 only to callers that may list the bucket.
      await assertRefused(fetch(url), 'an object that is gone');
    },
  },
  {
    name: 'does not sign an address for longer than a week',
    async run({ store }, folder) {
      const expiresAt = new Date(Date.now() + 8 * 24 * 3_600_000);
      await rejects(store.signedUpload(`${folder}a`, { ...text, expiresAt, issuedTo: null }), RangeError);
      await rejects(store.signedDownload(`${folder}a`, { expiresAt, issuedTo: null }), RangeError);
      await rejects(store.signedDownload(`${folder}a`, { expiresAt: new Date(Number.NaN), issuedTo: null }), RangeError);
    },
  },
  {
    name: 'enforces the size of an upload, if it claims to',
    async run({ store, boundsUploads }, folder) {
      if (!boundsUploads) return;
      const signed = await store.signedUpload(`${folder}a`, { ...text, ...soon(), maxBytes: 4 });
      strictEqual((await send(signed, 'fives')).status, 413);
      const streamed = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(Buffer.from('fives'));
          controller.close();
        },
      });
      strictEqual(
        (await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: streamed, duplex: 'half' } as RequestInit)).status,
        413,
      );
      await assertAbsent(store, `${folder}a`);
      strictEqual((await send(signed, 'four')).status, 200);
      const grown = new URL(signed.url);
      grown.searchParams.set('max', '1000');
      await assertRefused(send({ ...signed, url: grown.href }, 'fives'), 'a bound that was changed');
    },
  },
];
