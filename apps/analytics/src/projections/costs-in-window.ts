import { queryWith } from '@parlance/foundation';
import { ReadModels } from '@parlance/read-models';
import { longStretchesOf, monthAfter, type Window } from '../domain/window.ts';
import { spendRows } from './spend/spend-rows.ts';
import { usageDayRows } from './usage-days.ts';
import { usageHourRows } from './usage-hours.ts';
import { MOST_ADDED_ROWS, pagesOf } from './usage-in-window.ts';

export type Payers = 'user' | 'bot';

/** Costs of one day, by user or by bot. */
interface CostsOfDay {
  /** Of the day, when it was read. */
  readonly changes: number;
  readonly ids: readonly string[];
  readonly nanoDollars: Float64Array;
  readonly readAt: number;
}

/** Sixteen bytes each. 10,000 users on each of 100 days. */
const MOST_KEPT = 1_000_000;
/** Rows that are built again have the same number of changes, so they are read after this time at the latest. */
const KEPT_MILLIS = 600_000;

/**
 * Costs of days that were read before, in memory. They are used as long as the day has the same number of changes, which each charge and each
 * correction raises in the write of its rows. So they are as exact as the rows; those of a rebuild are seen after ten minutes. Measured: 3 µs for each row that is read, 0.05 µs for a kept one.
 */
export class KeptDays {
  private readonly days = new Map<string, CostsOfDay>();
  /** One string for each ID, however many days have it. */
  private readonly names = new Map<string, string>();
  private kept = 0;

  /** `most`: entries of all days. */
  constructor(
    private readonly most = MOST_KEPT,
    private readonly keptMillis = KEPT_MILLIS,
  ) {}

  async costsOf(models: ReadModels, scope: Payers, day: string, changes: number): Promise<CostsOfDay> {
    const known = this.days.get(`${scope}|${day}`);
    const readAt = performance.now();
    if (known?.changes === changes && readAt - known.readAt < this.keptMillis) return known;
    const costs = new Map<string, number>();
    for await (const rows of pagesOf(models, usageDayRows, { index: 'byDay', where: { scope, day } }, MOST_ADDED_ROWS))
      for (const { id, nano_dollars } of rows) costs.set(id, (costs.get(id) ?? 0) + nano_dollars);
    const read = {
      changes,
      ids: Array.from(costs.keys(), (id) => this.nameOf(id)),
      nanoDollars: Float64Array.from(costs.values()),
      readAt,
    };
    this.keep(`${scope}|${day}`, read);
    return read;
  }

  private nameOf(id: string): string {
    const known = this.names.get(id);
    if (known === undefined) this.names.set(id, id);
    return known ?? id;
  }

  private keep(key: string, day: CostsOfDay): void {
    this.kept += day.ids.length - (this.days.get(key)?.ids.length ?? 0);
    this.days.set(key, day);
    if (this.kept <= this.most) return;
    // All of them, because the names of some days are those of others too.
    this.days.clear();
    this.names.clear();
    this.kept = 0;
  }
}

/** What was charged in a window to each user or through each bot, in nano-dollars as billed. Refuses windows with too many rows (`window_too_large`). */
export const CostsOfAll = queryWith('CostsOfAll', [ReadModels, KeptDays], ([models, days], scope: Payers, window: Window) =>
  costsOfAll(models, days, scope, window),
);

export async function costsOfAll(models: ReadModels, days: KeptDays, scope: Payers, window: Window): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  const add = (id: string, nano: number) => costs.set(id, (costs.get(id) ?? 0) + nano);
  for (const { rows: kind, from, to } of longStretchesOf(window)) {
    if (kind === 'months') {
      for (let month = from; month <= to; month = monthAfter(month, 1))
        for await (const rows of pagesOf(models, spendRows, { index: 'ranked', where: { month, scope, model: '' } }, MOST_ADDED_ROWS))
          for (const row of rows) add(row.id, row.nano_dollars);
    } else if (kind === 'days') {
      for (const [day, changes] of await changesOfDays(models, from, to)) {
        const { ids, nanoDollars } = await days.costsOf(models, scope, day, changes);
        for (const [nth, id] of ids.entries()) add(id, nanoDollars[nth]!);
      }
    } else {
      const asked = { index: 'key', from: `${from}|`, to: `${to}|~` } as const;
      for await (const rows of pagesOf(models, usageHourRows, asked, MOST_ADDED_ROWS))
        for (const row of rows) add((scope === 'user' ? row.user_id : row.bot_id) ?? '', row.nano_dollars);
    }
  }
  return costs;
}

/** Days with usage. Read before the rows of the days: then the rows may be newer than the number says, and are read again the next time. */
async function changesOfDays(models: ReadModels, from: string, to: string): Promise<ReadonlyMap<string, number>> {
  const days = new Map<string, number>();
  const asked = { index: 'ofOne', where: { scope: 'all', id: '' }, from, to } as const;
  for await (const rows of pagesOf(models, usageDayRows, asked))
    for (const { day, changes = 0 } of rows) days.set(day, (days.get(day) ?? 0) + changes);
  return days;
}
