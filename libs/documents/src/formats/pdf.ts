import { getDocumentProxy } from 'unpdf';
import { DocumentRefused } from '../document-refused.ts';
import type { DrawnPage, ReadPages } from '../drawn-page.ts';
import { MAX_PAGES, MAX_PAGES_FOR_MODEL, PAGES_AT_ONCE } from '../limits.ts';
import { ReadingStopped } from '../reading-stopped.ts';
import { headingOf, type Parsed, Segments } from '../segment.ts';
import type { DrawnPages } from './drawn-pages.ts';
import { parseMarkdown } from './plain.ts';

type PDFDocumentProxy = Awaited<ReturnType<typeof getDocumentProxy>>;
type PDFPageProxy = Awaited<ReturnType<PDFDocumentProxy['getPage']>>;

interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** Lines of a page. A gap of more than one and a half lines begins a paragraph. */
function textOfPage(items: readonly TextItem[]): string {
  let text = '';
  let lastY: number | undefined;
  let lastHeight = 0;
  for (const { str, hasEOL, height, transform } of items) {
    const y = transform[5] ?? 0;
    if (str !== '') {
      if (lastY !== undefined && text.endsWith('\n') && Math.abs(lastY - y) > 1.8 * Math.max(height, lastHeight, 1)) text += '\n';
      lastY = y;
      lastHeight = height;
    }
    text += str;
    if (hasEOL) text += '\n';
  }
  // A word that is hyphenated at the end of a line is joined again.
  return text.replace(/(\p{L})[\u00AD-]\n(?=\p{Ll})/gu, '$1');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DocumentRefused || error instanceof ReadingStopped) return error;
  const name = (error as Error | undefined)?.name;
  if (name === 'PasswordException')
    return new DocumentRefused('encrypted', 'This PDF is protected with a password. Save it without a password and upload it again.');
  if (name === 'RangeError') return error;
  return new DocumentRefused('damaged', 'This PDF is damaged. Open it in its program, save it again and upload the new file.');
}

/** Rejects with `DocumentRefused`: encrypted, damaged, too_large or no_text. */
export async function parsePdf(bytes: Buffer, readPages?: ReadPages): Promise<Parsed> {
  const found = new Segments();
  let title: string | null = null;
  let count = 0;
  try {
    const pages = readPages === undefined ? null : await (await import('./drawn-pages.ts')).DrawnPages.open();
    const pdf = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      stopAtErrors: false,
      maxImageSize: 1024,
      verbosity: 0,
      ...pages?.options,
    });
    const most = pages === null ? MAX_PAGES : MAX_PAGES_FOR_MODEL;
    if (pdf.numPages > most) throw tooManyPages(most);
    count = pdf.numPages;
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    title = headingOf(String((info as { Title?: unknown }).Title ?? ''));
    if (pages === null) await addTexts(found, pdf);
    else await addRead(found, pdf, pages, readPages!);
    await pdf.loadingTask.destroy();
  } catch (error) {
    throw refusalOf(error);
  }
  if (found.all.length > 0) return { title, segments: found.all, pages: count };
  const hint =
    readPages === undefined
      ? 'It is probably scanned. Run text recognition (OCR) on it and upload the result, or let a model read its pages (`parsing_model`).'
      : 'The model found none on its pages.';
  throw new DocumentRefused('no_text', `This PDF has no text. ${hint}`, count);
}

async function addTexts(found: Segments, pdf: PDFDocumentProxy): Promise<void> {
  for (let number = 1; number <= pdf.numPages; number++) {
    found.page = number;
    for (const paragraph of (await textOf(await pdf.getPage(number))).split(/\n\n+/)) found.add(paragraph, 'prose');
  }
}

/** A few pages are drawn, passed to the model, and released before the next ones are drawn. */
async function addRead(found: Segments, pdf: PDFDocumentProxy, drawn: DrawnPages, readPages: ReadPages): Promise<void> {
  for (let first = 1; first <= pdf.numPages; first += PAGES_AT_ONCE) {
    const pages: DrawnPage[] = [];
    for (let number = first; number < first + PAGES_AT_ONCE && number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const image = await drawn.imageOf(page);
      pages.push({ number, image, text: await textOf(page) });
    }
    const texts = await readPages(pages);
    for (const [nth, { number }] of pages.entries()) {
      found.page = number;
      found.addAll(parseMarkdown(texts[nth] ?? '').segments);
    }
  }
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  page.cleanup();
  return textOfPage(items as TextItem[]);
}

const tooManyPages = (most: number) =>
  new DocumentRefused(
    'too_large',
    most === MAX_PAGES
      ? `This PDF has more than ${most.toLocaleString('en')} pages. Split it into several files.`
      : `This PDF has more than ${most} pages, the most that a model reads. Split it into several files, or leave out parsing_model.`,
  );
