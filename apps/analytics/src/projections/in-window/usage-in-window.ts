import { refuse } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Cursor, type Page, type Query, ReadModels, type Row, type Table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { longStretchesOf, monthAfter, stretchesOf, type Window } from '../../domain/window.ts';
import { spendRows } from '../spend/spend-rows.ts';
import { usageDayRows } from '../usage-days.ts';
import { type UsageHour, usageHourRows } from '../usage-hours.ts';

/** The number of rows in a page, which are added up in about a millisecond. */
const PAGE_ROWS = 1_000;
/** The most rows that one answer remembers or counts. */
const MOST_ROWS = 400_000;
/**
 * The most rows of one kind that are added up for one answer. In the longest window, 10,000 users with two models on each day have 1,100,000
 * rows of days and 180,000 of months. Measured: 3 µs of processor time for each.
 */
export const MOST_ADDED_ROWS = 1_500_000;

export interface Figures {
  /** As billed. */
  nano_dollars: number;
  /** What restatements added to the cost as corrected. */
  corrections: number;
  input_tokens: number;
  output_tokens: number;
  /** Nano-dollars by model, as billed and as corrected. */
  readonly models: Map<string, number>;
  readonly corrected: Map<string, number>;
}

export interface Summed {
  readonly model: string;
  readonly nano_dollars: number;
  readonly corrections?: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface FiguresOfAll {
  readonly all: Figures | undefined;
  /** By API key; '' without one. */
  readonly keys: ReadonlyMap<string, Figures>;
}

/** The rows of the hours before and after the whole days of a window, page by page. Refuses windows with too many (`window_too_large`). */
async function* hoursOf(models: ReadModels, window: Window): AsyncGenerator<readonly UsageHour[]> {
  for (const { rows, from, to } of stretchesOf(window))
    if (rows === 'hours') yield* pagesOf(models, usageHourRows, { index: 'key', from: `${from}|`, to: `${to}|~` }, MOST_ADDED_ROWS);
}

/**
 * What was charged in the hours before and after the whole days of a window. The rows of hours have no order by bot or API key, so each sum
 * needs all of them: they are read once for all sums of an answer.
 */
export class HourSums {
  /** Nano-dollars by user. */
  private readonly user = new Map<string, number>();
  /** By bot and by API key; '' without one. */
  readonly bot = new Sums();
  readonly key = new Sums();
  readonly day = new Sums();

  /** Refuses windows with too many rows (`window_too_large`). */
  static async of(models: ReadModels, window: Window): Promise<HourSums> {
    const sums = new HourSums();
    for await (const rows of hoursOf(models, window)) for (const row of rows) sums.add(row);
    return sums;
  }

  *costsOf(scope: 'user' | 'bot'): Iterable<readonly [id: string, nanoDollars: number]> {
    if (scope === 'user') yield* this.user;
    else for (const [id, { nano_dollars }] of this.bot.of) yield [id, nano_dollars];
  }

  private add(row: UsageHour): void {
    this.user.set(row.user_id, (this.user.get(row.user_id) ?? 0) + row.nano_dollars);
    this.bot.add(row.bot_id ?? '', row);
    this.key.add(row.api_key_id ?? '', row);
    this.day.add(row.hour.slice(0, 10), row);
  }
}

/** The charges in a window in total, and with each API key. Refuses windows with too many rows (`window_too_large`). */
export async function figuresOfAll(models: ReadModels, window: Window, hours: HourSums): Promise<FiguresOfAll> {
  const [all, keys] = [new Sums(), new Sums()];
  for (const [id, figures] of hours.key.of) {
    all.addSums('', figures);
    keys.addSums(id, figures);
  }
  for (const { rows: kind, from, to } of longStretchesOf(window)) {
    if (kind === 'hours') continue;
    for (const [scope, sums] of [['all', all] as const, ['key', keys] as const]) {
      if (kind === 'days') {
        const asked = { index: 'byDay', where: { scope }, from, to } as const;
        for await (const rows of pagesOf(models, usageDayRows, asked, MOST_ADDED_ROWS)) for (const row of rows) sums.add(row.id, row);
      } else
        for (let month = from; month <= to; month = monthAfter(month, 1))
          for await (const rows of pagesOf(models, spendRows, { index: 'byModel', where: { month, scope } }, MOST_ADDED_ROWS))
            for (const row of rows) if (row.model !== '') sums.add(row.id, row);
    }
  }
  return { all: all.of.get(''), keys: keys.of };
}

/** The charges in a window with each API key. Refuses windows with too many rows (`window_too_large`). */
export const FiguresOfKeys = query(
  'FiguresOfKeys',
  async (models, window: Window) => (await figuresOfAll(models, window, await HourSums.of(models, window))).keys,
);

/** The charges of some users, or through some bots, in a window, with their models. `hours` belong to the window. */
export async function figuresOfSome(
  models: ReadModels,
  scope: 'user' | 'bot',
  ids: readonly string[],
  window: Window,
  hours: HourSums,
): Promise<ReadonlyMap<string, Figures>> {
  const sums = new Sums();
  for (const { rows: kind, from, to } of longStretchesOf(window)) {
    const ofEach = async <R extends Row & Summed>(table: Table<R>, asked: (id: string) => PagedQuery) => {
      for (const id of ids)
        for await (const rows of pagesOf(models, table, asked(id))) for (const row of rows) if (row.model !== '') sums.add(id, row);
    };
    if (kind === 'months') {
      for (let month = from; month <= to; month = monthAfter(month, 1))
        await ofEach(spendRows, (id) => ({ index: 'byModel', where: { month, scope, id } }));
    } else if (kind === 'days') await ofEach(usageDayRows, (id) => ({ index: 'ofOne', where: { scope, id }, from, to }));
    else if (scope === 'user') await ofEach(usageHourRows, (id) => ({ index: 'byHour', where: { user_id: id }, from, to }));
  }
  if (scope === 'user') return sums.of;
  const wanted = new Set(ids);
  for (const [id, figures] of hours.bot.of) if (wanted.has(id)) sums.addSums(id, figures);
  return sums.of;
}

export interface DailyFigures {
  readonly total: Figures;
  /** Days with usage, in order. */
  readonly daily: ReadonlyMap<string, Figures>;
}

/** The charges in a window through one bot, or in total. A bot's window has complete days. */
export const UsageOfOne = query('UsageOfOne', usageOfOne);

export async function usageOfOne(
  models: ReadModels,
  scope: 'all' | 'bot',
  id: string,
  window: Window,
  hours?: HourSums,
): Promise<DailyFigures> {
  const days = new Sums();
  if (scope === 'all') for (const [day, figures] of (hours ?? (await HourSums.of(models, window))).day.of) days.addSums(day, figures);
  for (const { rows: kind, from, to } of stretchesOf(window)) {
    if (kind === 'hours') continue;
    const asked = { index: 'ofOne', where: { scope, id }, from, to } as const;
    for await (const rows of pagesOf(models, usageDayRows, asked)) for (const row of rows) days.add(row.day, row);
  }
  const total = new Sums();
  for (const figures of days.of.values()) total.addSums('', figures);
  return { total: total.of.get('') ?? none(), daily: new Map([...days.of].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Figures by ID. */
export class Sums {
  readonly of = new Map<string, Figures>();

  add(id: string, { model, nano_dollars, corrections = 0, input_tokens, output_tokens }: Summed): void {
    let figures = this.of.get(id);
    if (!figures) this.of.set(id, (figures = none()));
    figures.nano_dollars += nano_dollars;
    figures.corrections += corrections;
    figures.input_tokens += input_tokens;
    figures.output_tokens += output_tokens;
    figures.models.set(model, (figures.models.get(model) ?? 0) + nano_dollars);
    figures.corrected.set(model, (figures.corrected.get(model) ?? 0) + nano_dollars + corrections);
  }

  addSums(id: string, { models, corrected, ...sums }: Figures): void {
    let figures = this.of.get(id);
    if (!figures) this.of.set(id, (figures = none()));
    for (const field of ['nano_dollars', 'corrections', 'input_tokens', 'output_tokens'] as const) figures[field] += sums[field];
    for (const [model, nano] of models) figures.models.set(model, (figures.models.get(model) ?? 0) + nano);
    for (const [model, nano] of corrected) figures.corrected.set(model, (figures.corrected.get(model) ?? 0) + nano);
  }
}

export const none = (): Figures => ({
  nano_dollars: 0,
  corrections: 0,
  input_tokens: 0,
  output_tokens: 0,
  models: new Map(),
  corrected: new Map(),
});

export type PagedQuery = Omit<Query, 'limit' | 'after'>;

/**
 * All rows, page by page. Yields to other work between pages, even if many queries have only one page each. Refuses more rows than `most`
 * (`window_too_large`).
 */
export async function* pagesOf<R extends Row>(
  models: ReadModels,
  table: Table<R>,
  asked: PagedQuery,
  most = MOST_ROWS,
): AsyncGenerator<readonly R[]> {
  let after: Cursor | null = null;
  for (let read = 0; ;) {
    const page: Query = { ...asked, limit: PAGE_ROWS, ...(after !== null && { after }) };
    const { rows, next }: Page<R> = await models.find(table, page);
    yield rows;
    if (isTurnOver()) await nextTurn();
    if (next === null) return;
    read += rows.length;
    if (read >= most) throw tooLarge();
    after = next;
  }
}

const tooLarge = () =>
  refuse(
    'invalid',
    'window_too_large',
    'There is too much usage in this window for one answer. Ask for whole months, or for a shorter window.',
    {
      errors: [{ path: 'end', message: 'is too long after start, because there is too much usage in between' }],
    },
  );
