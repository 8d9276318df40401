import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { DAY, DAYS_COUNTED, dayOf, MostUsedOn } from './bot-uses.ts';

/** The weight of a use halves in this many days. */
const HALF_LIFE_DAYS = 7;
/** The number of most used bots of a day whose uses are counted. */
const MOST_BOTS_A_DAY = 10_000;
/** The numbers of a day this old are final, except for events that arrive very late. Newer days are read each time. */
const FINAL_AFTER_DAYS = 2;
/** Numbers are read again after this time. */
const FRESH_MILLIS = 60_000;
/** Numbers of all days are read again after this time. */
const ALL_FRESH_MILLIS = 60 * 60 * 1_000;

/** How popular bots are, by their uses in the last 30 days. Recent uses count more than old ones. */
@Injectable()
export class Popularity {
  /** Uses by bot, for the days whose numbers are final. */
  private readonly finalDays = new Map<string, ReadonlyMap<string, number>>();
  private scores: ReadonlyMap<string, number> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;
  private allReadAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /** Scores of used bots, in whole numbers. At most a minute old. */
  async current(): Promise<ReadonlyMap<string, number>> {
    const now = this.clock.now();
    if (now - this.readAt >= FRESH_MILLIS) await (this.reading ??= this.read(now).finally(() => (this.reading = null)));
    return this.scores;
  }

  private async read(now: number): Promise<void> {
    const wanted = Array.from({ length: DAYS_COUNTED }, (_, age) => dayOf(now - age * DAY));
    // Events that arrive late change final numbers too.
    const isDue = now - this.allReadAt >= ALL_FRESH_MILLIS;
    if (isDue) this.finalDays.clear();
    const scores = new Map<string, number>();
    for (const [age, day] of wanted.entries()) {
      const uses = this.finalDays.get(day) ?? (await this.usesOn(day));
      if (age >= FINAL_AFTER_DAYS) this.finalDays.set(day, uses);
      const weight = 1_000_000 * 0.5 ** (age / HALF_LIFE_DAYS);
      for (const [id, times] of uses) scores.set(id, (scores.get(id) ?? 0) + Math.round(times * weight));
      await setImmediate();
    }
    for (const day of this.finalDays.keys()) if (!wanted.includes(day)) this.finalDays.delete(day);
    this.scores = scores;
    this.readAt = now;
    if (isDue) this.allReadAt = now;
  }

  private async usesOn(day: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.queries.execute(new MostUsedOn(day, MOST_BOTS_A_DAY));
    return new Map(rows.map((row) => [row.bot_id, row.uses]));
  }
}
