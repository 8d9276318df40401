import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { download } from './downloads.ts';

describe('a download', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'downloads-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
  const never = new AbortController().signal;

  it('writes the whole stream and returns its hash', async () => {
    const parts = Array.from({ length: 50 }, (_, at) => Buffer.alloc(10_000, at));
    const { path, hash } = await download(Readable.from(parts), directory, never);
    expect((await readFile(path)).equals(Buffer.concat(parts))).toBe(true);
    expect(hash).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
  });
  it('rejects when the stream fails', async () => {
    const body = new PassThrough();
    body.write('beginning');
    setImmediate(() => body.destroy(new Error('the connection was lost')));
    await expect(download(body, directory, never)).rejects.toThrow('the connection was lost');
  });
  it('ends a stalled stream when the signal aborts', async () => {
    const body = new PassThrough();
    body.write('beginning');
    const over = new AbortController();
    const downloading = download(body, directory, over.signal);
    setImmediate(() => over.abort());
    await expect(downloading).rejects.toThrow('abort');
    expect(body.destroyed).toBe(true);
  });
  it('rejects if the signal has already aborted', async () => {
    await expect(download(Readable.from(['text']), directory, AbortSignal.abort())).rejects.toThrow('abort');
  });
  it('ends the stream when the directory is gone', async () => {
    const body = new PassThrough();
    await expect(download(body, join(directory, 'gone'), never)).rejects.toThrow('ENOENT');
    expect(body.destroyed).toBe(true);
  });
});
