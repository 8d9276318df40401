import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { docx, epub, paragraph, xlsx } from '../test/office.ts';
import { bombPage, pdf } from '../test/pdf.ts';
import { zip } from '../test/zip.ts';
import type { Chunk, Chunking } from './chunk.ts';
import { DocumentReader, type DocumentReaderOptions } from './document-reader.ts';
import { BATCH_TEXT, MAX_SENT_BYTES } from './limits.ts';
import type { ReadOptions } from './process/reading-process.ts';

const CHUNKING: Chunking = {
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens: 300, overlap_percentage: 20 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The processes that this one has started, without zombies. */
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Runs a test with a reader that is closed afterwards. */
async function withReader(options: Partial<DocumentReaderOptions>, test: (reader: DocumentReader) => Promise<void>): Promise<void> {
  const reader = new DocumentReader({ directory: join(folder, 'scratch'), ...options });
  try {
    await test(reader);
  } finally {
    await reader.close();
  }
}

let files = 0;
async function file(name: string, content: string | Buffer) {
  const path = join(folder, String(++files));
  await writeFile(path, content);
  return { path, name, contentType: null, sourceId: name };
}

async function read(
  reader: DocumentReader,
  name: string,
  content: string | Buffer,
  options: Partial<ReadOptions> = {},
  chunking = CHUNKING,
) {
  const chunks: Chunk[] = [];
  const onChunks = async (batch: readonly Chunk[]) => {
    chunks.push(...batch);
  };
  const result = await reader.read(await file(name, content), chunking, { onChunks, ...options });
  return { ...result, all: chunks };
}

const WORDS = Array.from({ length: 200 }, (_, at) => `Word ${at} is here.`).join(' ');

describe('a reader of documents', () => {
  it('gives the chunks of a file, and what it is', () =>
    withReader({}, async (reader) => {
      const { all, ...result } = await read(reader, 'a.md', '# Title\n\nText.');
      expect(result).toEqual({ type: 'markdown', title: 'Title', chunks: 1, tokens: all[0]!.tokens });
      expect(all).toMatchObject([{ ordinal: 0, text: '# Title\n\nText.', parent: null, page_number: null, heading: 'Title' }]);
    }));

  it('reads a file that is nowhere on a disk', () =>
    withReader({}, async (reader) => {
      const texts: string[] = [];
      const onChunks = async (batch: readonly Chunk[]) => void texts.push(...batch.map(({ text }) => text));
      const sent = (bytes: Uint8Array) => reader.read({ bytes, name: 'a.txt', contentType: null, sourceId: 'a' }, CHUNKING, { onChunks });
      expect(await sent(Buffer.from('x Text. x').subarray(2, 7))).toMatchObject({ type: 'text', chunks: 1 });
      expect(texts).toEqual(['Text.']);
      await expect(sent(new Uint8Array(MAX_SENT_BYTES + 1))).rejects.toBeInstanceOf(RangeError);
    }));

  it('hands over batches of bounded size, one at a time', () =>
    withReader({}, async (reader) => {
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
      const { chunks } = await read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks });
      expect(next).toBe(chunks);
      expect(batches).toBeGreaterThan(3);
    }));

  it('asks for vectors where sentences are compared by a model', () =>
    withReader({}, async (reader) => {
      const chunking: Chunking = {
        chunking_strategy: 'semantic',
        semantic_chunking_configuration: { max_tokens: 300, buffer_size: 0, breakpoint_percentile_threshold: 60 },
      };
      const embed = async (batch: readonly string[]) => batch.map((text) => Float32Array.from(text.startsWith('A') ? [1, 0] : [0, 1]));
      const { all } = await read(reader, 'a.txt', 'A one. A two. Be three. Be four.', { embed }, chunking);
      expect(all.map(({ text }) => text)).toEqual(['A one. A two.', 'Be three. Be four.']);
    }));

  it('rejects with what onChunks rejected with, and goes on with the same process', () =>
    withReader({}, async (reader) => {
      const failure = new Error('The index is full.');
      const onChunks = () => Promise.reject(failure);
      await expect(read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks })).rejects.toBe(failure);
      const before = children();
      await expect(read(reader, 'a.txt', 'short', { onChunks })).rejects.toBe(failure);
      expect((await read(reader, 'a.txt', 'short')).chunks).toBe(1);
      expect(children()).toEqual(before);
    }));

  it('stops when the signal says so', () =>
    withReader({}, async (reader) => {
      const controller = new AbortController();
      const reason = new Error('A newer version was saved.');
      const onChunks = async () => controller.abort(reason);
      await expect(read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks, signal: controller.signal })).rejects.toBe(reason);
      await expect(read(reader, 'a.txt', 'short', { signal: controller.signal })).rejects.toBe(reason);
      expect((await read(reader, 'a.txt', 'short')).chunks).toBe(1);
    }));

  it('reads as many documents at the same time as it has processes, in order', () =>
    withReader({ processes: 2 }, async (reader) => {
      let open = 0;
      let most = 0;
      const done: number[] = [];
      const onChunks = async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
      };
      await Promise.all(
        Array.from({ length: 12 }, (_, at) => read(reader, 'a.txt', `Text ${at}.`, { onChunks }).then(() => done.push(at))),
      );
      expect(done).toHaveLength(12);
      expect(most).toBeLessThanOrEqual(2);
      expect(children().length).toBeLessThanOrEqual(2);
    }));

  it('refuses a chunking that makes no sense', () =>
    withReader({}, async (reader) => {
      const chunking: Chunking = {
        chunking_strategy: 'fixed_size',
        fixed_size_chunking_configuration: { max_tokens: 0, overlap_percentage: 0 },
      };
      await expect(read(reader, 'a.txt', 'text', {}, chunking)).rejects.toMatchObject({ code: 'chunking_invalid' });
    }));

  it('fails for a file that is not there, without calling it damaged', () =>
    withReader({}, async (reader) => {
      const missing = { path: join(folder, 'missing'), name: 'a.txt', contentType: null, sourceId: 'a' };
      await expect(reader.read(missing, CHUNKING, { onChunks: async () => {} })).rejects.toMatchObject({ name: 'DocumentReaderFailed' });
    }));

  it('ends its process when it is idle, and starts another', () =>
    withReader({ idleMillis: 1 }, async (reader) => {
      await read(reader, 'a.txt', 'text');
      await waitFor(() => children().length === 0, { what: 'the idle process to end' });
      expect((await read(reader, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('rejects what is in progress and what waits when it is closed', () =>
    withReader({}, async (reader) => {
      const [long, short] = [
        await file(
          'a.txt',
          `${WORDS}

`.repeat(150),
        ),
        await file('a.txt', 'text'),
      ];
      const first = reader.read(long, CHUNKING, { onChunks: () => reader.close() });
      const second = reader.read(short, CHUNKING, { onChunks: async () => {} });
      const both = await Promise.allSettled([first, second]);
      for (const { status, ...rest } of both)
        expect([status, rest]).toMatchObject(['rejected', { reason: { name: 'DocumentReaderFailed' } }]);
      expect(children()).toEqual([]);
    }));
});

const ENTITIES = `<!DOCTYPE a [<!ENTITY x0 "ha">${Array.from({ length: 30 }, (_, at) => `<!ENTITY x${at + 1} "&x${at};&x${at};">`).join('')}]>`;
const MIB = 1024 * 1024;

describe('hostile files', () => {
  let reader: DocumentReader;
  beforeAll(() => {
    reader = new DocumentReader({ directory: join(folder, 'scratch'), memoryMebibytes: 320, timeoutMillis: 15_000 });
  });
  afterAll(() => reader.close());

  const zeros = Buffer.alloc(100 * MIB);
  const bombs: readonly [string, string, () => string | Buffer, readonly string[]][] = [
    ['a zip bomb', 'a.docx', () => docx('', { extra: [{ name: 'word/footnotes.xml', data: zeros }] }), ['too_large']],
    [
      'a zip bomb that lies about its size',
      'a.docx',
      () => docx('', { extra: [{ name: 'word/footnotes.xml', data: zeros, declaredSize: 1000 }] }),
      ['damaged'],
    ],
    [
      'many entries that are large together',
      'a.docx',
      () => docx('', { extra: Array.from({ length: 60 }, (_, at) => ({ name: `word/n${at}.xml`, data: zeros.subarray(0, 3 * MIB) })) }),
      ['too_large'],
    ],
    [
      'an entry that unpacks far too well',
      'a.docx',
      () => docx('', { extra: [{ name: 'word/footnotes.xml', data: zeros.subarray(0, 20 * MIB) }] }),
      ['unsafe'],
    ],
    [
      'two entries of one name',
      'a.docx',
      () =>
        zip([
          { name: '[Content_Types].xml', data: '1' },
          { name: '[Content_Types].xml', data: '2' },
        ]),
      ['damaged'],
    ],
    ['a name outside the archive', 'a.docx', () => docx('', { extra: [{ name: '../../evil.xml', data: 'x' }] }), ['damaged']],
    ['XML entities in DOCX', 'a.docx', () => docx(paragraph('x').replace('>x<', '>&x30;<'), { prologue: ENTITIES }), ['unsafe']],
    ['XML entities in EPUB', 'a.epub', () => epub('x', ['<html><body>&x30;</body></html>'], ENTITIES), ['unsafe']],
    ['XML entities in a chapter of EPUB', 'a.epub', () => epub('x', [`${ENTITIES}<html><body>&x30;</body></html>`]), ['unsafe']],
    [
      'a PDF with a stream that inflates without end',
      'a.pdf',
      () => pdf([], { contents: [bombPage(300 * MIB)] }),
      ['memory_exceeded', 'timeout', 'damaged', 'no_text'],
    ],
    [
      'a PDF whose pages contain themselves',
      'a.pdf',
      () => Buffer.from(pdf(['x']).toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1'),
      ['damaged', 'no_text'],
    ],
    [
      'a sheet with a cell in column 1,000,000',
      'a.xlsx',
      () => xlsx({ A: [] }, '<row r="1"><c r="BDWGN1"><v>1</v></c></row>'),
      ['too_large'],
    ],
    [
      'a sheet with cells far apart',
      'a.xlsx',
      () => xlsx({ A: [] }, '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
      ['too_large'],
    ],
    ['a quote that is never closed', 'a.csv', () => `a,b\n1,"${'x'.repeat(5_000_000)}`, ['damaged']],
    ['a row with millions of cells', 'a.csv', () => 'a,'.repeat(2_000_000), ['too_large']],
    ['deep JSON', 'a.json', () => '['.repeat(1_000_000), ['too_deep']],
    ['deep HTML', 'a.html', () => `<html><body>${'<div>'.repeat(200_000)}x`, ['too_deep']],
    ['HTML nested by tags of no meaning', 'a.html', () => `<html><body>${'<x-y>'.repeat(100_000)}x`, ['too_deep', 'timeout']],
    ['more text than is allowed', 'a.txt', () => 'word '.repeat(10_000_001), ['too_large']],
    ['more bytes than are allowed', 'a.txt', () => Buffer.alloc(101 * MIB, 'a'), ['too_large']],
  ];

  it.each(bombs)('are refused with a reason, and the next file is read: %s', async (_, name, content, codes) => {
    const error: { code?: string; message: string } = await read(reader, name, content()).then(
      ({ all }) => ({ message: `was read: ${all[0]?.text.slice(0, 100)}` }),
      (reason) => reason,
    );
    expect(codes).toContain(error.code ?? error.message);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect((await read(reader, 'a.txt', 'text')).chunks).toBe(1);
  });

  it('that take too long end with their process', () =>
    // The first file takes several times as long, the second a small part of it.
    withReader({ timeoutMillis: 1_500 }, async (impatient) => {
      await expect(read(impatient, 'a.txt', 'Many words are here. '.repeat(2_000_000))).rejects.toMatchObject({ code: 'timeout' });
      expect((await read(impatient, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('that take too much memory end with their process', () =>
    withReader({ memoryMebibytes: 160 }, async (small) => {
      const rows = `${'column,'.repeat(30)}\n${`${'1,'.repeat(30)}\n`.repeat(400_000)}`;
      await expect(read(small, 'a.csv', rows)).rejects.toMatchObject({ code: 'memory_exceeded' });
    }));

  it('do not count the time that the caller takes', () =>
    withReader({ timeoutMillis: 60_000 }, async (patient) => {
      let taken = 0;
      const { now } = performance;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + taken);
      const onChunks = async () => void (taken += 100_000);
      try {
        const { chunks } = await read(patient, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks });
        expect([chunks > 100, taken > 100_000]).toEqual([true, true]);
      } finally {
        clock.mockRestore();
      }
    }));
});

describe('the end of a process', () => {
  it('by the system is a refusal, and the next file is read', () =>
    withReader({}, async (reader) => {
      await read(reader, 'a.txt', 'text');
      const [pid] = children();
      const onChunks = async () => {
        process.kill(pid!, 'SIGKILL');
        await waitFor(() => !children().includes(pid!), { what: 'the process to end' });
      };
      await expect(read(reader, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks })).rejects.toMatchObject({ code: 'memory_exceeded' });
      expect((await read(reader, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('follows that of its parent, also while it is busy', async () => {
    const { path } = await file('a.txt', 'Many words are here. '.repeat(2_000_000));
    const program = `
      import { readFileSync } from 'node:fs';
      import { DocumentReader } from ${JSON.stringify(new URL('./document-reader.ts', import.meta.url).href)};
      const reader = new DocumentReader({ directory: ${JSON.stringify(folder)} });
      const chunking = ${JSON.stringify(CHUNKING)};
      const file = { path: ${JSON.stringify(path)}, name: 'a.txt', contentType: null, sourceId: 'a' };
      void reader.read(file, chunking, { onChunks: async () => { console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8')); } });`;
    const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: parent.stdout })) {
      const pid = Number(line);
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      parent.kill('SIGKILL');
      await waitFor(() => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')), {
        what: 'the process to end',
      });
      break;
    }
  });
});
