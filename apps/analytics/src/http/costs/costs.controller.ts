import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { AuditedRead, Limit, Needs } from '@parlance/http';
import { dollars } from '@parlance/money';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { Window } from '../../domain/window.ts';
import { SpendInWindow, type SpendingOfWindow } from '../../projections/in-window/spend-in-window.ts';
import { NewestOfSpend, SpendOfMonth } from '../../projections/spend.ts';
import { UsageOfOne } from '../../projections/in-window/usage-in-window.ts';
import { EarlierAmounts } from '../../workflows/earlier-amounts.ts';
import { CostSummaryAnswer, inDollars } from '../answers.ts';
import { bothOf, CostEntries } from './cost-entries.ts';
import { SplitEntries } from './split-entries.ts';
import { LATEST, MONTH, windowOfPeriod } from '../windows.ts';

class CostSummaryQuery {
  @IsOptional() @Matches(MONTH, { message: 'must be a month, YYYY-MM' }) period?: string;
  /** Epoch seconds. The hour is included. */
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) start_time?: number;
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) end_time?: number;
  @Limit(100) top_n: number = 10;
  /**
   * Also return the earlier cost of each listed user, bot and API key: in the previous month, or in the same number of hours directly
   * before.
   */
  @IsOptional() @IsBoolean() compare: boolean = false;
}

@Controller('admin/costs')
export class CostsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly entries: CostEntries,
    private readonly splits: SplitEntries,
    private readonly earlier: EarlierAmounts,
    private readonly clock: Clock,
  ) {}

  @Get('summary')
  @Needs('Admin')
  @AuditedRead('view_costs', 'costs')
  @Summary(
    'Get the cost of a month, or from one hour (UTC) to another, with the users, bots, API keys, tokens, cost centres and tags that cost the most.',
  )
  @Answers(200, CostSummaryAnswer)
  @Refuses('invalid_window', 400)
  @Refuses('window_too_large', 400)
  async summary(@Query() { top_n, compare, ...asked }: CostSummaryQuery): Promise<CostSummaryAnswer> {
    const now = this.clock.now();
    const window = windowOfPeriod(asked, now);
    const { month } = window;
    const { as_of, daily, total, users, bots, keys, splits, nanoDollarsOfKeys, correctedOfKeys } = await this.spending(window, top_n);
    const compared = <E extends object>(scope: 'user' | 'bot' | 'key', entries: readonly E[], idOf: (entry: E) => string) =>
      compare ? this.compared(window, scope, entries, idOf) : [...entries];
    return {
      as_of,
      period: month ?? `${window.from}/${window.to}`,
      currency: 'USD',
      total_cost: dollars(total?.nano_dollars ?? 0),
      ...bothOf(total ?? { nano_dollars: 0 }),
      total_input_tokens: total?.input_tokens ?? 0,
      total_output_tokens: total?.output_tokens ?? 0,
      projected_total_cost: projected(total?.nano_dollars ?? 0, month, now),
      by_model: inDollars(total?.by_model ?? {}),
      by_model_as_corrected: inDollars(total?.corrected_by_model ?? {}),
      daily: [...daily].map(([date, { nano_dollars, corrections, input_tokens, output_tokens }]) => {
        return { date, cost: dollars(nano_dollars), as_corrected: dollars(nano_dollars + corrections), input_tokens, output_tokens };
      }),
      top_users: await compared('user', await this.entries.ofUsers(users), ({ user_id }) => user_id),
      top_bots: await compared('bot', await this.entries.ofBots(bots), ({ bot_id }) => bot_id),
      by_key: await compared('key', await this.entries.ofKeys(keys), ({ api_key_id }) => api_key_id),
      total_cost_by_keys: dollars(nanoDollarsOfKeys),
      total_as_corrected_by_keys: dollars(correctedOfKeys),
      ...(await this.splits.of(splits)),
    };
  }

  private async compared<E extends object>(
    window: Window,
    scope: 'user' | 'bot' | 'key',
    entries: readonly E[],
    idOf: (entry: E) => string,
  ) {
    const amounts = await this.earlier.of(scope, entries.map(idOf), window);
    return entries.map((entry) => ({ ...entry, before: amounts && bothOf(amounts.get(idOf(entry)) ?? { nano_dollars: 0 }) }));
  }

  private async spending(window: Window, topN: number): Promise<SpendingOfWindow> {
    if (window.month === undefined) return this.queries.execute(new SpendInWindow(window, topN));
    for (let tries = 1; ; tries++) {
      const spending = await this.queries.execute(new SpendOfMonth(window.month, topN));
      const { daily } = await this.queries.execute(new UsageOfOne('all', '', window));
      // The days must add up to the month. Under constant load, they may include a charge more.
      if (tries === MOST_TRIES || spending.as_of?.position === (await this.queries.execute(new NewestOfSpend()))?.position)
        return { ...spending, daily };
    }
  }
}

const HOUR = 3_600_000;
/** How often the parts of an answer are read until no event came between them. */
const MOST_TRIES = 3;

/** The cost of the current month if the remaining hours cost as much as the past ones. The first hour of a month counts as a full hour. */
function projected(nanoDollars: number, month: string | undefined, now: Instant): number | null {
  const date = new Date(now);
  if (month === undefined || month !== date.toISOString().slice(0, 7)) return null;
  const begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return dollars(Math.round((nanoDollars * (end - begin)) / Math.max(now - begin, HOUR)));
}
