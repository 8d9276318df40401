import { link, mkdir, readdir, readFile, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FileFixture, fileFixture } from '../test/file-store-fixture.ts';
import { objectStoreContract } from '../test/contract.ts';
import { addressOf } from './file-addresses.ts';
import { DamagedObject, openFileDoor, openFileObjectStore } from './files.ts';
import { BadKey } from './object-store.ts';

objectStoreContract('a directory', fileFixture);

const text = { contentType: 'text/plain' };

describe('a file store', () => {
  let fixture: FileFixture;
  beforeEach(async () => {
    fixture = await fileFixture();
  });
  afterEach(() => fixture.remove());

  /** Sends a path unchanged. `fetch` would normalise it. */
  const ask = (method: string, path: string, body = '') =>
    new Promise<number>((resolve, reject) => {
      const sent = request(
        fixture.baseUrl,
        { method, path, headers: { 'content-type': 'text/plain', 'content-length': body.length } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const filesOutside = async () =>
    (await readdir(join(fixture.directory, '..'), { recursive: true })).filter((name) => !name.startsWith('objects'));
  const drafts = () => readdir(join(fixture.directory, '@drafts'));

  /** An address that is signed with the right secret, as if the program itself had made the mistake. */
  const signedPath = (method: 'GET' | 'PUT', key: string) =>
    addressOf('', fixture.secret, { method, key, expires: Math.floor(Date.now() / 1000) + 60, ...(method === 'PUT' && text) });

  const leading = [
    '../outside',
    '..%2foutside',
    '%2e%2e/outside',
    '%2e%2e%2foutside',
    'a/../../outside',
    '..\\outside',
    '//etc/passwd',
    '/etc/passwd',
    'a%00',
    '%00',
    '.',
    '@drafts/x',
  ];

  it.each(leading)('finds nothing at the path %j', async (key) => {
    await writeFile(join(fixture.directory, '..', 'outside@'), 'not yours');
    const before = await filesOutside();
    for (const path of [`/files/${key}`, signedPath('GET', key)])
      expect([400, 403, 404]).toContain(await ask('GET', path).catch(() => 400));
    for (const path of [`/files/${key}`, signedPath('PUT', key)])
      expect([400, 403, 404]).toContain(await ask('PUT', path, 'mine').catch(() => 400));
    expect(await filesOutside()).toEqual(before);
    expect(await readFile(join(fixture.directory, '..', 'outside@'), 'utf8')).toBe('not yours');
    expect(await drafts()).toEqual([]);
  });

  it('finds nothing at a path with a NUL that a framework has decoded', async () => {
    const door = openFileDoor({ store: fixture.store, secret: fixture.secret });
    const signed = addressOf('', fixture.secret, { method: 'GET', key: 'a\0b', expires: 4_000_000_000 });
    const [path = '', query = ''] = signed.split('?');
    const { status } = await door({
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      headers: {},
      body: Readable.from([]),
      isInForce: async () => true,
    });
    expect([400, 403, 404]).toContain(status);
  });

  it('follows no symbolic link inside, to a file or to a folder', async () => {
    const outside = join(fixture.directory, '..', 'elsewhere');
    await mkdir(outside);
    await fixture.store.put('real', Buffer.from('secret'), text);
    await rename(join(fixture.directory, 'real@'), join(outside, 'stolen@'));
    await symlink(outside, join(fixture.directory, 'folder'));
    await symlink(join(outside, 'stolen@'), join(fixture.directory, 'file@'));
    for (const key of ['folder/stolen', 'file']) {
      expect(await fixture.store.get(key)).toBeNull();
      expect(await fixture.store.stat(key)).toBeNull();
    }
    expect(await fixture.store.list('', { limit: 10 })).toEqual([]);
    await fixture.store.remove('folder/stolen');
    await expect(fixture.store.put('folder/new', Buffer.from('x'), text)).rejects.toThrow(BadKey);
    await expect(fixture.store.put('folder/deep/new', Buffer.from('x'), text)).rejects.toThrow(BadKey);
    expect(await ask('PUT', signedPath('PUT', 'folder/new'), 'x')).toBe(403);
    expect(await readdir(outside)).toEqual(['stolen@']);
    // A put to the link's own key replaces the link, not its target.
    await fixture.store.put('file', Buffer.from('mine'), text);
    expect((await readFile(join(outside, 'stolen@'))).subarray(0, 6).toString()).toBe('secret');
    expect((await buffer((await fixture.store.get('file'))!.body)).toString()).toBe('mine');
  });

  it('keeps nothing of an upload whose sender disconnects', async () => {
    const { url, headers } = await fixture.store.signedUpload('a', { ...text, issuedTo: null, expiresAt: new Date(Date.now() + 60_000) });
    await new Promise<void>((resolve) => {
      const sending = request(url, { method: 'PUT', headers: { ...headers, 'content-length': 1_000 } });
      sending.on('error', () => resolve());
      sending.write('half', () => void awaitDraft().then(() => sending.destroy(new Error('gone'))));
    });
    while ((await drafts()).length > 0) await new Promise(setImmediate);
    expect(await fixture.store.stat('a')).toBeNull();
  });
  const awaitDraft = async () => {
    while ((await drafts()).length === 0) await new Promise(setImmediate);
  };

  it('lets a reader finish an opened object after it is replaced or removed', async () => {
    await fixture.store.put('a', Buffer.alloc(500_000, 'old'), text);
    const [first, second] = [await fixture.store.get('a'), await fixture.store.get('a')];
    await fixture.store.put('a', Buffer.from('new'), text);
    expect((await buffer(first!.body)).toString()).toHaveLength(500_000);
    await fixture.store.remove('a');
    expect((await buffer(second!.body)).toString().startsWith('oldold')).toBe(true);
  });

  it('reports a file that was truncated or written by another program', async () => {
    await fixture.store.put('cut', Buffer.alloc(5_000), text);
    await truncate(join(fixture.directory, 'cut@'), 3_000);
    await writeFile(join(fixture.directory, 'foreign@'), 'hello');
    await expect(fixture.store.get('cut')).rejects.toThrow(DamagedObject);
    await expect(fixture.store.stat('foreign')).rejects.toThrow(DamagedObject);
  });

  it('leaves no empty folders, even with concurrent puts and removes', async () => {
    const rounds = Array.from({ length: 40 }, async (_, round) => {
      await fixture.store.put(`deep/er/${round % 4}/${round}`, Buffer.from('x'), text);
      await fixture.store.remove(`deep/er/${round % 4}/${round}`);
    });
    await Promise.all(rounds);
    expect(await readdir(fixture.directory)).toEqual(['@drafts']);
  });

  it('removes old drafts of a killed process when it is opened, and keeps recent ones', async () => {
    const folder = join(fixture.directory, '@drafts');
    await writeFile(join(folder, 'old'), 'x');
    await utimes(join(folder, 'old'), 0, 0);
    await link(join(folder, 'old'), join(folder, 'older'));
    await writeFile(join(folder, 'young'), 'x');
    await openFileObjectStore({ directory: fixture.directory, baseUrl: fixture.baseUrl, secret: fixture.secret });
    expect(await drafts()).toEqual(['young']);
  });

  it('removes all drafts when it is opened if no other process uses the directory', async () => {
    await writeFile(join(fixture.directory, '@drafts', 'young'), 'x');
    await openFileObjectStore({ directory: fixture.directory, baseUrl: fixture.baseUrl, secret: fixture.secret, isOnlyUser: true });
    expect(await drafts()).toEqual([]);
  });

  it('removes an object when that is allowed', async () => {
    const { directory, baseUrl, secret } = fixture;
    const { promise, resolve } = Promise.withResolvers<void>();
    const store = await openFileObjectStore({ directory, baseUrl, secret, removalAllowed: () => promise });
    await store.put('a', Buffer.from('x'), text);
    const removal = store.remove('a');
    await store.put('b', Buffer.from('x'), text);
    expect(await store.stat('a')).not.toBeNull();
    resolve();
    await removal;
    expect(await store.stat('a')).toBeNull();
  });

  it.each(['&extra=1', '&max=1', '&expires=4000000000', '&max=9&max=1'])('refuses an address with %j added', async (more) => {
    const { url, headers } = await fixture.store.signedUpload('a', {
      ...text,
      issuedTo: null,
      expiresAt: new Date(Date.now() + 60_000),
      maxBytes: 9,
    });
    const answer = await fetch(url + more, { method: 'PUT', headers, body: 'x' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'signature_invalid' });
  });

  it('refuses an encoded body, whose bytes do not match the content type', async () => {
    const { url, headers } = await fixture.store.signedUpload('a', { ...text, issuedTo: null, expiresAt: new Date(Date.now() + 60_000) });
    const answer = await fetch(url, { method: 'PUT', headers: { ...headers, 'content-encoding': 'gzip' }, body: 'x' });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: 'content_encoded' });
    expect(await fixture.store.stat('a')).toBeNull();
  });

  it('reports an accepted upload before it reads the body', async () => {
    const door = openFileDoor({ store: fixture.store, secret: fixture.secret });
    const calls: string[] = [];
    const upload = async (headers: Record<string, string>, target: string) => {
      const body = new Readable({
        read() {
          calls.push('read');
          this.push(null);
        },
      });
      const [path = '', query = ''] = target.split('?');
      const onAccept = () => void calls.push('accepted');
      return (await door({ method: 'PUT', path, query: new URLSearchParams(query), headers, body, isInForce: async () => true, onAccept }))
        .status;
    };
    const target = signedPath('PUT', 'a');
    expect(await upload({ 'content-type': 'text/html' }, target)).toBe(415);
    expect(await upload({ 'content-type': 'text/plain' }, target.replace('/a?', '/b?'))).toBe(403);
    expect(await upload({ 'content-type': 'text/plain', 'content-length': String(6 * 1024 ** 3) }, target)).toBe(413);
    expect(calls).toEqual([]);
    expect(await upload({ 'content-type': 'text/plain' }, target)).toBe(200);
    expect(calls.slice(0, 2)).toEqual(['accepted', 'read']);
  });

  it('answers refusals as problems, and prevents browsers from executing downloads', async () => {
    await fixture.store.put('page', Buffer.from('<script>'), { contentType: 'text/html' });
    const response = await fetch(
      (await fixture.store.signedDownload('page', { issuedTo: null, expiresAt: new Date(Date.now() + 60_000) })).url,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    await response.arrayBuffer();
    const refused = await fetch(`${fixture.baseUrl}/files/page`);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 403, code: 'signature_invalid' });
    expect((await fetch(`${fixture.baseUrl}/files/page`, { method: 'POST' })).status).toBe(405);
    const gone = await fixture.store.signedDownload('gone', { issuedTo: null, expiresAt: new Date(Date.now() + 60_000) });
    expect((await fetch(gone.url)).status).toBe(404);
  });
});
