import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { openFileObjectStore } from '@parlance/object-store/files';
import { loadMasterKey } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import { ownInstallation } from './own-installation.ts';

const MIB = 1024 * 1024;
/** The maximum memory of an upload of any size: buffers of the connection, the store and the file. */
const MOST_GROWTH = 60 * MIB;

const installation = await ownInstallation();
const data = (...path: string[]) => join(installation.data, ...path);
const drafts = () => readdirSync(data('objects/@drafts'));

const uploadTo = (key: string, maxBytes: number) =>
  signer.signedUpload(key, {
    contentType: 'application/octet-stream',
    maxBytes,
    issuedTo: null,
    expiresAt: new Date(Date.now() + 600_000),
  });
const contentOf = async (key: string) => {
  const answer = await fetch((await signer.signedDownload(key, { issuedTo: null, expiresAt: new Date(Date.now() + 600_000) })).url);
  return {
    status: answer.status,
    sha256: createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex'),
  };
};
async function put(key: string, content: Buffer): Promise<void> {
  const { url, headers } = await uploadTo(key, content.length);
  expect((await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) })).status).toBe(200);
}

const { base, env, product, parlance, ask } = installation;
const secret = loadMasterKey({ file: data('master.key') }).derive('file-addresses');
/** Makes the same signatures as the product, because it has the same master key. Stores nothing. */
const signer = await openFileObjectStore({ directory: join(base, 'signer'), baseUrl: product.url, secret });
/** The tests tell one story, in this order. */
describe('uploaded files of the single process', () => {
  const small = randomBytes(70_000);
  const digest = createHash('sha256').update(small).digest('hex');

  it('may have 100 MB, which are not kept in memory', async () => {
    await put('bots/small', small);
    const peak = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))![1]) * 1024;
    const before = process.platform === 'linux' ? peak() : 0;
    const { url, headers } = await uploadTo('bots/large', 100 * MIB);
    const hash = createHash('sha256');
    const pieces = function* () {
      for (let piece = 0; piece < 100; piece++) {
        const bytes = randomBytes(MIB);
        hash.update(bytes);
        yield bytes;
      }
    };
    const body = Readable.toWeb(Readable.from(pieces())) as ReadableStream;
    expect((await fetch(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)).status).toBe(200);
    expect(await contentOf('bots/large')).toEqual({ status: 200, sha256: hash.digest('hex') });
    if (process.platform === 'linux') expect(peak() - before).toBeLessThan(MOST_GROWTH);
  });

  it('do not exist after a kill -9 during the upload, and the next start removes the received part', async () => {
    const { url, headers } = await uploadTo('bots/cut', MIB);
    const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': MIB } });
    sent.on('error', () => undefined).write(randomBytes(100_000));
    await waitFor(() => drafts().length === 1);
    await product.kill();
    expect(drafts()).toHaveLength(1);
    await product.restart();
    expect(drafts()).toEqual([]);
    expect((await contentOf('bots/cut')).status).toBe(404);
    expect(await contentOf('bots/small')).toEqual({ status: 200, sha256: digest });
  });

  it('are in a backup of the running product, with index files, and without unfinished uploads', async () => {
    await mkdir(data('knowledge/bot-1'), { recursive: true });
    await writeFile(data('knowledge/bot-1/7.db'), 'an index');
    await mkdir(data('backing-up/objects'), { recursive: true });
    const { url, headers } = await uploadTo('bots/arriving', MIB);
    const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': MIB } });
    sent.on('error', () => undefined).write(randomBytes(1_000));
    await waitFor(() => drafts().length === 1);
    const { code, out } = await parlance('backup', 'first');
    sent.destroy();
    expect(code).toBe(0);
    expect(out).toMatch(/^objects {7}2$/m);
    expect(out).toMatch(/^knowledge {5}1 files of indexes$/m);
    expect(existsSync(data('backing-up'))).toBe(false);
    const list = (await readFile(join(base, 'first/files.jsonl'), 'utf8')).trim().split('\n');
    expect(list.map((line) => JSON.parse(line).path).toSorted()).toEqual([
      'knowledge/bot-1/7.db',
      'objects/bots/large@',
      'objects/bots/small@',
    ]);
    const verified = await parlance('verify', 'first');
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^files {13}3 of objects and indexes$/m) });
  });

  it.each<[string, (backup: string) => void, RegExp]>([
    ['a changed object', (backup) => flip(join(backup, 'objects/bots/small@')), /objects\/bots\/small@ differs from the backup's checksum/],
    ['a longer index', (backup) => appendFileSync(join(backup, 'knowledge/bot-1/7.db'), 'x'), /7\.db has 9 bytes, not 8/],
    ['a missing object', (backup) => rmSync(join(backup, 'objects/bots/small@')), /objects\/bots\/small@ is missing/],
    ['an additional file', (backup) => writeFileSync(join(backup, 'objects/more@'), 'x'), /4 files are in objects and knowledge, not 3/],
    ['a changed list', (backup) => appendFileSync(join(backup, 'files.jsonl'), '\n'), /files\.jsonl differs from the backup's checksum/],
  ])('are not restored from a backup with %s', async (_, damage, problem) => {
    const damaged = join(base, 'damaged');
    await cp(join(base, 'first'), damaged, { recursive: true });
    damage(damaged);
    expect(await parlance('verify', 'damaged')).toMatchObject({ code: 1, out: expect.stringMatching(problem) });
    env['PARLANCE_DATA_DIR'] = join(base, 'elsewhere');
    expect(await parlance('restore', 'damaged')).toMatchObject({ code: 1, error: expect.stringMatching(problem) });
    env['PARLANCE_DATA_DIR'] = data();
    await rm(damaged, { recursive: true });
  });

  it('are in no backup if one that an event names is missing, unless this is accepted', async () => {
    const note = { content_type: 'attachment', file_name: 'note.txt', body: Buffer.from('A note.').toString('base64') };
    const sent = await ask('/conversation', { message: { content: [{ content_type: 'text', body: 'Read it.' }, note] } });
    expect(sent.status).toBe(202);
    expect(await parlance('backup', 'whole')).toMatchObject({ code: 0, out: expect.stringMatching(/^objects {7}4$/m) });
    expect(await parlance('verify', 'whole')).toMatchObject({
      out: expect.stringMatching(/^objects {11}4, with all that the events name$/m),
    });
    await rename(data('objects/message-files'), join(base, 'removed'));
    expect(await parlance('backup', 'refused')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/2 objects that the events name are missing \(message-files\/.*--accept-missing-objects/),
    });
    const accepted = await parlance('backup', 'accepted', '--accept-missing-objects');
    expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/^Missing {7}2 objects that the events name are missing/m) });
    await rename(join(base, 'removed'), data('objects/message-files'));
    expect((await ask(`/conversation/${sent.body['conversation_id']}`, undefined, 'DELETE')).status).toBe(200);
    expect(await parlance('backup', 'without')).toMatchObject({ code: 0, out: expect.stringMatching(/^objects {7}2$/m) });
  });

  it('are restored to the state of the backup', async () => {
    await put('bots/small', randomBytes(10));
    await put('bots/later', randomBytes(10));
    await product.stop();
    expect(await parlance('restore', 'first', '--replace')).toMatchObject({ code: 0, error: '' });
    await product.restart();
    expect(await contentOf('bots/small')).toEqual({ status: 200, sha256: digest });
    expect((await contentOf('bots/later')).status).toBe(404);
    expect(await readFile(data('knowledge/bot-1/7.db'), 'utf8')).toBe('an index');
    await product.stop();
    expect((await parlance('verify')).code).toBe(0);
  });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[3]! ^= 1;
  writeFileSync(path, bytes);
}
