import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { docx, epub, paragraph, xlsx } from '../test/office.ts';
import { bombPage, hiddenBomb, pdf } from '../test/pdf.ts';
import { zip } from '../test/zip.ts';
import { DocumentReader } from './document-reader.ts';
import { DocumentsToRead, WORDS } from '../test/documents-to-read.ts';

let documents: DocumentsToRead;
beforeAll(async () => {
  documents = await DocumentsToRead.open();
});
afterAll(() => documents.close());

const ENTITIES = `<!DOCTYPE a [<!ENTITY x0 "ha">${Array.from({ length: 30 }, (_, at) => `<!ENTITY x${at + 1} "&x${at};&x${at};">`).join('')}]>`;
const MIB = 1024 * 1024;

describe('hostile files', () => {
  let reader: DocumentReader;
  beforeAll(() => {
    reader = new DocumentReader({ directory: join(documents.folder, 'scratch'), memoryMebibytes: 320, timeoutMillis: 15_000 });
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
      'many entries that are large in total',
      'a.docx',
      () => docx('', { extra: Array.from({ length: 60 }, (_, at) => ({ name: `word/n${at}.xml`, data: zeros.subarray(0, 3 * MIB) })) }),
      ['too_large'],
    ],
    [
      'an entry with a suspicious compression ratio',
      'a.docx',
      () => docx('', { extra: [{ name: 'word/footnotes.xml', data: zeros.subarray(0, 20 * MIB) }] }),
      ['unsafe'],
    ],
    [
      'two entries with one name',
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
    ['a PDF with an endlessly inflating stream, packed twice', 'a.pdf', () => pdf([], { contents: [bombPage(300 * MIB)] }), ['unsafe']],
    [
      'a PDF of 400 KB that inflates to 400 MB',
      'a.pdf',
      () => pdf([], { contents: [{ dictionary: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(400_000_000, ' ')) }] }),
      ['too_large'],
    ],
    [
      'a PDF whose streams are large in total',
      'a.pdf',
      () =>
        pdf([], {
          contents: Array.from({ length: 60 }, () => ({
            dictionary: '/Filter /FlateDecode',
            data: deflateSync(zeros.subarray(0, 3 * MIB)),
          })),
        }),
      ['too_large'],
    ],
    ['a PDF that hides its inflated size', 'a.pdf', () => hiddenBomb(), ['memory_exceeded', 'timeout', 'damaged', 'no_text']],
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
    ['HTML nested with unknown tags', 'a.html', () => `<html><body>${'<x-y>'.repeat(50_000)}x`, ['too_deep', 'timeout']],
    ['more text than is allowed', 'a.txt', () => 'word '.repeat(10_000_001), ['too_large']],
    ['more bytes than are allowed', 'a.txt', () => Buffer.alloc(101 * MIB, 'a'), ['too_large']],
  ];

  it.each(bombs)('are refused with a reason, and the next file is read: %s', async (_, name, content, codes) => {
    const error: { code?: string; message: string } = await documents.read(reader, name, content()).then(
      ({ all }) => ({ message: `was read: ${all[0]?.text.slice(0, 100)}` }),
      (reason) => reason,
    );
    expect(codes).toContain(error.code ?? error.message);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect((await documents.read(reader, 'a.txt', 'text')).chunks).toBe(1);
  });

  it('that take too long are refused, and their process ends', () =>
    // The first file takes several times the limit, the second a small part of it.
    documents.withReader({ timeoutMillis: 1_500 }, async (impatient) => {
      await expect(documents.read(impatient, 'a.txt', 'Many words are here. '.repeat(2_000_000))).rejects.toMatchObject({
        code: 'timeout',
      });
      expect((await documents.read(impatient, 'a.txt', 'text')).chunks).toBe(1);
    }));

  it('that take too much memory are refused, and their process ends', () =>
    documents.withReader({ memoryMebibytes: 160 }, async (small) => {
      const rows = `${'column,'.repeat(30)}\n${`${'1,'.repeat(30)}\n`.repeat(400_000)}`;
      await expect(documents.read(small, 'a.csv', rows)).rejects.toMatchObject({ code: 'memory_exceeded' });
    }));

  it("are not charged for the caller's time", () =>
    documents.withReader({ timeoutMillis: 60_000 }, async (patient) => {
      let waited = 0;
      const { now } = performance;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + waited);
      const onChunks = async () => void (waited += 100_000);
      try {
        const { chunks } = await documents.read(patient, 'a.txt', `${WORDS}\n\n`.repeat(150), { onChunks });
        expect([chunks > 100, waited > 100_000]).toEqual([true, true]);
      } finally {
        clock.mockRestore();
      }
    }));
});
