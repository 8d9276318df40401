import { queryWith } from '@parlance/foundation';
import { Projector, ReadModels } from '@parlance/read-models';
import type { Window } from '../domain/window.ts';
import { correctedCost, type MonthOfSpending, newestOfSpend, type Spender } from './spend.ts';
import { ConversationsInWindow, UsersOfBot } from './usage-counts.ts';
import { type Figures, UsageOfAll } from './usage-in-window.ts';

/** What was spent in a window, as `SpendOfMonth` has it for a month. */
export const SpendInWindow = queryWith(
  'SpendInWindow',
  [ReadModels, Projector],
  async ([models, projector], window: Window, topN: number): Promise<MonthOfSpending> => {
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
    const all = (await UsageOfAll.find(models, 'all', window)).get('');
    const users: Spender[] = [];
    for (const [id, figures] of highest(await UsageOfAll.find(models, 'user', window), topN))
      users.push(spender('user', id, figures, (await ConversationsInWindow.find(models, window, id)).get(id) ?? 0));
    const bots: Spender[] = [];
    for (const [id, figures] of highest(await UsageOfAll.find(models, 'bot', window), topN)) {
      const days = await UsersOfBot.find(models, id, window);
      bots.push(spender('bot', id, figures, new Set([...days.values()].flatMap((its) => [...its])).size));
    }
    const ofKeys = await UsageOfAll.find(models, 'key', window);
    const keys = highest(ofKeys, topN).map(([id, figures]) => spender('key', id, figures, 0));
    const nanoDollarsOfKeys = [...ofKeys].reduce((sum, [id, { nano_dollars }]) => (id === '' ? sum : sum + nano_dollars), 0);
    const correctedOfKeys = [...ofKeys].reduce((sum, [id, its]) => (id === '' ? sum : sum + correctedCost(its)), 0);
    return { as_of, total: all ? spender('all', '', all, 0) : null, users, bots, keys, nanoDollarsOfKeys, correctedOfKeys };
  },
);

/** Those that cost most, without the usage that belongs to no bot or no key. */
function highest(sums: ReadonlyMap<string, Figures>, count: number): readonly (readonly [string, Figures])[] {
  const entries = [...sums].filter(([id]) => id !== '');
  return entries.toSorted(([a, { nano_dollars: of }], [b, { nano_dollars: than }]) => than - of || (a < b ? 1 : -1)).slice(0, count);
}
