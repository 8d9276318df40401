import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { NotDone } from '../../not-done.ts';

/** The maximum characters of one row. */
const LONGEST_ROW = 4 * 1024 * 1024;

export interface CsvRow {
  /** From 1, the head included. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** The rows of a CSV file as in RFC 4180, one at a time, without the head. Throws `NotDone` for a row that is too long. */
export async function* csvRowsOf(path: string): AsyncGenerator<CsvRow> {
  const decoder = new StringDecoder('utf8');
  const reader = new RowReader(path);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) yield* reader.take(decoder.write(chunk));
  yield* reader.take(`${decoder.end()}\n`);
}

class RowReader {
  private cells: string[] = [];
  private cell = '';
  private isQuoted = false;
  /** The last character was a quote in a quoted cell: the next one decides whether it ends the cell. */
  private afterQuote = false;
  private size = 0;
  private number = 0;

  constructor(private readonly path: string) {}

  *take(text: string): Generator<CsvRow> {
    for (const character of text) {
      if (++this.size > LONGEST_ROW) throw new NotDone(`${this.path}: row ${this.number + 1} is too long. Is a quote missing?`);
      if (this.isQuoted && !this.afterQuote) {
        if (character === '"') this.afterQuote = true;
        else this.cell += character;
        continue;
      }
      if (this.afterQuote) {
        this.afterQuote = false;
        if (character === '"') {
          this.cell += '"';
          continue;
        }
        this.isQuoted = false;
      }
      if (character === '"' && this.cell === '') this.isQuoted = true;
      else if (character === ',') this.endCell();
      else if (character === '\n') yield* this.endRow();
      else if (character !== '\r') this.cell += character;
    }
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = '';
  }

  private *endRow(): Generator<CsvRow> {
    this.endCell();
    const { cells } = this;
    [this.cells, this.size] = [[], 0];
    this.number++;
    if (cells.length > 1 || cells[0] !== '') yield { number: this.number, cells };
  }
}
