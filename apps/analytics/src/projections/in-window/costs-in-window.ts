import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { ReadModels } from '@parlance/read-models';
import { queryWith } from '../../bus.ts';
import { longStretchesOf, monthAfter, type Stretch, stretchesOf, type Window } from '../../domain/window.ts';
import { KeptFigures, type AmountsOfPayer, type Payers, type SumsOfPayers } from './kept-figures.ts';
import { usageDayRows } from '../usage-days.ts';
import { type HourSums, pagesOf } from './usage-in-window.ts';

/** The length of the text of a day, such as 2026-11-21, and of a month. */
const [DAY_LENGTH, MONTH_LENGTH] = [10, 7];

/**
 * The charges of each user, or through each bot, in a window, in nano-dollars as billed. Refuses windows with too many rows
 * (`window_too_large`).
 */
export const CostsOfAll = queryWith('CostsOfAll', [ReadModels, KeptFigures], ([models, kept], scope: Payers, window: Window) =>
  costsOfAll(models, kept, scope, window),
);

/** The charges of some users, or through some bots, in a window. Refuses windows with too many rows (`window_too_large`). */
export const FiguresOfSome = queryWith(
  'FiguresOfSome',
  [ReadModels, KeptFigures],
  async ([models, kept], scope: Payers, ids: readonly string[], window: Window): Promise<ReadonlyMap<string, AmountsOfPayer>> =>
    (await sumsIn(models, kept, scope, longStretchesOf(window))).of(ids),
);

/** `hours`: the sums of the hours before and after the whole days, if known. */
export async function costsOfAll(
  models: ReadModels,
  kept: KeptFigures,
  scope: Payers,
  window: Window,
  hours?: HourSums,
): Promise<ReadonlyMap<string, number>> {
  const stretches = longStretchesOf(window).filter(({ rows }) => !hours || rows !== 'hours');
  const costs = (await sumsIn(models, kept, scope, stretches)).each('nano_dollars');
  if (hours) for (const [id, nano] of hours.costsOf(scope)) costs.set(id, (costs.get(id) ?? 0) + nano);
  return costs;
}

/** For each user: how many conversations have one of the window's whole days in their ID, and a charge on that day. */
export async function ownDayCounts(models: ReadModels, kept: KeptFigures, window: Window): Promise<Map<string, number>> {
  const days = stretchesOf(window).filter(({ rows }) => rows === 'days');
  return (await sumsIn(models, kept, 'user', days)).each('conversations');
}

/** The counts of `ownDayCounts` for the days that are in memory, and the other days with usage. */
export async function knownDayCounts(
  models: ReadModels,
  kept: KeptFigures,
  { from, to }: Stretch,
): Promise<{ readonly counts: Map<string, number>; readonly missing: readonly string[] }> {
  const [sums, missing] = [kept.sums(), [] as string[]];
  for (const [day, changes] of await changesOf(models, from, to)) {
    const known = kept.known(models, 'user', day, changes);
    if (known) sums.add(known);
    else missing.push(day);
    if (isTurnOver()) await nextTurn();
  }
  return { counts: sums.each('conversations'), missing };
}

async function sumsIn(
  models: ReadModels,
  kept: KeptFigures,
  scope: Payers,
  stretches: ReturnType<typeof longStretchesOf>,
): Promise<SumsOfPayers> {
  const sums = kept.sums();
  const add = async (period: Parameters<KeptFigures['of']>[2], changes: number | undefined) => {
    sums.add(await kept.of(models, scope, period, changes));
    if (isTurnOver()) await nextTurn();
  };
  for (const { rows, from, to } of stretches) {
    if (rows === 'months') {
      const changes = await changesOf(models, `${from}-01`, `${to}-31`, MONTH_LENGTH);
      // The days of months before the last 13 are removed.
      for (let month = from; month <= to; month = monthAfter(month, 1)) await add(month, changes.get(month));
    } else if (rows === 'days') {
      for (const [day, changes] of await changesOf(models, from, to)) await add(day, changes);
    } else {
      // Both hours are on one day.
      const day = from.slice(0, DAY_LENGTH);
      for (const [, changes] of await changesOf(models, day, day)) await add({ from, to }, changes);
    }
  }
  return sums;
}

/**
 * The change counts of each day with usage, or of each month if `length` is a month's. Read before the rows of the periods: then the rows
 * may be newer than the count, and are read again the next time.
 */
export async function changesOf(models: ReadModels, from: string, to: string, length?: number): Promise<ReadonlyMap<string, number>> {
  const changesIn = new Map<string, number>();
  const asked = { index: 'ofOne', where: { scope: 'all', id: '' }, from, to } as const;
  for await (const rows of pagesOf(models, usageDayRows, asked))
    for (const { day, changes = 0 } of rows) {
      const period = day.slice(0, length);
      changesIn.set(period, (changesIn.get(period) ?? 0) + changes);
    }
  return changesIn;
}
