import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Chunk, Chunking } from './chunk.ts';
import { docx, epub, paragraph, pptx, table, xlsx } from '../test/office.ts';
import { pdf } from '../test/pdf.ts';
import { zip } from '../test/zip.ts';
import { readDocument } from './read-document.ts';

const folder = await mkdtemp(join(tmpdir(), 'documents-'));
afterAll(() => rm(folder, { recursive: true }));

const small: Chunking = {
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens: 40, overlap_percentage: 0 },
};

interface Options {
  readonly contentType?: string;
  readonly chunking?: Chunking;
  readonly isWebPage?: boolean;
}

async function read(
  name: string,
  content: string | Buffer,
  { contentType, chunking = { chunking_strategy: 'none' }, isWebPage }: Options = {},
) {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const chunks: Chunk[] = [];
  const file = { path, name, contentType: contentType ?? null, sourceId: 'source', isWebPage: isWebPage === true };
  const result = await readDocument(file, chunking, (chunk) => {
    chunks.push(chunk);
  });
  return { ...result, all: chunks, text: chunks.map(({ text }) => text).join('\n\n') };
}

const refusal = (name: string, content: string | Buffer, options?: Options) =>
  read(name, content, options).then(
    ({ type }) => `read as ${type}`,
    (error: { code: string }) => error.code,
  );

describe('PDF', () => {
  it('is read with its page numbers', async () => {
    const { type, pages, all } = await read('a.pdf', pdf(['The first page.', 'The second page.']), {
      chunking: { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens: 6, overlap_percentage: 0 } },
    });
    expect([type, pages]).toEqual(['pdf', 2]);
    expect(all.map(({ text, page_number }) => [text, page_number])).toEqual([
      ['The first page.', 1],
      ['The second page.', 2],
    ]);
  });

  it('is recognised by its header within the first kilobyte', async () => {
    expect((await read('a.bin', Buffer.concat([Buffer.from('junk\n'), pdf(['Text.'])]))).type).toBe('pdf');
  });

  it('has the title from its properties', async () => {
    expect((await read('a.pdf', pdf(['Text.'], { title: 'House rules' }))).title).toBe('House rules');
    expect((await read('a.pdf', pdf(['Text.']))).title).toBeNull();
  });

  it('without text is refused, with a remedy', async () => {
    await expect(read('scan.pdf', pdf(['']))).rejects.toMatchObject({ code: 'no_text', pages: 1, message: expect.stringContaining('OCR') });
  });

  it('that is protected with a password is refused', async () => {
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<aa> <aa>]`;
    expect(await refusal('a.pdf', pdf(['Text.'], { encrypt }))).toBe('encrypted');
  });

  it('that is damaged is refused', async () => {
    expect(await refusal('a.pdf', '%PDF-1.7 and nothing else')).toBe('damaged');
  });
});

describe('Office files', () => {
  it('DOCX keeps headings and tables', async () => {
    const body =
      paragraph('Prices', 'Heading1') +
      paragraph('All prices are monthly.') +
      table([
        ['Plan', 'Price'],
        ['Basic', '5 | 6'],
      ]);
    const { type, title, all, text } = await read('a.docx', docx(body));
    expect([type, title]).toEqual(['docx', 'Prices']);
    expect(text).toBe('Prices\n\nAll prices are monthly.\n\n| Plan | Price |\n| Basic | 5 \\| 6 |');
    expect(all[0]!.heading).toBe('Prices');
  });

  it('DOCX without a document is refused', async () => {
    const part = { name: 'word/document.xml', data: '<?xml version="1.0"?><nothing/>' };
    expect(await refusal('a.docx', zip([{ name: '[Content_Types].xml', data: '<Types/>' }, part]))).toBe('damaged');
  });

  it('XLSX rows have their column names, and each sheet is a heading', async () => {
    const book = xlsx({
      Staff: [
        ['Name', 'Age'],
        ['Anna', 41],
        ['Bo', 7],
      ],
      Rooms: [
        ['Room', 'Floor'],
        ['A1', 2],
      ],
    });
    const { text, all } = await read('a.xlsx', book, {
      chunking: { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens: 12, overlap_percentage: 0 } },
    });
    expect(text).toContain('Name: Anna\nAge: 41');
    expect(all.find((chunk) => chunk.text.includes('Room: A1'))!.heading).toBe('Rooms');
  });

  it('PPTX has slides in the order of the presentation, with their numbers, titles and notes', async () => {
    const { all } = await read(
      'a.pptx',
      pptx([
        { title: 'Start', text: 'Hello & welcome.' },
        { title: 'End', text: 'Bye.', notes: 'Say thanks.' },
      ]),
      {
        chunking: { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens: 9, overlap_percentage: 0 } },
      },
    );
    expect(all.map(({ text, page_number, heading }) => [text, page_number, heading])).toEqual([
      ['Start\n\nHello & welcome.', 1, 'Start'],
      ['End\n\nBye.\n\nSay thanks.', 2, 'End'],
    ]);
  });

  it.each([
    ['an encrypted entry', zip([{ name: '[Content_Types].xml', data: 'x', isEncrypted: true }])],
    [
      'an old Office container',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(64), Buffer.from('EncryptedPackage', 'utf16le')]),
    ],
  ])('protected with a password are refused: %s', async (_, bytes) => {
    expect(await refusal('a.docx', bytes)).toBe('encrypted');
  });
});

describe('EPUB', () => {
  it('has chapters in the order of the spine, with titles', async () => {
    const page = (title: string, text: string) =>
      `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body><p>${text}</p></body></html>`;
    const book = epub('The Book', [page('One', 'In the beginning.'), page('Two', 'In the end.')]);
    const { type, title, all } = await read('a.epub', book, {
      chunking: { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens: 5, overlap_percentage: 0 } },
    });
    expect([type, title]).toEqual(['epub', 'The Book']);
    expect(all.map(({ text, heading }) => [text, heading])).toEqual([
      ['In the beginning.', 'One'],
      ['In the end.', 'Two'],
    ]);
  });
});

describe('HTML', () => {
  const menu = '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">About us</a></li></ul></nav>';
  const article = `<article><h1>Leave</h1>${'<p>Each employee has thirty days of leave in a year, which must be requested in advance, in writing, and approved.</p>'.repeat(6)}<table><tr><th>Years</th><th>Days</th></tr><tr><td>5</td><td>32</td></tr></table></article>`;
  const page = `<!doctype html><html><head><title>Leave – Handbook</title><script>let x = 'no text';</script></head><body>${menu}<main>${article}</main><footer>Imprint</footer></body></html>`;

  it('of a file keeps everything visible', async () => {
    const { title, text } = await read('a.html', page);
    expect(title).toBe('Leave – Handbook');
    expect(text).toContain('- About us');
    expect(text).toContain('| Years | Days |\n| 5 | 32 |');
    expect(text).not.toContain('no text');
  });

  it('of a web page keeps the main text', async () => {
    const { text } = await read('a.html', page, { isWebPage: true });
    expect(text).toContain('thirty days of leave');
    expect(text).toContain('| 5 | 32 |');
    expect(text).not.toContain('Imprint');
  });

  it('is recognised by content despite the name of another type', async () => {
    expect((await read('a.pdf', page)).type).toBe('html');
  });

  it('keeps lines of code', async () => {
    expect((await read('a.html', '<p>Run:</p><pre>if a:\n    b()</pre>')).text).toBe('Run:\n\nif a:\n    b()');
  });
});

describe('tables and data', () => {
  it('CSV rows stay whole and contain their column names', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `"Person ${at}, Esq.",${at},"line\nbreak"`).join('\n');
    const { type, all } = await read('a.csv', `name,age,note\n${rows}`, { chunking: small });
    expect(type).toBe('csv');
    expect(all.length).toBeGreaterThan(3);
    for (const { text } of all)
      for (const row of text.split('\n\n')) expect(row).toMatch(/^name: Person \d+, Esq\.\nage: \d+\nnote: line\nbreak$/);
  });

  it('CSV cells beyond the named columns have the number of their column', async () => {
    expect((await read('a.csv', 'a,b\n1,2,3')).text).toBe('a: 1\nb: 2\ncolumn 3: 3');
  });

  it('CSV with semicolons and TSV are split at their delimiter', async () => {
    expect((await read('a.csv', 'a;b\n1;2\n3;4')).text).toBe('a: 1\nb: 2\n\na: 3\nb: 4');
    expect((await read('a.tsv', 'a\tb\n1,5\t2')).text).toBe('a: 1,5\nb: 2');
  });

  it('JSON values have paths', async () => {
    const { type, text } = await read('a.json', '{"a":{"b":[1,{"c d":"x"}]},"__proto__":null}');
    expect([type, text]).toEqual(['json', 'a.b[0]: 1\na.b[1]["c d"]: x\n__proto__: null']);
  });

  it('brackets in JSON strings are text, however many', async () => {
    const brackets = '['.repeat(5_000);
    expect((await read('a.json', JSON.stringify({ a: `${brackets}"${brackets}\\` }))).text).toBe(`a: ${brackets}"${brackets}\\`);
  });

  it('JSON lines are separate records', async () => {
    expect((await read('a.jsonl', '{"a":1}\n{"a":2}\n')).text).toBe('a: 1\n\na: 2');
  });

  it('invalid JSON is refused', async () => {
    expect(await refusal('a.json', '{"a":')).toBe('damaged');
  });
});

describe('text', () => {
  it('Markdown has headings, but not in code', async () => {
    const { title, all } = await read('a.md', '# Guide\n\nHello there.\n\n```\n# no heading\n```\n\nSetup\n-----\n\nInstall it now.', {
      chunking: { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens: 14, overlap_percentage: 0 } },
    });
    expect(title).toBe('Guide');
    expect(all.map(({ heading }) => heading)).toEqual(['Guide', 'Setup']);
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFGrüße')],
    ['UTF-16 little endian', Buffer.from('\uFEFFGrüße', 'utf16le')],
    ['UTF-16 big endian', Buffer.from('\uFEFFGrüße', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('Grüße', 'utf16le')],
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
  ])('is decoded: %s', async (_, bytes) => {
    expect((await read('a.txt', bytes)).text).toBe('Grüße');
  });

  it('of a tokenizer command is ordinary text', async () => {
    expect((await read('a.txt', 'before <|endoftext|> after')).text).toBe('before <|endoftext|> after');
  });
});

describe('the type', () => {
  it.each([
    ['an executable', 'setup.pdf', Buffer.concat([Buffer.from('MZ\u0090\u0000'), Buffer.alloc(200)])],
    ['an image', 'a.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an archive', 'a.docx', zip([{ name: 'a.txt', data: 'text' }])],
    ['Rich Text Format', 'a.txt', Buffer.from('{\\rtf1 text}')],
  ])('of %s is refused', async (_, name, bytes) => {
    expect(await refusal(name, bytes)).toBe('type_unknown');
  });

  it('of an archive is refused with one thing to do', async () => {
    const archive = zip([{ name: 'a.txt', data: 'text' }]);
    await expect(read('a.zip', archive)).rejects.toThrow(/^This file is an archive. Unpack it, and upload the files in it.$/);
  });

  it.each([
    ['a.txt', '{"a":1}', undefined, 'text'],
    ['a', '{"a":1}', undefined, 'json'],
    ['a', 'a,b\n1,2', 'text/csv; charset=utf-8', 'csv'],
    ['a.md', 'text', 'text/plain', 'markdown'],
    ['a.html', 'no tags', undefined, 'text'],
    ['a.docx', 'plain text', undefined, 'text'],
  ])('of the text %s depends on its name only if several types fit', async (name, content, contentType, type) => {
    expect((await read(name, content, contentType === undefined ? {} : { contentType })).type).toBe(type);
  });

  it.each(['', ' \n\n\t '])('of a file without text does not matter: %j is refused', async (content) => {
    expect(await refusal('a.txt', content)).toBe('no_text');
  });
});
