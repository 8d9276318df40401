import { oneLine, type Segments } from '../segment.ts';

/** A table row as text: one line `column: value` for each non-empty cell. */
export function recordText(columns: readonly string[], cells: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const value = cell.trim();
    if (value !== '') lines.push(`${columns[index] ?? `column ${index + 1}`}: ${value}`);
  }
  return lines.join('\n');
}

/** Column names from the first row. An empty cell gets its number. */
export const columnsOf = (row: readonly string[]) => row.map((cell, index) => oneLine(cell).slice(0, 100) || `column ${index + 1}`);

/** Rows of a small table as lines `| a | b |`. */
export function addTable(found: Segments, rows: readonly (readonly string[])[]): void {
  let isTight = false;
  for (const row of rows) {
    if (row.every((cell) => cell === '')) continue;
    found.add(`| ${row.join(' | ')} |`, 'row', isTight);
    isTight = true;
  }
}
