import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { Cursor } from '@parlance/read-models';
import { query } from '../bus.ts';
import { type BotRating, botRatingRows } from './bot-usage.ts';

/** The number of ratings read at once. */
const AT_ONCE = 500;
/** The most ratings that one page searches. If too few of them are bad, the page is shorter than its limit, and the next one continues. */
export const MOST_SEARCHED = 20_000;

interface BadRatings {
  readonly ratings: readonly BotRating[];
  readonly next: Cursor | null;
}

/** The bad ratings of a bot's replies from one day to another, newest first. */
export const BadRatingsOfBot = query(
  'BadRatingsOfBot',
  async (models, botId: string, from: string, to: string, limit: number, after: Cursor | null): Promise<BadRatings> => {
    const found: BotRating[] = [];
    let searched = 0;
    for (let cursor = after, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await models.find(botRatingRows, {
        index: 'ofBot',
        where: { bot_id: botId },
        from,
        to,
        order: 'desc',
        limit: AT_ONCE,
        ...(cursor && { after: cursor }),
      });
      found.push(...page.rows.filter(({ thumbs_up }) => !thumbs_up));
      // One rating more than is returned, to know whether there is another page.
      if (found.length > limit) return { ratings: found.slice(0, limit), next: cursorOf(found[limit - 1]!) };
      searched += page.rows.length;
      cursor = page.next;
      if (searched >= MOST_SEARCHED) return { ratings: found, next: cursor };
      if (cursor && isTurnOver()) await nextTurn();
    }
    return { ratings: found, next: null };
  },
);

const cursorOf = ({ bot_id, day, time, reply_id }: BotRating): Cursor => [bot_id, day, time, reply_id];
