import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentsToRead } from '../test/documents-to-read.ts';
import { pdf } from '../test/pdf.ts';
import type { DrawnPage } from './drawn-page.ts';
import { MAX_PAGES_FOR_MODEL, PAGE_PIXELS, PAGES_AT_ONCE } from './limits.ts';

const drawing = { drawsPages: true };

/** Width and height of a JPEG, from its frame header. */
function sizeOf(jpeg: Uint8Array): readonly [number, number] {
  const bytes = Buffer.from(jpeg);
  let at = 2;
  for (; ![0xc0, 0xc1, 0xc2].includes(bytes[at + 1]!); at += 2 + bytes.readUInt16BE(at + 2));
  return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
}

describe('a PDF whose pages a model reads', () => {
  let documents: DocumentsToRead;
  beforeAll(async () => {
    documents = await DocumentsToRead.open();
  });
  afterAll(() => documents.close());

  it('passes each page as a picture with its own text, a few at a time', () =>
    documents.withReader(drawing, async (reader) => {
      const given: (readonly DrawnPage[])[] = [];
      const readPages = async (pages: readonly DrawnPage[]) => {
        given.push(pages);
        return pages.map(({ number }) => `# Chapter ${number}\n\nRead from page ${number}.`);
      };
      const { all, type } = await documents.read(reader, 'a.pdf', pdf(['One.', '', 'Three.', 'Four.', 'Five.']), { readPages });
      expect(type).toBe('pdf');
      expect(given.map((pages) => pages.map(({ number, text }) => [number, text.trim()]))).toEqual([
        [
          [1, 'One.'],
          [2, ''],
          [3, 'Three.'],
          [4, 'Four.'],
        ],
        [[5, 'Five.']],
      ]);
      expect(given[0]).toHaveLength(PAGES_AT_ONCE);
      expect(sizeOf(given[0]![0]!.image)).toEqual([(PAGE_PIXELS * 600) / 800, PAGE_PIXELS]);
      expect(all.map(({ page_number, heading, text }) => [page_number, heading, text])).toEqual(
        [1, 2, 3, 4, 5].map((page) => [page, `Chapter ${page}`, `# Chapter ${page}\n\nRead from page ${page}.`]),
      );
    }));

  it('draws the content of a page: the pictures of an empty and a full page differ', () =>
    documents.withReader(drawing, async (reader) => {
      let sizes: readonly number[] = [];
      const readPages = async (pages: readonly DrawnPage[]) => {
        sizes = pages.map(({ image }) => image.length);
        return pages.map(() => 'Read.');
      };
      await documents.read(reader, 'a.pdf', pdf(['', 'A line of text. '.repeat(4).concat('\n').repeat(30)]), { readPages });
      expect(sizes[1]! / sizes[0]!).toBeGreaterThan(2);
    }));

  it('is refused as without text if the model finds none', () =>
    documents.withReader(drawing, async (reader) => {
      const readPages = async (pages: readonly DrawnPage[]) => pages.map(() => ' ');
      await expect(documents.read(reader, 'a.pdf', pdf(['One.']), { readPages })).rejects.toMatchObject({ code: 'no_text' });
    }));

  it('is refused if it has more pages than a model reads', () =>
    documents.withReader(drawing, async (reader) => {
      const readPages = async (pages: readonly DrawnPage[]) => pages.map(() => 'Read.');
      const read = documents.read(reader, 'a.pdf', pdf(Array.from({ length: MAX_PAGES_FOR_MODEL + 1 }, () => '')), { readPages });
      await expect(read).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('parsing_model') });
    }));

  it("rejects with the model's failure, and the process reads the next file", () =>
    documents.withReader(drawing, async (reader) => {
      const readPages = async () => {
        throw new Error('the model is unavailable');
      };
      await expect(documents.read(reader, 'a.pdf', pdf(['One.']), { readPages })).rejects.toThrow('the model is unavailable');
      expect(await documents.read(reader, 'a.txt', 'Text.')).toMatchObject({ type: 'text' });
    }));

  it('needs a reader that may draw pages', () =>
    documents.withReader({}, async (reader) => {
      await expect(documents.read(reader, 'a.pdf', pdf(['One.']), { readPages: async () => [] })).rejects.toBeInstanceOf(RangeError);
    }));
});
