import { ReadModels } from '@parlance/read-models';
import { longStretchesOf, monthAfter, type Window } from '../../domain/window.ts';
import type { Split } from '../spend/splits.ts';
import { splitHourRows } from '../spend/splits.ts';
import { spendRows } from '../spend/spend-rows.ts';
import { usageDayRows } from '../usage-days.ts';
import { type Figures, MOST_ADDED_ROWS, pagesOf, Sums } from './usage-in-window.ts';

/** The cost of calls in a window by token, cost centre or tag. Refuses windows with too many rows (`window_too_large`). */
export async function figuresOfSplit(models: ReadModels, scope: Split, window: Window): Promise<ReadonlyMap<string, Figures>> {
  const sums = new Sums();
  for (const { rows: kind, from, to } of longStretchesOf(window)) {
    const asked = { where: { scope }, from, to } as const;
    if (kind === 'months') {
      for (let month = from; month <= to; month = monthAfter(month, 1))
        for await (const rows of pagesOf(models, spendRows, { index: 'byModel', where: { month, scope } }, MOST_ADDED_ROWS))
          for (const row of rows) if (row.model !== '') sums.add(row.id, row);
    } else if (kind === 'days') {
      for await (const rows of pagesOf(models, usageDayRows, { index: 'byDay', ...asked }, MOST_ADDED_ROWS))
        for (const row of rows) sums.add(row.id, row);
    } else
      for await (const rows of pagesOf(models, splitHourRows, { index: 'byHour', ...asked }, MOST_ADDED_ROWS))
        for (const row of rows) sums.add(row.id, row);
  }
  return sums.of;
}
