import { deflateSync } from 'node:zlib';

export interface PdfOptions {
  /** The encryption dictionary, as written in the trailer. */
  readonly encrypt?: string;
  /** The title in its properties. */
  readonly title?: string;
  /** The content of each page, instead of its text. */
  readonly contents?: readonly { readonly dictionary: string; readonly data: Buffer }[];
}

const content = (lines: string) =>
  lines === ''
    ? ''
    : `BT /F1 12 Tf 14 TL 50 750 Td ${lines
        .split('\n')
        .map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`)
        .join(' ')} ET`;

/** A PDF with one page per text. */
export function pdf(pages: readonly string[], { encrypt, title, contents }: PdfOptions = {}): Buffer {
  const streams = contents ?? pages.map((page) => ({ dictionary: '', data: Buffer.from(content(page), 'latin1') }));
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${streams.length} /Kids [${streams.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ];
  for (const [at, { dictionary, data }] of streams.entries()) {
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      ),
    );
    objects.push(Buffer.concat([Buffer.from(`<< /Length ${data.length} ${dictionary} >>\nstream\n`), data, Buffer.from('\nendstream')]));
  }
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let offset = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(offset);
    offset += part.length;
    parts.push(part);
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encrypt ?? ''} ${title === undefined ? '' : `/Info << /Title (${title}) >>`} >>\nstartxref\n${offset}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/** A page whose content inflates to `bytes` of spaces, packed twice. */
export const bombPage = (bytes: number) => ({
  dictionary: '/Filter [/FlateDecode /FlateDecode]',
  data: deflateSync(deflateSync(Buffer.alloc(bytes, ' '))),
});

/** A PDF that is slow to parse. Its page claims to be an image, so that its size is not checked in advance. */
export const hiddenBomb = (bytes = 60_000_000) =>
  pdf([], {
    contents: [{ dictionary: '/Subtype /Image /Filter /FlateDecode', data: deflateSync(Buffer.alloc(bytes, 'q Q ')) }],
  });
