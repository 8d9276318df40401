import { firstMonthKept, isOfSessions } from '@parlance/contracts';
import { add, type Change, table } from '@parlance/read-models';
import { usageDayRows } from '../usage-days.ts';
import { type Amounts, spentInMonth } from './spend-rows.ts';

/** By what the costs of calls of models are split, besides user and model. */
export const SPLITS = ['token', 'cost_centre', 'tag'] as const;
export type Split = (typeof SPLITS)[number];

/** The cost of calls in an hour (UTC) with one token, of one cost centre or with one tag, on one model. The key begins with the hour. */
export interface SplitHour {
  readonly hour: string;
  readonly scope: Split;
  readonly id: string;
  readonly model: string;
  /** As billed. */
  readonly nano_dollars: number;
  readonly corrections?: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export const splitHourRows = table<SplitHour>('split_hours', { byHour: ['scope', 'hour'] });

/** The fields of a charge that only a call of a model by a program has. */
interface OfCall {
  readonly user_id: string;
  readonly token_id?: string | undefined;
  readonly cost_centre?: string | null | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** Names are chosen by users, and are parts of the keys of rows. */
const escaped = (text: string): string => text.replace(/[%|:]/g, (mark) => ({ '%': '%0', '|': '%1', ':': '%2' })[mark]!);
const unescaped = (text: string): string => text.replace(/%[012]/g, (mark) => ({ '%0': '%', '%1': '|', '%2': ':' })[mark]!);

/** The cost centre in the ID of a row. */
export const costCentreIn = unescaped;

/** The tag in the ID of a row. */
export function tagIn(id: string): { readonly name: string; readonly value: string } {
  const [name = '', value = ''] = id.split(':');
  return { name: unescaped(name), value: unescaped(value) };
}

function idsOf({ token_id, cost_centre = null, tags = {} }: OfCall): readonly (readonly [Split, string])[] {
  if (token_id === undefined || isOfSessions(token_id)) return [];
  return [
    ['token', token_id],
    ...(cost_centre === null ? [] : [['cost_centre', escaped(cost_centre)] as const]),
    ...Object.entries(tags).map(([name, value]) => ['tag', `${escaped(name)}:${escaped(value)}`] as const),
  ];
}

/** Adds a charge or a correction to the splits. `now`: the time of the event. `hour`: when the tokens were used, such as 2026-11-21T09. */
export function splitBy(now: string, hour: string, of: OfCall, model: string, amounts: Amounts): readonly Change[] {
  const ids = idsOf(of);
  if (ids.length === 0) return [];
  const [month, day] = [hour.slice(0, 7), hour.slice(0, 10)];
  const isKept = month >= firstMonthKept(now);
  return ids.flatMap(([scope, id]) => [
    ...spentInMonth({ month, scope, id, ...(scope === 'token' && { user_id: of.user_id }) }, model, amounts),
    ...(isKept
      ? [
          add(usageDayRows, `${day}|${scope}|${id}|${model}`, { ...amounts }, { day, scope, id, model }),
          add(splitHourRows, `${hour}|${scope}|${id}|${model}`, { ...amounts }, { hour, scope, id, model }),
        ]
      : []),
  ]);
}
