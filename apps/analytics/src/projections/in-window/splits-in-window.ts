import { ReadModels } from '@parlance/read-models';
import { longStretchesOf, monthAfter, type Window } from '../../domain/window.ts';
import type { Split } from '../spend/splits.ts';
import { splitHourRows } from '../spend/splits.ts';
import { spendKey, spendRows } from '../spend/spend-rows.ts';
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

/** The users of tokens that were used in a window. Each use is in the sums of its month. */
export async function usersOfTokens(
  models: ReadModels,
  tokens: readonly string[],
  { from, to }: Window,
): Promise<ReadonlyMap<string, string>> {
  const users = new Map<string, string>();
  for (let month = to.slice(0, 7); month >= from.slice(0, 7); month = monthAfter(month, -1)) {
    const missing = tokens.filter((token) => !users.has(token));
    if (missing.length === 0) break;
    const rows = await models.getMany(
      spendRows,
      missing.map((token) => spendKey(month, 'token', token, '')),
    );
    for (const { id, user_id } of rows.values()) if (user_id !== undefined) users.set(id, user_id);
  }
  return users;
}
