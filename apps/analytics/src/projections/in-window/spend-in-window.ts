import { Projector, ReadModels } from '@parlance/read-models';
import { queryWith } from '../../bus.ts';
import type { Window } from '../../domain/window.ts';
import { costsOfAll } from './costs-in-window.ts';
import { KeptFigures, type Payers } from './kept-figures.ts';
import { correctedCost, type MonthOfSpending, newestOfSpend, type Spender } from '../spend.ts';
import type { Split } from '../spend/splits.ts';
import { figuresOfSplit, usersOfTokens } from './splits-in-window.ts';
import { conversationsOfSome } from './usage-counts.ts';
import { type DailyFigures, type Figures, figuresOfAll, figuresOfSome, HourSums, none, usageOfOne } from './usage-in-window.ts';
import { countOf, KeptUsersOfBots, usersOfBot } from './users-of-bot.ts';

export interface SpendingOfWindow extends MonthOfSpending {
  readonly daily: DailyFigures['daily'];
}

/** The spending in a window, like `SpendOfMonth` for a month, and on each day of the window. */
export const SpendInWindow = queryWith(
  'SpendInWindow',
  [ReadModels, Projector, KeptFigures, KeptUsersOfBots],
  async ([models, projector, kept, keptUsers], window: Window, topN: number): Promise<SpendingOfWindow> => {
    const as_of = await newestOfSpend(models, projector);
    const spender = (scope: Spender['scope'], id: string, figures: Figures, parts: number): Spender => {
      const { models: byModel, corrected, ...sums } = figures;
      return {
        month: '',
        scope,
        id,
        model: '',
        ...sums,
        by_model: Object.fromEntries(byModel),
        corrected_by_model: Object.fromEntries(corrected),
        parts,
      };
    };
    const hours = await HourSums.of(models, window);
    const { all, keys: ofKeys } = await figuresOfAll(models, window, hours);
    const highestOf = async (scope: Payers) => {
      const ids = highest(await costsOfAll(models, kept, scope, window, hours), topN);
      const figures = await figuresOfSome(models, scope, ids, window, hours);
      return ids.map((id) => [id, figures.get(id) ?? none()] as const);
    };
    const highestUsers = await highestOf('user');
    const counts = await conversationsOfSome(
      models,
      kept,
      window,
      highestUsers.map(([id]) => id),
    );
    const users = highestUsers.map(([id, figures]) => spender('user', id, figures, counts.get(id) ?? 0));
    const bots: Spender[] = [];
    for (const [id, figures] of await highestOf('bot')) {
      bots.push(spender('bot', id, figures, await countOf(await usersOfBot(models, keptUsers, id, window))));
    }
    const costsOfKeys = new Map(Array.from(ofKeys, ([id, { nano_dollars }]) => [id, nano_dollars]));
    const keys = highest(costsOfKeys, topN).map((id) => spender('key', id, ofKeys.get(id)!, 0));
    const nanoDollarsOfKeys = [...ofKeys].reduce((sum, [id, { nano_dollars }]) => (id === '' ? sum : sum + nano_dollars), 0);
    const correctedOfKeys = [...ofKeys].reduce((sum, [id, figuresOfKey]) => (id === '' ? sum : sum + correctedCost(figuresOfKey)), 0);
    const highestIn = async (split: Split) => {
      const figures = await figuresOfSplit(models, split, window);
      const costs = new Map(Array.from(figures, ([id, { nano_dollars }]) => [id, nano_dollars]));
      return highest(costs, topN).map((id) => spender(split, id, figures.get(id)!, 0));
    };
    const tokens = await highestIn('token');
    const usersOf = await usersOfTokens(
      models,
      tokens.map(({ id }) => id),
      window,
    );
    const token = tokens.map((row) => ({ ...row, user_id: usersOf.get(row.id) }));
    const splits = { token, cost_centre: await highestIn('cost_centre'), tag: await highestIn('tag') };
    const { daily } = await usageOfOne(models, 'all', '', window, hours);
    const total = all ? spender('all', '', all, 0) : null;
    return { as_of, daily, total, users, bots, keys, splits, nanoDollarsOfKeys, correctedOfKeys };
  },
);

/** The IDs with the highest cost, without the usage that belongs to no bot or key. Only candidates are compared. */
export function highest(costs: ReadonlyMap<string, number>, count: number): readonly string[] {
  const ascending = Float64Array.from(costs.values()).toSorted();
  // One more than requested, because the costs include the usage without a bot or key.
  const least = ascending.at(-count - 1) ?? -Infinity;
  const entries = [...costs].filter(([id, cost]) => id !== '' && cost >= least);
  const ranked = entries.toSorted(([a, of], [b, than]) => than - of || (a < b ? 1 : -1));
  return ranked.slice(0, count).map(([id]) => id);
}
