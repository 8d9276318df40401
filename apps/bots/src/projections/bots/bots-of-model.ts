import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { query } from '../../bus.ts';
import { botContentRows, type BotRow } from './bot-rows.ts';
import { rowsOf, SharedBotIds } from './bot-queries.ts';

/** The number of bots whose settings are read at once: rows with long instructions have more than 100 KB each. */
const AT_ONCE = 20;
/** The most bots that one page searches. If they are not enough, the next page continues. */
const MOST_SEARCHED = 1_000;

export interface BotOfModel {
  readonly row: BotRow;
  /** Whether the bot names the model. Otherwise it allows all models. */
  readonly isNamed: boolean;
}

interface Page {
  readonly bots: readonly BotOfModel[];
  /** The last bot that was read, if others follow. */
  readonly next: string | null;
}

/** The shared bots whose settings allow a model, newest first. */
export const SharedBotsOfModel = query(
  'SharedBotsOfModel',
  async (models, modelId: string, after: string | null, limit: number): Promise<Page> => {
    const bots: BotOfModel[] = [];
    let last = after;
    for (let searched = 0; searched < MOST_SEARCHED; searched += AT_ONCE) {
      const page = await SharedBotIds.find(models, last, AT_ONCE);
      const contents = await models.getMany(botContentRows, page.bot_ids);
      for (const row of await rowsOf(models, page.bot_ids)) {
        const active = contents.get(row.id)?.settings.active_models;
        if (active === undefined || (active.length > 0 && !active.includes(modelId))) continue;
        // One bot more than is returned, to know whether there is another page.
        if (bots.length === limit) return { bots, next: bots.at(-1)!.row.id };
        bots.push({ row, isNamed: active.length > 0 });
      }
      last = page.next;
      if (last === null) return { bots, next: null };
      if (isTurnOver()) await nextTurn();
    }
    return { bots, next: last };
  },
);
