import type { ExportVersion } from '../../adapters/exports/export-copies.ts';
import { dayOfHour } from '../../domain/export-period.ts';
import type { ExportRow } from '../../projections/exports/export-rows.ts';

/** The current files of exports. Those with erased content are left out. */
export const versionsOf = (rows: readonly ExportRow[]): readonly ExportVersion[] =>
  rows.flatMap(({ period, status, written, writes }) =>
    status === 'written' && written ? [{ period, key: written.key, bytes: written.bytes, writes }] : [],
  );

/** How many times the hours of a day were written. If the number in the day's file differs, the file is out of date. */
export const writesOf = (hours: readonly ExportRow[]): number => hours.reduce((sum, { writes }) => sum + writes, 0);

/** The fewest files with all rows: the day's file if it has the newest of its hours, and the files of the hours otherwise. */
export function fewestOf(days: readonly ExportRow[], hours: readonly ExportRow[]): readonly ExportVersion[] {
  const byDay = Map.groupBy(hours, ({ period }) => dayOfHour(period));
  const whole = days.filter(
    ({ period, status, written }) => status === 'written' && written?.changes === writesOf(byDay.get(period) ?? []),
  );
  const joined = new Set(whole.map(({ period }) => period));
  return versionsOf([...whole, ...hours.filter(({ period }) => !joined.has(dayOfHour(period)))]);
}
