import Papa from 'papaparse';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_CELL_TEXT, MAX_CELLS, MAX_COLUMNS, MAX_TEXT } from '../limits.ts';
import { type Parsed, Segments, textTooLarge } from '../segment.ts';
import { columnsOf, recordText } from './rows.ts';

const tooWide = () =>
  new DocumentRefused(
    'too_large',
    `A row of this file has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Split it into several files.`,
  );
const openQuote = () =>
  new DocumentRefused(
    'damaged',
    `A cell of this file is longer than ${MAX_CELL_TEXT.toLocaleString('en')} characters. A quotation mark is probably not closed. Correct the file and upload it again.`,
  );

/** Finds a quoted cell without an end, which the parser would search for again and again. */
function checkQuotes(text: string): void {
  for (let at = text.indexOf('"'); at !== -1;) {
    let end = text.indexOf('"', at + 1);
    while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    if ((end === -1 ? text.length : end) - at > MAX_CELL_TEXT) throw openQuote();
    at = end === -1 ? -1 : text.indexOf('"', end + 1);
  }
}

/** Rows of CSV or TSV. The first row names the columns, so that each chunk can be understood on its own. */
export function parseDelimited(text: string, type: 'csv' | 'tsv'): Parsed {
  if (text.length > MAX_TEXT) throw textTooLarge();
  checkQuotes(text);
  const found = new Segments();
  let columns: readonly string[] | undefined;
  let rows = 0;
  let cells = 0;
  let refusal: unknown;
  Papa.parse<string[]>(text, {
    delimiter: type === 'tsv' ? '\t' : '',
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: 'greedy',
    step: ({ data }, parser) => {
      try {
        if (data.length > MAX_COLUMNS) throw tooWide();
        cells += data.length;
        if (cells > MAX_CELLS * 5) throw textTooLarge();
        if (columns === undefined) columns = columnsOf(data);
        else {
          rows++;
          found.add(recordText(columns, data), 'row');
        }
      } catch (error) {
        refusal = error;
        parser.abort();
      }
    },
  });
  if (refusal !== undefined) throw refusal;
  // A file with one row has no column names.
  if (rows === 0 && columns !== undefined) found.add(columns.join(', '), 'row');
  return { title: null, segments: found.all };
}
