import { deflateSync } from 'node:zlib';

/** The part of a PNG of this size that is read. */
export function png(width = 2, height = 2, more = ''): Buffer {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n', 'latin1');
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.from(more)]);
}

/** A PDF of one page with this text. Without a text the page is empty. */
export function pdf(text: string): Buffer {
  const content = text === '' ? '' : `BT /F1 12 Tf 10 50 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(file + table, 'latin1');
}

/** A PDF whose page inflates to this many bytes. */
export function pdfBomb(bytes: number): Buffer {
  const inflated = Buffer.alloc(bytes, 'BT (x) Tj ET ');
  const packed = deflateSync(inflated);
  const head =
    '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
    '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R>>\nendobj\n' +
    `4 0 obj\n<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF')]);
}

export const text = (body: string) => ({ content_type: 'text', body });
export const image = (bytes: Buffer, media_type = 'image/png') => ({ content_type: 'image', media_type, body: bytes.toString('base64') });
export const attachment = (file_name: string, bytes: Buffer | string) => ({
  content_type: 'attachment',
  file_name,
  body: Buffer.from(bytes).toString('base64'),
});
