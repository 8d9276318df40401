import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Chunk, Chunking } from './chunk.ts';
import { BATCH_TEXT, MAX_SENT_BYTES, SMALL_FILE_BYTES } from './limits.ts';
import { children, CHUNKING, DocumentsToRead, WORDS } from '../test/documents-to-read.ts';
import { hiddenBomb } from '../test/pdf.ts';

const documents = await DocumentsToRead.open();
afterAll(() => documents.close());

describe('a reader of documents', () => {
  it('returns the chunks of a file, and its type and title', () =>
    documents.withReader({}, async (reader) => {
      const { all, ...result } = await documents.read(reader, 'a.md', '# Title\n\nText.');
      expect(result).toEqual({ type: 'markdown', title: 'Title', chunks: 1, tokens: all[0]!.tokens });
      expect(all).toMatchObject([{ ordinal: 0, text: '# Title\n\nText.', parent: null, page_number: null, heading: 'Title' }]);
    }));

  it('reads a file that is not on disk', () =>
    documents.withReader({}, async (reader) => {
      const texts: string[] = [];
      const onChunks = async (batch: readonly Chunk[]) => void texts.push(...batch.map(({ text }) => text));
      const sent = (bytes: Uint8Array) =>
        reader.read({ bytes, name: 'a.txt', contentType: null, sourceId: 'a' }, CHUNKING, { account: 'ann', onChunks });
      expect(await sent(Buffer.from('x Text. x').subarray(2, 7))).toMatchObject({ type: 'text', chunks: 1 });
      expect(texts).toEqual(['Text.']);
      await expect(sent(new Uint8Array(MAX_SENT_BYTES + 1))).rejects.toBeInstanceOf(RangeError);
    }));

  it('delivers batches of bounded size, one at a time', () =>
    documents.withReader({}, async (reader) => {
      let open = 0;
      let batches = 0;
      let next = 0;
      const onChunks = async (batch: readonly Chunk[]) => {
        expect(++open).toBe(1);
        expect(batch.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(BATCH_TEXT);
        for (const { ordinal } of batch) expect(ordinal).toBe(next++);
        batches++;
        await new Promise((resolve) => setImmediate(resolve));
        open--;
      };
      const { chunks } = await documents.read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks });
      expect(next).toBe(chunks);
      expect(batches).toBeGreaterThan(3);
    }));

  it('requests vectors if a model compares the sentences', () =>
    documents.withReader({}, async (reader) => {
      const chunking: Chunking = {
        chunking_strategy: 'semantic',
        semantic_chunking_configuration: { max_tokens: 300, buffer_size: 0, breakpoint_percentile_threshold: 60 },
      };
      const embed = async (batch: readonly string[]) => batch.map((text) => Float32Array.from(text.startsWith('A') ? [1, 0] : [0, 1]));
      const { all } = await documents.read(reader, 'a.txt', 'A one. A two. Be three. Be four.', { embed }, chunking);
      expect(all.map(({ text }) => text)).toEqual(['A one. A two.', 'Be three. Be four.']);
    }));

  it('rejects with the error of onChunks, and continues with the same process', () =>
    documents.withReader({}, async (reader) => {
      const failure = new Error('The index is full.');
      const onChunks = () => Promise.reject(failure);
      await expect(documents.read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks })).rejects.toBe(failure);
      const before = children();
      await expect(documents.read(reader, 'a.txt', 'short', { onChunks })).rejects.toBe(failure);
      expect((await documents.read(reader, 'a.txt', 'short')).chunks).toBe(1);
      expect(children()).toEqual(before);
    }));

  it('stops when the signal is aborted', () =>
    documents.withReader({}, async (reader) => {
      const controller = new AbortController();
      const reason = new Error('A newer version was saved.');
      const onChunks = async () => controller.abort(reason);
      await expect(documents.read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks, signal: controller.signal })).rejects.toBe(
        reason,
      );
      await expect(documents.read(reader, 'a.txt', 'short', { signal: controller.signal })).rejects.toBe(reason);
      expect((await documents.read(reader, 'a.txt', 'short')).chunks).toBe(1);
    }));

  it('reads as many documents concurrently as it has processes, in order', () =>
    documents.withReader({ processes: 2 }, async (reader) => {
      let open = 0;
      let most = 0;
      const done: number[] = [];
      const onChunks = async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
      };
      await Promise.all(
        Array.from({ length: 12 }, (_, at) => documents.read(reader, 'a.txt', `Text ${at}.`, { onChunks }).then(() => done.push(at))),
      );
      expect(done).toHaveLength(12);
      expect(most).toBeLessThanOrEqual(2);
      expect(children().length).toBeLessThanOrEqual(2);
    }));

  it('reads a small file of another account while large ones are read, and other files wait', () =>
    documents.withReader({}, async (reader) => {
      const done: string[] = [];
      const reading = (account: string, name: string, content: string | Buffer) =>
        documents.read(reader, name, content, { account }).then(
          () => done.push(account),
          () => done.push(account),
        );
      const large = Array.from({ length: 6 }, (_, nth) =>
        reading(`attacker ${nth}`, 'a.pdf', Buffer.concat([hiddenBomb(), Buffer.alloc(SMALL_FILE_BYTES)])),
      );
      await waitFor(() => children().length > 0, { what: 'a process' });
      await reading('ann', 'a.txt', '0123456789');
      expect(done).toEqual(['ann']);
      await reader.close();
      await Promise.all(large);
    }));

  it('drops slow small files in favour of other small ones, and reads them again from the beginning', () =>
    documents.withReader({}, async (reader) => {
      const done: string[] = [];
      const reading = (account: string, content: string | Buffer, name = 'a.pdf') =>
        documents.read(reader, name, content, { account }).finally(() => done.push(account));
      const slow = [reading('ben', hiddenBomb(25_000_000)), reading('cid', hiddenBomb(25_000_000))];
      await waitFor(() => children().length === 2, { what: 'two processes' });
      await reading('ann', '0123456789', 'a.txt');
      expect(done).toEqual(['ann']);
      // Each of them gets its full time. Whether that is enough depends on the machine.
      for (const ended of await Promise.allSettled(slow))
        expect(ended).toMatchObject({ reason: { code: expect.stringMatching(/^(timeout|no_text)$/) } });
    }));

  it('allows a small file less time than a large one', () =>
    documents.withReader({ timeoutMillis: 120_000 }, async (reader) => {
      await expect(documents.read(reader, 'a.pdf', hiddenBomb())).rejects.toMatchObject({ code: 'timeout' });
    }));

  it('starts no second process for sequential files', () =>
    documents.withReader({}, async (reader) => {
      for (let nth = 0; nth < 3; nth++) await documents.read(reader, 'a.txt', 'text');
      expect(children()).toHaveLength(1);
    }));

  it('rejects a file that waits longer than its caller allows', () =>
    documents.withReader({ processes: 1 }, async (reader) => {
      const busy = { name: 'DocumentReaderBusy' };
      const onChunks = () => expect(documents.read(reader, 'a.txt', 'text', { waitMillis: 1 })).rejects.toMatchObject(busy);
      expect((await documents.read(reader, 'a.txt', 'text', { onChunks })).chunks).toBe(1);
    }));

  it('refuses an invalid chunking', () =>
    documents.withReader({}, async (reader) => {
      const chunking: Chunking = {
        chunking_strategy: 'fixed_size',
        fixed_size_chunking_configuration: { max_tokens: 0, overlap_percentage: 0 },
      };
      await expect(documents.read(reader, 'a.txt', 'text', {}, chunking)).rejects.toMatchObject({ code: 'chunking_invalid' });
    }));

  it('fails for a missing file, without calling it damaged', () =>
    documents.withReader({}, async (reader) => {
      const missing = { path: join(documents.folder, 'missing'), name: 'a.txt', contentType: null, sourceId: 'a' };
      await expect(reader.read(missing, CHUNKING, { account: 'ann', onChunks: async () => {} })).rejects.toMatchObject({
        name: 'DocumentReaderFailed',
      });
    }));

  it('leaves nothing on the disk', () =>
    documents.withReader({}, async (reader) => {
      await documents.read(reader, 'a.txt', 'text');
      const scratch = join(documents.folder, 'scratch');
      const [own, ...others] = await readdir(scratch);
      expect([others, await readdir(join(scratch, own!))]).toEqual([[], []]);
      await reader.close();
      expect(await readdir(scratch)).toEqual([]);
    }));

  it('ends an idle process, and starts another', () =>
    documents.withReader({ idleMillis: 1 }, async (reader) => {
      await documents.read(reader, 'a.txt', 'text');
      await waitFor(() => children().length === 0, { what: 'the idle process to end' });
      expect((await documents.read(reader, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('rejects running and waiting reads when it is closed', () =>
    documents.withReader({ processes: 1 }, async (reader) => {
      let waiting: Promise<unknown> | undefined;
      const onChunks = async () => {
        waiting ??= reader.read({ bytes: Buffer.from('text'), name: 'a.txt', contentType: null, sourceId: 'a' }, CHUNKING, {
          account: 'ben',
          onChunks: async () => {},
        });
        waiting.catch(() => {});
        await new Promise((resolve) => setImmediate(resolve));
        await reader.close();
      };
      const closed = { name: 'DocumentReaderFailed' };
      await expect(documents.read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks })).rejects.toMatchObject(closed);
      await expect(waiting).rejects.toMatchObject(closed);
      expect(children()).toEqual([]);
    }));
});

it('reports a failure of the reader if a folder cannot be created, for example on a full disk', async () => {
  const { path: directory } = await documents.file('a.txt', 'no folder');
  await documents.withReader({ directory }, async (reader) => {
    await expect(documents.read(reader, 'a.txt', 'text')).rejects.toMatchObject({
      name: 'DocumentReaderFailed',
      message: 'The folder of a process could not be made (EEXIST).',
    });
  });
});

describe('a process', () => {
  it('that the system kills refuses its file, and the next file is read', () =>
    documents.withReader({}, async (reader) => {
      await documents.read(reader, 'a.txt', 'text');
      const [pid] = children();
      const onChunks = async () => {
        process.kill(pid!, 'SIGKILL');
        await waitFor(() => !children().includes(pid!), { what: 'the process to end' });
      };
      await expect(documents.read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks })).rejects.toMatchObject({
        code: 'memory_exceeded',
      });
      expect((await documents.read(reader, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('that ends while idle goes unnoticed: another process reads the next file', () =>
    documents.withReader({ processes: 1 }, async (reader) => {
      await documents.read(reader, 'a.txt', 'text');
      process.kill(children()[0]!, 'SIGKILL');
      // The end of the process is not known yet when the file is sent.
      const { path } = await documents.file('a.txt', 'text');
      const reads = ['path', 'bytes'].map((by) =>
        reader.read(
          { name: 'a.txt', contentType: null, sourceId: 'a', ...(by === 'path' ? { path } : { bytes: Buffer.from('text') }) } as never,
          CHUNKING,
          { account: 'ann', onChunks: async () => {} },
        ),
      );
      expect((await Promise.all(reads)).map(({ chunks }) => chunks)).toEqual([1, 1]);
    }));

  it('that outlives its parent ends, even while it is busy', async () => {
    const { path } = await documents.file('a.txt', 'Many words are here. '.repeat(2_000_000));
    const program = `
      import { readFileSync } from 'node:fs';
      import { DocumentReader } from ${JSON.stringify(new URL('./document-reader.ts', import.meta.url).href)};
      const reader = new DocumentReader({ directory: ${JSON.stringify(documents.folder)} });
      const chunking = ${JSON.stringify(CHUNKING)};
      const file = { path: ${JSON.stringify(path)}, name: 'a.txt', contentType: null, sourceId: 'a' };
      void reader.read(file, chunking, { account: 'ann', onChunks: async () => { console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8')); } });`;
    const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let pid = 0;
    for await (const line of createInterface({ input: parent.stdout })) {
      pid = Number(line);
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      parent.kill('SIGKILL');
      await waitFor(() => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')), {
        what: 'the process to end',
      });
      break;
    }
    expect(pid).toBeGreaterThan(0);
  });
});

it('reports why a process cannot be started', () =>
  documents.withReader({ memoryMebibytes: 4 }, async (reader) => {
    await expect(documents.read(reader, 'a.txt', 'text')).rejects.toMatchObject({
      name: 'DocumentReaderFailed',
      message: 'The process that reads documents could not be started.',
      cause: expect.objectContaining({ message: expect.stringContaining('out of memory') }),
    });
  }));
