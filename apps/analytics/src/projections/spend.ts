import { firstMonthKept } from '@parlance/contracts';
import type {
  ChargeCorrected,
  CostsRestated,
  ConversationImported,
  FeedbackGiven,
  MessagesImported,
  MessageSubmitted,
  ReplyFailed,
  ReplyRequested,
} from '@parlance/contracts';
import { inTurns } from '@parlance/event-loop';
import type { CloudEvent } from '@parlance/messaging';
import { foreignProjection, type Outdated, Projector, ReadModels } from '@parlance/read-models';
import { query, queryWith } from '../bus.ts';
import type { AsOf } from './as-of.ts';
import { botDayRows, botRatingRows, botWasAsked, firstRatingKept, replyRated } from './bot-usage.ts';
import { begun, blockUseRows, endedFree, spendingCorrected, spendingRows } from './budget-spend.ts';
import { activityImported, countedImport, importedParts, importTotalsRows, usedBefore } from './imported-spend.ts';
import { type Charged, charged, chargedBefore, firstPartsKept, keyBotRows, newestRows, noteNewest, partRows } from './spend/charges.ts';
import { corrected } from './spend/corrections.ts';
import { type Split, splitHourRows, SPLITS } from './spend/splits.ts';
import { rankedIn, type SpendRow, spendRows } from './spend/spend-rows.ts';
import { botUserHourRows, conversationHourRows, laterDayRows, ownDayRows, usageDayRows } from './usage-days.ts';
import { usageHourRows } from './usage-hours.ts';

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
