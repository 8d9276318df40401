import { idInStream } from '@parlance/event-store';
import { Instant } from '@parlance/decider';
import { type At, type Change, type Cursor, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ExportEvent, Written } from '../../domain/export.ts';
import { isDay, type Period } from '../../domain/export-period.ts';
import type { AsOf } from '../as-of.ts';

/** The export of an hour, or of a day. */
export interface ExportRow {
  period: Period;
  kind: 'hour' | 'day';
  /** `writing`: for the first time. `outdated`: content was erased, and the file is being rewritten without it. */
  status: 'writing' | 'written' | 'outdated';
  /** What the file contains; null before it is first written. */
  written: Written | null;
  /** When the file was last written. */
  written_at: Instant | null;
  /** How many times the file was written. */
  writes: number;
}

const exportRows = table<ExportRow>('exports', { byKind: ['kind', 'period'], byStatus: ['status', 'period'] });

const newestRows = table<AsOf>('exports_newest');

export const exports = projection<ExportEvent>({
  name: 'exports',
  version: 2,
  tables: [exportRows, newestRows],
  on: {
    ExportClaimed: (_, at) => [...changed(at.stream, (row) => row), newest(at)],
    ExportReleased: (_, at) => [newest(at)],
    ExportWritten: ({ type: _, claim: __, ...written }, at) => [
      ...changed(at.stream, (row) => ({ ...row, status: 'written', written, written_at: at.metadata.at, writes: row.writes + 1 })),
      newest(at),
    ],
    ExportOutdated: (_, at) => [...changed(at.stream, (row) => (row.written ? { ...row, status: 'outdated' } : row)), newest(at)],
    ExportExpired: (_, at) => [remove(exportRows, idInStream(at.stream)), newest(at)],
  },
});

function newest({ position, metadata: { at } }: At): Change {
  return put(newestRows, 'newest', { position, time: Instant.toString(at) });
}

function changed(stream: string, change: (row: ExportRow) => ExportRow): readonly Change[] {
  const period = idInStream(stream);
  const fresh: ExportRow = {
    period,
    kind: isDay(period) ? 'day' : 'hour',
    status: 'writing',
    written: null,
    written_at: null,
    writes: 0,
  };
  return [update(exportRows, period, (row) => change(row ?? fresh))];
}

/** The newest event of an export in this service's log; null before the first one. */
export const NewestOfExports = query('NewestOfExports', (models): Promise<AsOf | null> => models.get(newestRows, 'newest'));

/** The exports of one kind, newest first. */
export const ExportList = query('ExportList', async (models, kind: ExportRow['kind'], limit: number, after: Cursor | null) => {
  return models.find(exportRows, { index: 'byKind', where: { kind }, order: 'desc', limit, ...(after && { after }) });
});

/** Exports between two periods of one kind, both included, oldest first. */
export const ExportsBetween = query(
  'ExportsBetween',
  async (models, kind: ExportRow['kind'], from: Period, to: Period, limit: number): Promise<readonly ExportRow[]> => {
    return (await models.find(exportRows, { index: 'byKind', where: { kind }, from, to, limit })).rows;
  },
);

export const ExportsOf = query('ExportsOf', (models, periods: readonly Period[]): Promise<ReadonlyMap<string, ExportRow>> =>
  models.getMany(exportRows, periods),
);

/** Exports whose files contain erased content. */
export const OutdatedExports = query('OutdatedExports', async (models, limit: number): Promise<readonly ExportRow[]> => {
  return (await models.find(exportRows, { index: 'byStatus', where: { status: 'outdated' }, limit })).rows;
});
