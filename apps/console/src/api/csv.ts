type CsvCell = string | number | boolean | null | undefined;

/** A table in CSV (RFC 4180). Texts that a spreadsheet would run as formulas get an apostrophe in front. */
export function csvOf(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** The same rule as on the server. Some spreadsheets skip leading spaces, accept full-width signs, or separate cells with semicolons. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

export function csvText(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  return csvText(value);
}
