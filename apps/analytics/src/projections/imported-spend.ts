import type { ConversationImported, MessagesImported, TokensCharged } from '@parlance/contracts';
import { add, type Change, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import { botDayRows, replyRated } from './bot-usage.ts';

/** The charges of a run of `parlance migrate`. There is one row for each run name that an operator has chosen. */
export interface ImportTotals {
  conversations: number;
  nano_dollars: number;
}

export const importTotalsRows = table<ImportTotals>('spend_imports');
/**
 * Conversations and users of imports that are already counted, by month. They are kept for longer than for charges, because imports belong to
 * earlier months.
 */
export const importedParts = table<Record<string, never>>('spend_imported_parts');

export interface UsedBefore {
  readonly time: string;
  readonly data: TokensCharged;
}

/** An imported conversation as a charge at the time of its newest message. The tokens used in another product are unknown. */
export function usedBefore({ conversation_id, user_id, bot_id, model, used_at, cost_nano_dollars }: ConversationImported): UsedBefore {
  const usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
  const data = { charge_id: conversation_id, purpose: 'chat', conversation_id, user_id, bot_id, model, usage, cost_nano_dollars } as const;
  return { time: used_at, data };
}

export const countedImport = ({ import_name, cost_nano_dollars }: ConversationImported): Change =>
  add(importTotalsRows, import_name, { conversations: 1, nano_dollars: cost_nano_dollars }, {});

/** Questions, replies and ratings of a bot, on the days on which they were written. */
export function activityImported({ conversation_id, user_id, bot_id, days, ratings }: MessagesImported): readonly Change[] {
  if (bot_id === null) return [];
  return [
    ...days.map(({ day, queries, replies }) => add(botDayRows, `${day}|${bot_id}`, { queries, replies }, { bot_id, day })),
    ...ratings.flatMap(({ at, ...rating }) => replyRated(at, { conversation_id, user_id, bot_id, ...rating })),
  ];
}

export const ChargedByImport = query('ChargedByImport', async (models, name: string): Promise<ImportTotals> => {
  return (await models.get(importTotalsRows, name)) ?? { conversations: 0, nano_dollars: 0 };
});
