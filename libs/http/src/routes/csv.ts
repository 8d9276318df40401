import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { PageQuery } from './query.ts';

/** The maximum number of rows in a CSV answer. */
export const MOST_CSV_ROWS = 100_000;

const CSV = /(?:^|,)\s*text\/csv\s*(?=$|[,;])(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Whether a request asks for CSV by name. A wildcard does not. */
export const acceptsCsv = (accept: string | undefined): boolean => CSV.test(accept ?? '');

/** A value in a cell. Lists are separated by spaces. */
export type CsvValue = string | number | boolean | null | readonly string[];

/** First characters by which a spreadsheet recognises a formula (OWASP). Some spreadsheets skip leading spaces or accept the wide forms. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A cell as defined by RFC 4180. A text that could be a formula gets an apostrophe in front. Numbers have no exponent and at most 9 decimals. */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/, '');
  if (typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value.join(' ');
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

type Rows<Column extends string> = readonly Readonly<Record<Column, CsvValue>>[];

/** A table in CSV: the names of the columns, then the rows, which arrive in pages. Other requests get a turn after each page. */
export function csv<Column extends string>(columns: readonly Column[], pages: AsyncIterable<Rows<NoInfer<Column>>>): Readable {
  return Readable.from(lines(columns, pages), { objectMode: false });
}

/** The page size when a list is read for CSV. */
const LIST_PAGE = 100;

interface CsvList<Name extends string, Column extends string> {
  /** The name of the list in its answer, and of the file. */
  readonly list: Name;
  readonly columns: readonly Column[];
  /** Reads one page, as for an answer in JSON. */
  readonly read: (page: PageQuery) => Promise<{ readonly next_token: string | null } & Readonly<Record<Name, Rows<NoInfer<Column>>>>>;
}

/** A paged list as a CSV file. The first page is read before the answer begins, so that a refusal can still be answered with its status. */
export async function csvList<const Name extends string, const Column extends string>(
  reply: FastifyReply,
  { list, columns, read }: CsvList<Name, Column>,
): Promise<Readable> {
  const first = await read({ limit: LIST_PAGE });
  void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${list.replaceAll('_', '-')}.csv"`);
  async function* pages(): AsyncGenerator<Rows<Column>> {
    yield first[list];
    for (let token = first.next_token; token !== null;) {
      const page = await read({ limit: LIST_PAGE, next_token: token });
      yield page[list];
      token = page.next_token;
    }
  }
  return csv(columns, pages());
}

async function* lines<Column extends string>(columns: readonly Column[], pages: AsyncIterable<Rows<Column>>): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  let remaining = MOST_CSV_ROWS;
  for await (const page of pages) {
    const rows = page.slice(0, remaining);
    if (rows.length > 0) yield rows.map((row) => `${columns.map((column) => csvCell(row[column])).join(',')}\r\n`).join('');
    remaining -= rows.length;
    if (remaining <= 0) return;
    await setImmediate();
  }
}
