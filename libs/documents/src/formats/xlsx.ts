import readXlsx from 'read-excel-file/universal';
import type { ZipArchive } from '../content/zip-archive.ts';
import { storedZip } from '../content/zip-archive.ts';
import { xmlText } from '../content/xml.ts';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_AREA, MAX_CELLS, MAX_COLUMNS } from '../limits.ts';
import { type Parsed, Segments } from '../segment.ts';
import { officeTitle } from './docx.ts';
import { columnsOf, recordText } from './rows.ts';

const READ =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/;
const SHEET = /^xl\/worksheets\//;

const tooLarge = () =>
  new DocumentRefused(
    'too_large',
    'This workbook has too many cells, or a cell far away from the others. Remove what is not needed, or upload the sheets as CSV.',
  );

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Refuses a sheet whose cells, or the rectangle around them, would take too much memory. */
function checkCells(sheet: string): void {
  let rows = 0;
  let columns = 0;
  let cells = 0;
  // The dimension is checked too, because a reader may allocate the rectangle that it names.
  for (const [, letters, digits] of sheet.matchAll(/[\s":]r?(?:ef)?=?"?([A-Z]{1,20})([0-9]{1,20})"/g)) {
    if (++cells > MAX_CELLS) throw tooLarge();
    columns = Math.max(columns, columnNumber(letters!));
    rows = Math.max(rows, Number(digits));
    if (columns > MAX_COLUMNS || columns * rows > MAX_AREA) throw tooLarge();
  }
}

const textOfCell = (value: unknown) => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .replace(/T00:00:00\.000Z$/, '')
          .replace(/\.000Z$/, 'Z');
  return String(value as string | number | boolean);
};

/** Each sheet is a section. Its first non-empty row names the columns. */
export async function parseXlsx(archive: ZipArchive): Promise<Parsed> {
  const parts = await archive.readAll(READ);
  for (const [name, part] of parts) {
    const text = xmlText(part);
    if (SHEET.test(name)) checkCells(text);
  }
  const title = await officeTitle(archive);
  const bytes = storedZip(parts);
  let sheets: readonly { readonly sheet: string; readonly data: readonly (readonly unknown[])[] }[];
  try {
    sheets = await readXlsx(new Uint8Array(bytes).buffer);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new DocumentRefused('damaged', 'This workbook is damaged. Open it in its program, save it again and upload the new file.');
  }
  const found = new Segments();
  for (const { sheet, data } of sheets) {
    const rows = data.map((row) => row.map(textOfCell)).filter((row) => row.some((cell) => cell !== ''));
    const [first, ...rest] = rows;
    if (first === undefined) continue;
    found.open(sheet);
    if (rest.length === 0) found.add(first.filter((cell) => cell !== '').join(', '), 'row');
    for (const row of rest) found.add(recordText(columnsOf(first), row), 'row');
  }
  return { title, segments: found.all };
}
