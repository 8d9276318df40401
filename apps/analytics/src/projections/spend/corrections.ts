import { type CostsRestated, firstMonthKept } from '@parlance/contracts';
import type { Change } from '@parlance/read-models';
import { onDays } from '../usage-days.ts';
import { inHour } from '../usage-hours.ts';
import { correctionOf, spentInMonth } from './spend-rows.ts';
import { splitBy } from './splits.ts';

type Correction = CostsRestated['corrections'][number];

/**
 * Adds a restatement, or an administrator's correction of a charge, to the costs as corrected, in the hours in which the tokens were
 * used. So corrected costs of any window add up like billed ones. Budgets ignore restatements: the spending of a period is what was
 * billed, or what an administrator has entered for a charge.
 */
export function corrected(time: string, corrections: readonly Correction[]): readonly Change[] {
  const kept = firstMonthKept(time);
  return corrections.flatMap(({ hour, difference_nano_dollars, ...place }) => {
    const [month, amounts] = [hour.slice(0, 7), correctionOf(difference_nano_dollars)];
    const { user_id, bot_id, model, api_key_id: key } = place;
    return [
      ...spentInMonth({ month, scope: 'all', id: '' }, model, amounts),
      ...spentInMonth({ month, scope: 'user', id: user_id }, model, amounts),
      ...(bot_id === null ? [] : spentInMonth({ month, scope: 'bot', id: bot_id }, model, amounts)),
      ...(key === undefined || bot_id === null ? [] : spentInMonth({ month, scope: 'key', id: key }, model, amounts)),
      ...(key === undefined || bot_id === null ? [] : spentInMonth({ month, scope: 'keys', id: '' }, model, amounts)),
      ...splitBy(time, hour, place, model, amounts),
      // Earlier times only have rows of months.
      ...(month < kept ? [] : [inHour(hour, place, amounts), ...onDays(hour.slice(0, 10), place, amounts)]),
    ];
  });
}
