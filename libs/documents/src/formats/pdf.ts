import { getDocumentProxy } from 'unpdf';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_PAGES } from '../limits.ts';
import { headingOf, type Parsed, Segments } from '../segment.ts';

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
  // A word that is divided at the end of a line becomes whole again.
  return text.replace(/(\p{L})[\u00AD-]\n(?=\p{Ll})/gu, '$1');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DocumentRefused) return error;
  const name = (error as Error | undefined)?.name;
  if (name === 'PasswordException')
    return new DocumentRefused('encrypted', 'This PDF is protected with a password. Save it without a password and upload it again.');
  if (name === 'RangeError') return error;
  return new DocumentRefused('damaged', 'This PDF is damaged. Open it in its program, save it again and upload the new file.');
}

/** Rejects with `DocumentRefused`: encrypted, damaged, too_large or no_text. */
export async function parsePdf(bytes: Buffer): Promise<Parsed> {
  const found = new Segments();
  let title: string | null = null;
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      stopAtErrors: false,
      maxImageSize: 1024,
      verbosity: 0,
    });
    if (pdf.numPages > MAX_PAGES)
      throw new DocumentRefused(
        'too_large',
        `This PDF has more than ${MAX_PAGES.toLocaleString('en')} pages. Split it into several files.`,
      );
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    title = headingOf(String((info as { Title?: unknown }).Title ?? ''));
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      found.page = number;
      for (const paragraph of textOfPage(items as TextItem[]).split(/\n\n+/)) found.add(paragraph, 'prose');
      page.cleanup();
    }
    await pdf.loadingTask.destroy();
  } catch (error) {
    throw refusalOf(error);
  }
  if (found.all.length === 0)
    throw new DocumentRefused(
      'no_text',
      'This PDF has no text. It is probably scanned. Run text recognition (OCR) on it and upload the result.',
    );
  return { title, segments: found.all };
}
