import type { FeedbackGiven } from '@parlance/contracts';
import { add, type Change, put, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { BotQuality } from '../domain/bot-quality.ts';
import { pagesOf } from './in-window/usage-in-window.ts';

/** Messages to a bot and its replies on a day (UTC). The key begins with the day. */
interface BotDay {
  bot_id: string;
  day: string;
  queries: number;
  replies: number;
}

/** The latest rating of a bot's reply. The key is the ID of the reply, which begins with its time. Inference keeps the comment. */
export interface BotRating {
  bot_id: string;
  /** Day of the rating, in UTC. */
  day: string;
  time: string;
  conversation_id: string;
  reply_id: string;
  thumbs_up: boolean;
  category: string | null;
  has_comment: boolean;
}

export const botDayRows = table<BotDay>('bot_days', { ofBot: ['bot_id', 'day'] });
export const botRatingRows = table<BotRating>('bot_ratings', { ofBot: ['bot_id', 'day', 'time'], byDay: ['day'] });

const onDay = (time: string, bot: string | null, amounts: { queries?: number; replies?: number }): readonly Change[] => {
  const day = time.slice(0, 10);
  const all = { queries: 0, replies: 0, ...amounts };
  return bot === null ? [] : [add(botDayRows, `${day}|${bot}`, all, { bot_id: bot, day })];
};

export const botWasAsked = (time: string, { bot_id }: { readonly bot_id: string | null }) => onDay(time, bot_id, { queries: 1 });
export const botReplied = (time: string, { bot_id }: { readonly bot_id: string | null }) => onDay(time, bot_id, { replies: 1 });

export function replyRated(time: string, data: FeedbackGiven): readonly Change[] {
  const { bot_id, conversation_id, reply_id, thumbs_up, category, has_comment } = data;
  if (bot_id === null) return [];
  const row = { bot_id, day: time.slice(0, 10), time, conversation_id, reply_id, thumbs_up, category, has_comment };
  return [put(botRatingRows, reply_id, row)];
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The lowest reply ID of a month. Ratings of earlier replies are removed. */
export function firstRatingKept(month: string): string {
  let text = '';
  for (let millis = Date.parse(`${month}-01T00:00:00Z`); text.length < 10; millis = Math.floor(millis / 32))
    text = BASE32[millis % 32]! + text;
  return text;
}

export interface QuestionCounts {
  readonly queries: number;
  readonly replies: number;
}

/** How often a bot was asked from one day to another, by day. */
export const QueriesOfBot = query(
  'QueriesOfBot',
  async (models, botId: string, from: string, to: string): Promise<ReadonlyMap<string, QuestionCounts>> => {
    const days = new Map<string, QuestionCounts>();
    for await (const rows of pagesOf(models, botDayRows, { index: 'ofBot', where: { bot_id: botId }, from, to }))
      for (const row of rows) days.set(row.day, row);
    return days;
  },
);

/** Sums of the ratings of a bot's replies from one day to another. Ratings are read newest first. */
export const RatingsOfBot = query(
  'RatingsOfBot',
  async (models, botId: string, from: string, to: string, comments: number): Promise<Ratings> => {
    const ratings = new Ratings(comments);
    const asked = { index: 'ofBot', where: { bot_id: botId }, from, to, order: 'desc' } as const;
    for await (const rows of pagesOf(models, botRatingRows, asked)) for (const row of rows) ratings.add(row);
    return ratings;
  },
);

/** What users asked each bot from one day to another, and how they rated its replies. Refuses too many rows (`window_too_large`). */
export const QualityOfBots = query('QualityOfBots', async (models, from: string, to: string): Promise<ReadonlyMap<string, BotQuality>> => {
  const bots = new Map<string, BotQuality>();
  const of = (id: string) => {
    const found = bots.get(id) ?? { queries: 0, replies: 0, up: 0, down: 0 };
    bots.set(id, found);
    return found;
  };
  for await (const rows of pagesOf(models, botDayRows, { index: 'key', from: `${from}|`, to: `${to}|~` })) {
    for (const { bot_id, queries, replies } of rows) {
      const bot = of(bot_id);
      bot.queries += queries;
      bot.replies += replies;
    }
  }
  for await (const rows of pagesOf(models, botRatingRows, { index: 'byDay', from, to }))
    for (const { bot_id, thumbs_up } of rows) of(bot_id)[thumbs_up ? 'up' : 'down']++;
  return bots;
});

export interface Thumbs {
  up: number;
  down: number;
}

/** The sums of ratings. */
export class Ratings {
  readonly total: Thumbs = { up: 0, down: 0 };
  readonly daily = new Map<string, Thumbs>();
  readonly byCategory = new Map<string, number>();
  /** The newest ratings with a comment. */
  readonly commented: BotRating[] = [];

  constructor(private readonly comments: number) {}

  add(row: BotRating): void {
    const day = this.daily.get(row.day) ?? { up: 0, down: 0 };
    this.daily.set(row.day, day);
    for (const thumbs of [this.total, day]) {
      if (row.thumbs_up) thumbs.up++;
      else thumbs.down++;
    }
    if (row.category !== null) this.byCategory.set(row.category, (this.byCategory.get(row.category) ?? 0) + 1);
    if (row.has_comment && this.commented.length < this.comments) this.commented.push(row);
  }
}

/** Null if nothing was rated. */
export const shareOf = ({ up, down }: Thumbs): number | null => (up + down === 0 ? null : up / (up + down));
