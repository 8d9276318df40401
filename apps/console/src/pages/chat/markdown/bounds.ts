/** The most delimiters of emphasis and links in one paragraph or cell. The time to pair them grows with the square of their number. */
const MARKS = /[*_~]+|[[\]]/g;
const MOST_MARKS = 1_000;
/** The most cells of a table. Rows are padded to the table's width, so a short text can produce many. */
const MOST_COLUMNS = 50;
const MOST_CELLS = 10_000;

/** The most formulas in one block, and the most blocks with formulas in one text. */
export const MOST_FORMULAS = 300;
export const LONGEST_FORMULA = 4_000;

/** The deepest nesting of quotes and lists. */
const DEEP = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){40}/m;
const DEEP_BY_INDENT = /^[ \t]{60,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;
/** The line below the head of a table. */
const BELOW_HEAD = /^(?=[^\n]*\|)[ \t|:-]+$/gm;
/** Matches the end of a paragraph or of a list item. */
const ENDS_OF_PARAGRAPHS = /\n[ \t>]*\n|\n[ \t>]*(?=(?:[-*+]|\d{1,9}[.)])[ \t])/;
const ENDS_OF_CELLS = /[|\n]/;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Whether splitting a text into blocks would take too long. */
export const isTooDeep = (text: string): boolean =>
  DEEP.test(text) || (text.match(BELOW_HEAD) ?? []).some((line) => line.split('|').length > MOST_COLUMNS);

/**
 * Whether parsing or rendering a block would take too long. A model can be tricked into writing such a text, which would block the page.
 */
export function isTooComplex(text: string, type: string): boolean {
  if (type === 'code') return false;
  if (DEEP_BY_INDENT.test(text)) return true;
  if (type === 'table' && countOf(text, /\n/g) * widthOf(text) > MOST_CELLS) return true;
  return text.split(type === 'table' ? ENDS_OF_CELLS : ENDS_OF_PARAGRAPHS).some((part) => countOf(part, MARKS) > MOST_MARKS);
}

const widthOf = (table: string): number => table.slice(0, table.indexOf('\n')).split('|').length;
