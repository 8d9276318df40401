import { refuse } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Cursor, type Page, Projector, type Query, ReadModels, type Row, type Table } from '@parlance/read-models';
import { queryWith } from '../bus.ts';
import { stretchesOf, type Window } from '../domain/window.ts';
import type { AsOf } from './as-of.ts';
import { newestOfSpend } from './spend.ts';
import { type UsageDay, usageDayRows } from './usage-days.ts';
import { type UsageHour, usageHourRows } from './usage-hours.ts';

/** The number of rows in a page, which are added up in about a millisecond. */
const PAGE_ROWS = 1_000;
/** The most rows that one answer reads. One bot and one model, used on each day of a year, have 366 rows. */
const MOST_ROWS = 50_000;
/** The most bots, models and API keys in one answer. */
const MOST_NAMES = 1_000;

export interface Sums {
  /** As billed. */
  nano_dollars: number;
  /** What restatements added to the cost as corrected. */
  corrections: number;
  input_tokens: number;
  output_tokens: number;
}

export interface UsageOfWindow {
  readonly as_of: AsOf | null;
  readonly total: Readonly<Sums>;
  /** Nano-dollars by model and by bot, highest cost first; without the conversations that have no bot. */
  readonly byModel: Readonly<Record<string, number>>;
  readonly byBot: Readonly<Record<string, number>>;
  /** For own published bots, by API key. */
  readonly byKey: Readonly<Record<string, number>>;
  /** The sums by day, in order. */
  readonly daily: ReadonlyMap<string, Readonly<Sums>>;
}

/** The charges of a user in a window. Refuses windows with too many rows (`window_too_large`). */
export const UsageOfUser = queryWith(
  'UsageOfUser',
  [ReadModels, Projector],
  async ([models, projector], userId: string, window: Window): Promise<UsageOfWindow> => {
    const as_of = await newestOfSpend(models, projector);
    const sums = new WindowSums();
    const addPages = async <R extends Row>(table: Table<R>, asked: Omit<Query, 'limit' | 'after'>, add: (row: R) => void) => {
      for (let after: Cursor | null = null; ;) {
        const page: Page<R> = await models.find(table, { ...asked, limit: PAGE_ROWS, ...(after && { after }) });
        for (const row of page.rows) add(row);
        // Rows of a file are read without waiting. Measured: 50,000 in one turn blocked all others for a second.
        if (isTurnOver()) await nextTurn();
        if (page.next === null) return;
        if (sums.rows >= MOST_ROWS) throw tooLarge();
        after = page.next;
      }
    };
    for (const { rows: kind, from, to } of stretchesOf(window)) {
      if (kind === 'days')
        await addPages(usageDayRows, { index: 'ofOne', where: { scope: 'user', id: userId }, from, to }, (row) => sums.add(row.day, row));
      else
        await addPages(usageHourRows, { index: 'byHour', where: { user_id: userId }, from, to }, (row) =>
          sums.add(row.hour.slice(0, 10), row),
        );
    }
    return { as_of, ...sums.answer() };
  },
);

const tooLarge = () =>
  refuse('invalid', 'window_too_large', 'There is too much usage in this window for one answer. Ask for a shorter window.', {
    errors: [{ path: 'end_time', message: 'is too long after start_time, because there is too much usage in between' }],
  });

class WindowSums {
  rows = 0;
  private readonly total = none();
  private readonly daily = new Map<string, Sums>();
  private readonly models = new Map<string, number>();
  private readonly bots = new Map<string, number>();
  private readonly keys = new Map<string, number>();

  add(day: string, { bot_id = null, ...row }: UsageDay | UsageHour): void {
    this.rows++;
    const ofDay = this.daily.get(day) ?? none();
    this.daily.set(day, ofDay);
    for (const sum of [this.total, ofDay]) {
      sum.nano_dollars += row.nano_dollars;
      sum.corrections += row.corrections ?? 0;
      sum.input_tokens += row.input_tokens;
      sum.output_tokens += row.output_tokens;
    }
    this.models.set(row.model, (this.models.get(row.model) ?? 0) + row.nano_dollars);
    if (bot_id !== null) this.bots.set(bot_id, (this.bots.get(bot_id) ?? 0) + row.nano_dollars);
    const key = row.api_key_id;
    if (key !== undefined) this.keys.set(key, (this.keys.get(key) ?? 0) + row.nano_dollars);
  }

  answer(): Omit<UsageOfWindow, 'as_of'> {
    return { total: this.total, byModel: highest(this.models), byBot: highest(this.bots), byKey: highest(this.keys), daily: this.daily };
  }
}

const none = (): Sums => ({ nano_dollars: 0, corrections: 0, input_tokens: 0, output_tokens: 0 });

const highest = (costs: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...costs].toSorted(([, a], [, b]) => b - a).slice(0, MOST_NAMES));
