import { firstMonthKept } from '@parlance/contracts';
import type { CallCompleted, KnowledgeCharged, ModelChecked, ReplyCompleted, TokensCharged } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { add, type Change, first, put, table, update } from '@parlance/read-models';
import type { AsOf } from '../as-of.ts';
import { botReplied } from '../bot-usage.ts';
import { spent } from '../budget-spend.ts';
import { importedParts, type UsedBefore } from '../imported-spend.ts';
import { onDays, usedInConversation } from '../usage-days.ts';
import { amountsOf, inHour, keyIn } from '../usage-hours.ts';
import { type SpendRow, spendKey, spendRows, spentInMonth } from './spend-rows.ts';
import { splitBy } from './splits.ts';

/** Conversations and users that are already counted, by month. No query reads them. */
export const partRows = table<Record<string, never>>('spend_parts');
/** The published bot of an API key that was used. */
export const keyBotRows = table<{ bot_id: string }>('api_key_bots');
/** One row: the newest event that is included. */
export const newestRows = table<AsOf>('spend_newest');

/** The month before the month of a time. */
export const firstPartsKept = (time: string): string =>
  new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)) - 2)).toISOString().slice(0, 7);

export type Charged =
  | CloudEvent<ReplyCompleted, 'parlance.inference.reply-completed.v1'>
  | CloudEvent<TokensCharged, 'parlance.inference.tokens-charged.v1'>
  | CloudEvent<KnowledgeCharged, 'parlance.inference.knowledge-charged.v1'>
  | CloudEvent<ModelChecked, 'parlance.inference.model-checked.v1'>
  | CloudEvent<CallCompleted, 'parlance.inference.call-completed.v1'>;

/** Adds tokens and cost to the rows of the month, the day and the hour in which the tokens were used. */
export function charged({ type, time, sequence, data }: Charged): readonly Change[] {
  const month = time.slice(0, 7);
  const isReply = type === 'parlance.inference.reply-completed.v1';
  const hasEnded = isReply || type === 'parlance.inference.call-completed.v1';
  const { user_id: user, bot_id: bot, model } = data;
  const key = keyIn(data);
  const use = { user_id: user, bot_id: bot, model, ...(key !== null && { api_key_id: key }) };
  const amounts = amountsOf(data);
  const inMonth = (scope: SpendRow['scope'], id: string) => spentInMonth({ month, scope, id }, model, amounts);
  // The knowledge of a bot and the check of a model belong to no conversation.
  const conversation = 'conversation_id' in data ? data.conversation_id : null;
  const counted =
    conversation === null
      ? []
      : [
          countOnce(`${month}|c|${conversation}`, month, 'user', user),
          ...(bot === null ? [] : [countOnce(`${month}|b|${bot}|${user}`, month, 'bot', bot)]),
        ];
  return [
    noteNewest({ position: Number.parseInt(sequence, 10), time }),
    ...inMonth('all', ''),
    ...inMonth('user', user),
    ...(bot === null ? [] : inMonth('bot', bot)),
    // The spending of programs, by their API keys.
    ...(key === null || bot === null ? [] : [put(keyBotRows, key, { bot_id: bot }), ...inMonth('key', key), ...inMonth('keys', '')]),
    ...counted,
    ...splitBy(time, time.slice(0, 13), data, model, amounts),
    inHour(time.slice(0, 13), use, amounts),
    ...onDays(time.slice(0, 10), use, amounts),
    ...usedInConversation(time, data, use),
    ...spent(time.slice(0, 10), data, hasEnded),
    ...(isReply ? botReplied(time, data) : []),
  ];
}

/**
 * The cost of an imported conversation belongs to the month in which it was used, and to no budget, because it was spent in another product. The
 * parts of earlier months are removed, so imports have separate parts, which are kept as long as the hours of usage.
 */
export function chargedBefore(now: string, { time, data }: UsedBefore): readonly Change[] {
  const month = time.slice(0, 7);
  const { user_id: user, bot_id: bot, conversation_id, model } = data;
  const use = { user_id: user, bot_id: bot, model };
  const amounts = amountsOf(data);
  const isKept = month >= firstMonthKept(now);
  const inMonth = (scope: SpendRow['scope'], id: string) => spentInMonth({ month, scope, id }, model, amounts);
  const counted = (part: string, scope: SpendRow['scope'], id: string): Change =>
    first(month >= firstPartsKept(now) ? partRows : importedParts, part, {}, [onePart(month, scope, id)]);
  return [
    ...inMonth('all', ''),
    ...inMonth('user', user),
    ...(bot === null ? [] : inMonth('bot', bot)),
    counted(`${month}|c|${conversation_id}`, 'user', user),
    ...(bot === null ? [] : [counted(`${month}|b|${bot}|${user}`, 'bot', bot)]),
    ...(isKept
      ? [inHour(time.slice(0, 13), use, amounts), ...onDays(time.slice(0, 10), use, amounts), ...usedInConversation(time, data, use)]
      : []),
  ];
}

/** Events of different conversations arrive in any order. */
export const noteNewest = (event: AsOf): Change =>
  update(newestRows, 'newest', (row) => (row && row.position >= event.position ? row : event));

const countOnce = (part: string, month: string, scope: SpendRow['scope'], id: string) =>
  first(partRows, part, {}, [onePart(month, scope, id)]);

const onePart = (month: string, scope: SpendRow['scope'], id: string): Change =>
  add(spendRows, spendKey(month, scope, id, ''), { parts: 1 }, { ...NOTHING, ranked: 0, month, scope, id, model: '' });

const NOTHING = { nano_dollars: 0, input_tokens: 0, output_tokens: 0 };
