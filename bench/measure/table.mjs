import { reaches } from './figures.mjs';

/** The figures of a bench as lines with aligned columns. Figures that missed their target are marked. */
export function table(rows) {
  const lines = rows.map(({ what, measured, unit, bar, against }) => [
    `${reaches(measured, bar) === false ? '✗' : ' '} ${what}`,
    `${amount(measured)} ${unit}`.trim(),
    bar ? limit(bar, unit) : '',
    against ?? '',
  ]);
  const all = [['  what', 'measured', 'bar', 'against'], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
  return all.map((cells) =>
    cells
      .map((cell, column) => (column === 1 || column === 2 ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

export function limit(limits, unit) {
  const [sign, value] = 'atLeast' in limits ? ['≥', limits.atLeast] : ['≤', limits.atMost];
  return `${sign} ${amount(value)} ${unit}`.trim();
}

/** Three significant digits, or all digits before the decimal point. */
export function amount(value) {
  if (!Number.isFinite(value)) return 'unknown';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
