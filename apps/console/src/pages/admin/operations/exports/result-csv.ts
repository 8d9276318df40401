import type { SqlAnswer } from '@parlance/client/types';
import { csvText } from '../../../../api/csv.ts';

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : csvText(text);
}

/** The result as CSV (RFC 4180). */
export const resultCsv = ({ columns, rows }: SqlAnswer): string =>
  [columns.map(({ name }) => name), ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
