import { beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { isDay } from '../../domain/export-period.ts';
import { KEPT_DAYS, type HourRow, oldestHourKept } from '../../projections/exports/export-index.ts';
import type { ExportRow } from '../../projections/exports/export-rows.ts';
import { DueExports, REWRITE_MILLIS } from './due-exports.ts';

const HOUR = 3_600_000;
const noon = Instant.parse('2026-01-01T12:00:00Z');
const DAY = '20260101';

describe('the exports that are due', () => {
  let now: Instant;
  let hours: HourRow[];
  let exports: Map<string, ExportRow>;
  let tried: string[];
  let write: (period: string) => boolean;
  let due: DueExports;
  /** The oldest hour that a retention rule keeps. */
  let oldest: string | null;

  const touched = (hour: string, changes: number) => hours.push({ hour, changes, touched_at: Instant.toString(noon) });
  const exported = (period: string, changes: number, status: ExportRow['status'] = 'written') => {
    const written = { key: period, bytes: 1, rows: 1, changes };
    exports.set(period, { period, kind: isDay(period) ? 'day' : 'hour', status, written, written_at: now, writes: 1 });
  };
  /** The answers of queries. */
  const answers: Record<string, (...args: never[]) => unknown> = {
    OutdatedExports: () => [...exports.values()].filter(({ status }) => status === 'outdated'),
    ExportsOf: (periods: string[]) => new Map(periods.flatMap((period) => (exports.has(period) ? [[period, exports.get(period)!]] : []))),
    ExportsBetween: (kind: string, from: string, to: string) =>
      [...exports.values()].filter((row) => row.kind === kind && row.period >= from && row.period <= to),
    HoursTouched: () => ({ rows: hours, next: null }),
    HourOf: (hour: string) => hours.find((row) => row.hour === hour) ?? null,
  };

  beforeEach(() => {
    now = Instant.plus(noon, 20 * HOUR);
    oldest = null;
    [hours, exports, tried] = [[], new Map(), []];
    write = () => true;
    const parts = [
      { execute: async ({ id, command }: { id: string; command: { type: string } }) => void tried.push(`${command.type} ${id}`) },
      { execute: async ({ constructor: { name }, args }: { constructor: { name: string }; args: never[] }) => answers[name]!(...args) },
      { write: async (period: string) => (tried.push(period), write(period)) },
      { isThere: true, remove: async (period: string) => void tried.push(`remove ${period}`) },
      { oldestWritten: async () => oldest ?? oldestHourKept(now) },
      { exportDelayMinutes: 5 },
      { now: () => now, steady: () => now },
      { error: () => undefined },
      { stop: () => undefined },
    ];
    due = new (DueExports as unknown as new (...given: unknown[]) => DueExports)(...parts);
  });

  it('wait for a change of the database if there are none', async () => {
    expect(due.hasNone).toBe(false);
    await due.write();
    expect(due.hasNone).toBe(true);
  });

  it('include hours a few minutes after their end', async () => {
    touched(`${DAY}12`, 1);
    now = Instant.plus(noon, HOUR + 4 * 60_000);
    await due.write();
    expect(tried).toEqual([]);
    now = Instant.plus(noon, HOUR + 5 * 60_000);
    await due.write();
    expect(tried).toEqual([`${DAY}12`]);
  });
  it('include days when all their hours are written', async () => {
    exported(`${DAY}11`, 1);
    exported(`${DAY}12`, 1);
    await due.write();
    expect(tried).toEqual([DAY]);
  });
  it('exclude days that have not ended', async () => {
    exported(`${DAY}11`, 1);
    now = Instant.plus(noon, 2 * HOUR);
    await due.write();
    expect(tried).toEqual([]);
  });
  it('exclude days with an hour whose content is to be erased', async () => {
    exported(`${DAY}11`, 1);
    exported(`${DAY}12`, 1, 'outdated');
    exported(DAY, 1, 'outdated');
    write = () => false;
    await due.write();
    expect(tried).toEqual([`${DAY}12`]);
  });
  it('include hours with late events and their days, at most once an hour', async () => {
    exported(`${DAY}12`, 3);
    touched(`${DAY}12`, 4);
    await due.write();
    expect(tried).toEqual([]);
    now = Instant.plus(now, REWRITE_MILLIS);
    await due.write();
    expect(tried[0]).toBe(`${DAY}12`);
  });
  it('are tried again a minute after they have failed', async () => {
    touched(`${DAY}12`, 1);
    write = () => {
      throw new Error('away');
    };
    await due.write();
    await due.write();
    expect([tried, due.hasNone]).toEqual([[`${DAY}12`], false]);
    now = Instant.plus(now, 60_000);
    await due.write();
    expect(tried).toEqual([`${DAY}12`, `${DAY}12`]);
  });
  it('exclude hours that are too old to be kept', async () => {
    touched(`${DAY}11`, 1);
    touched(`${DAY}12`, 1);
    now = Instant.plus(noon, KEPT_DAYS * 24 * HOUR);
    await due.write();
    expect(tried).toEqual([`${DAY}12`]);
  });
  it('exclude hours and days that a retention rule has removed, even if they were due before', async () => {
    touched(`${DAY}12`, 1);
    exported(`${DAY}11`, 1);
    write = () => false;
    await due.write();
    expect(tried).toEqual([`${DAY}12`]);
    oldest = '2026010200';
    await due.write();
    now = Instant.plus(now, REWRITE_MILLIS);
    await due.write();
    expect(tried).toEqual([`${DAY}12`]);
  });
  it('are removed when they are too old, beginning with the file', async () => {
    for (const period of [`${DAY}11`, `${DAY}12`, DAY, '20251231']) exported(period, 1);
    now = Instant.plus(noon, KEPT_DAYS * 24 * HOUR);
    await due.removeOld();
    expect(tried.filter((what) => what.startsWith('remove'))).toEqual([`remove ${DAY}11`, 'remove 20251231']);
    expect(tried.map((what) => what.split(' ')[0])).toEqual(['remove', 'Expire', 'remove', 'Expire']);
  });
});
