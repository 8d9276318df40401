import { firstMonthKept } from '@parlance/contracts';
import type {
  CallCompleted,
  ChargeCorrected,
  CostsRestated,
  ConversationImported,
  FeedbackGiven,
  KnowledgeCharged,
  MessagesImported,
  ModelChecked,
  MessageSubmitted,
  ReplyCompleted,
  ReplyFailed,
  ReplyRequested,
  TokensCharged,
} from '@parlance/contracts';
import { inTurns } from '@parlance/event-loop';
import type { CloudEvent } from '@parlance/messaging';
import {
  add,
  type Change,
  first,
  foreignProjection,
  type Outdated,
  Projector,
  put,
  ReadModels,
  table,
  update,
} from '@parlance/read-models';
import { query, queryWith } from '../bus.ts';
import type { AsOf } from './as-of.ts';
import { botDayRows, botRatingRows, botReplied, botWasAsked, firstRatingKept, replyRated } from './bot-usage.ts';
import { begun, blockUseRows, endedFree, spendingCorrected, spendingRows, spent } from './budget-spend.ts';
import { activityImported, countedImport, importedParts, importTotalsRows, type UsedBefore, usedBefore } from './imported-spend.ts';
import { corrected } from './spend/corrections.ts';
import { type Split, splitBy, splitHourRows, SPLITS } from './spend/splits.ts';
import { rankedIn, type SpendRow, spendKey, spendRows, spentInMonth } from './spend/spend-rows.ts';
import { botUserHourRows, conversationHourRows, laterDayRows, onDays, ownDayRows, usageDayRows, usedInConversation } from './usage-days.ts';
import { amountsOf, inHour, keyIn, usageHourRows } from './usage-hours.ts';

/** Conversations and users that are already counted, by month. No query reads them. */
const partRows = table<Record<string, never>>('spend_parts');
/** The published bot of an API key that was used. */
const keyBotRows = table<{ bot_id: string }>('api_key_bots');
/** One row: the newest event that is included. */
const newestRows = table<AsOf>('spend_newest');

/**
 * Only events of a month read the parts of that month. The rows of the previous month are kept too, because two replicas that append at the
 * turn of a month may write times out of order.
 */
const outdated: Outdated = {
  newest: (models) => models.get(newestRows, 'newest'),
  before({ time }) {
    const month = firstPartsKept(time);
    return [
      ...[partRows, spendingRows, blockUseRows].map((one) => ({ table: one, key: month })),
      { table: botRatingRows, key: firstRatingKept(firstMonthKept(time)) },
      ...[
        importedParts,
        usageHourRows,
        splitHourRows,
        usageDayRows,
        conversationHourRows,
        ownDayRows,
        laterDayRows,
        botUserHourRows,
        botDayRows,
      ].map((one) => ({ table: one, key: firstMonthKept(time) })),
    ];
  },
};

/** The month before the month of a time. */
const firstPartsKept = (time: string): string =>
  new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)) - 2)).toISOString().slice(0, 7);

type Charged =
  | CloudEvent<ReplyCompleted, 'parlance.inference.reply-completed.v1'>
  | CloudEvent<TokensCharged, 'parlance.inference.tokens-charged.v1'>
  | CloudEvent<KnowledgeCharged, 'parlance.inference.knowledge-charged.v1'>
  | CloudEvent<ModelChecked, 'parlance.inference.model-checked.v1'>
  | CloudEvent<CallCompleted, 'parlance.inference.call-completed.v1'>;
type Received =
  | Charged
  | CloudEvent<MessageSubmitted, 'parlance.inference.message-submitted.v1'>
  | CloudEvent<ReplyRequested, 'parlance.inference.reply-requested.v1'>
  | CloudEvent<ReplyFailed, 'parlance.inference.reply-failed.v1'>
  | CloudEvent<ConversationImported, 'parlance.inference.conversation-imported.v1'>
  | CloudEvent<MessagesImported, 'parlance.inference.messages-imported.v1'>
  | CloudEvent<FeedbackGiven, 'parlance.inference.feedback-given.v1'>
  | CloudEvent<CostsRestated, 'parlance.inference.costs-restated.v1'>
  | CloudEvent<ChargeCorrected, 'parlance.inference.charge-corrected.v1'>;

/**
 * The cost belongs to the month in which the tokens were used. A completed reply is charged by its own event, every other call by a
 * separate one.
 */
export const spend = foreignProjection<Received>({
  name: 'spend',
  version: 17,
  tables: [
    spendRows,
    partRows,
    newestRows,
    spendingRows,
    blockUseRows,
    usageHourRows,
    usageDayRows,
    conversationHourRows,
    ownDayRows,
    laterDayRows,
    botUserHourRows,
    keyBotRows,
    splitHourRows,
    botDayRows,
    botRatingRows,
    importedParts,
    importTotalsRows,
  ],
  outdated,
  on: {
    'parlance.inference.message-submitted.v1': ({ time, data }) => [...begun(data), ...botWasAsked(time, data)],
    'parlance.inference.reply-requested.v1': ({ data }) => begun(data),
    'parlance.inference.reply-completed.v1': charged,
    'parlance.inference.reply-failed.v1': ({ data }) => endedFree(data),
    'parlance.inference.tokens-charged.v1': charged,
    'parlance.inference.knowledge-charged.v1': charged,
    'parlance.inference.model-checked.v1': charged,
    // Its reservation in budgets begins and ends with this event.
    'parlance.inference.call-completed.v1': (event) => [...begun(event.data), ...charged(event)],
    'parlance.inference.costs-restated.v1': ({ time, sequence, data }) => [
      noteNewest({ position: Number.parseInt(sequence, 10), time }),
      ...corrected(time, data.corrections),
    ],
    'parlance.inference.charge-corrected.v1': ({ time, sequence, data }) => [
      noteNewest({ position: Number.parseInt(sequence, 10), time }),
      ...corrected(time, [data]),
      // Days of earlier months are removed.
      ...(data.hour.slice(0, 7) < firstPartsKept(time) ? [] : spendingCorrected(data)),
    ],
    'parlance.inference.conversation-imported.v1': ({ time, sequence, data }) => [
      noteNewest({ position: Number.parseInt(sequence, 10), time }),
      ...chargedBefore(time, usedBefore(data)),
      ...activityImported(data),
      countedImport(data),
    ],
    'parlance.inference.messages-imported.v1': ({ data }) => activityImported(data),
    'parlance.inference.feedback-given.v1': ({ time, sequence, data }) => [
      noteNewest({ position: Number.parseInt(sequence, 10), time }),
      ...replyRated(time, data),
    ],
  },
});

/**
 * The cost of an imported conversation belongs to the month in which it was used, and to no budget, because it was spent in another product. The
 * parts of earlier months are removed, so imports have separate parts, which are kept as long as the hours of usage.
 */
function chargedBefore(now: string, { time, data }: UsedBefore): readonly Change[] {
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

function charged({ type, time, sequence, data }: Charged): readonly Change[] {
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

/** Events of different conversations arrive in any order. */
const noteNewest = (event: AsOf) => update(newestRows, 'newest', (row) => (row && row.position >= event.position ? row : event));

const countOnce = (part: string, month: string, scope: SpendRow['scope'], id: string) =>
  first(partRows, part, {}, [onePart(month, scope, id)]);

const onePart = (month: string, scope: SpendRow['scope'], id: string): Change =>
  add(spendRows, spendKey(month, scope, id, ''), { parts: 1 }, { ...NOTHING, ranked: 0, month, scope, id, model: '' });

const NOTHING = { nano_dollars: 0, input_tokens: 0, output_tokens: 0 };

export interface Spender extends SpendRow {
  readonly by_model: Readonly<Record<string, number>>;
  /** As corrected. */
  readonly corrected_by_model: Readonly<Record<string, number>>;
  readonly parts: number;
}

export interface MonthOfSpending {
  readonly as_of: AsOf | null;
  readonly total: Omit<Spender, 'parts'> | null;
  readonly users: readonly Spender[];
  readonly bots: readonly Spender[];
  readonly keys: readonly Spender[];
  readonly splits: Readonly<Record<Split, readonly Spender[]>>;
  /** The cost of all API keys together. */
  readonly nanoDollarsOfKeys: number;
  readonly correctedOfKeys: number;
}

/** The most models that are read for a row. */
const MODELS = 1_000;
/** The number of users, bots or keys whose models are read concurrently. This takes about two milliseconds from a file. */
const AT_ONCE = 20;

/** The newest included event. Must be read first, so that events that arrive meanwhile make the figures newer than this, never older. */
export async function newestOfSpend(models: ReadModels, projector: Projector): Promise<AsOf | null> {
  const newest = await models.get(newestRows, 'newest');
  return newest && projector.complete(spend.name, newest);
}

/** The newest event that the figures include. */
export const NewestOfSpend = queryWith('NewestOfSpend', [ReadModels, Projector], async ([models, projector]) =>
  newestOfSpend(models, projector),
);

export const SpendOfMonth = queryWith(
  'SpendOfMonth',
  [ReadModels, Projector],
  async ([models, projector], month: string, topN: number): Promise<MonthOfSpending> => {
    const as_of = await newestOfSpend(models, projector);
    const [[all], users, bots, keys, [allKeys], ...splits] = await Promise.all([
      highest(models, month, 'all', 1),
      highest(models, month, 'user', topN),
      highest(models, month, 'bot', topN),
      highest(models, month, 'key', topN),
      highest(models, month, 'keys', 1),
      ...SPLITS.map((split) => highest(models, month, split, topN)),
    ]);
    const splitInto = async (split: Split) => inTurns(splits[SPLITS.indexOf(split)]!, AT_ONCE, (row) => spender(models, row));
    return {
      as_of,
      total: all ? { ...all, ...(await costByModel(models, all)) } : null,
      users: await inTurns(users, AT_ONCE, (row) => spender(models, row)),
      bots: await inTurns(bots, AT_ONCE, (row) => spender(models, row)),
      keys: await inTurns(keys, AT_ONCE, (row) => spender(models, row)),
      splits: { token: await splitInto('token'), cost_centre: await splitInto('cost_centre'), tag: await splitInto('tag') },
      nanoDollarsOfKeys: allKeys?.nano_dollars ?? 0,
      correctedOfKeys: allKeys ? correctedCost(allKeys) : 0,
    };
  },
);

/** The published bots of API keys that were used. */
export const BotsOfKeys = query('BotsOfKeys', async (models, keys: readonly string[]): Promise<ReadonlyMap<string, { bot_id: string }>> => {
  return keys.length === 0 ? new Map() : models.getMany(keyBotRows, keys);
});

/** The rows of one scope with the highest cost. */
async function highest(models: ReadModels, month: string, scope: SpendRow['scope'], limit: number): Promise<readonly SpendRow[]> {
  return (await models.find(spendRows, { ...rankedIn(month, scope), order: 'desc', limit })).rows;
}

async function spender(models: ReadModels, row: SpendRow): Promise<Spender> {
  return { ...row, ...(await costByModel(models, row)), parts: row.parts ?? 0 };
}

type ByModel = Pick<Spender, 'by_model' | 'corrected_by_model'>;

export async function costByModel(models: ReadModels, { month, scope, id }: SpendRow): Promise<ByModel> {
  const { rows } = await models.find(spendRows, { index: 'byModel', where: { month, scope, id }, limit: MODELS });
  const ofModels = rows.filter((row) => row.model !== '');
  return {
    by_model: Object.fromEntries(ofModels.map((row) => [row.model, row.nano_dollars])),
    corrected_by_model: Object.fromEntries(ofModels.map((row) => [row.model, correctedCost(row)])),
  };
}

export const correctedCost = ({ nano_dollars, corrections = 0 }: Pick<SpendRow, 'nano_dollars' | 'corrections'>): number =>
  nano_dollars + corrections;
