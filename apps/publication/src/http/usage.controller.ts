import { Controller, Get, Query } from '@nestjs/common';
import { Instant, refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Audited, Caller, IdParam, SignedIn } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { z } from 'zod';
import { STATUSES } from '../domain/key-use.ts';
import { KEPT_DAYS } from '../projections/api-usage.ts';
import { MOST_LISTED, UsageReports, type UsageWindow } from '../workflows/usage-reports.ts';
import { VisiblePublications } from './visible-publications.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const LONGEST_WINDOW_SECONDS = KEPT_DAYS * DAY_SECONDS;
/** The longest window that is listed by the hour. */
const LISTED_HOURS = 7 * 24;

class UsageQuery {
  @IsOptional()
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, { message: 'must be a month, YYYY-MM' })
  period?: string;
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) start_time?: number;
  @IsOptional() @IsInt() @Min(0) @Max(LATEST) end_time?: number;
}

const count = z.int().min(0);
const Requests = z.object({
  request_count: count.describe('Requests, without those refused with 429.'),
  by_status: z.object(Object.fromEntries(STATUSES.map((status) => [status, count]))).describe('All requests by the class of their status.'),
});

const KeyQuota = z.object({
  limit: count.describe('Requests in this period. In the first period it is without the offset.'),
  used: count.describe('Requests that edges have reported. Requests of the last half minute may be missing.'),
  resets_at: z.int().describe('Beginning of the next period in epoch seconds.'),
});

export const PublicationUsage = Requests.extend({
  start_time: z.int().describe('Beginning of the first hour in epoch seconds.'),
  end_time: z.int().describe('End of the last hour in epoch seconds.'),
  by_key: z
    .array(Requests.extend({ api_key_id: z.string(), quota: KeyQuota.nullable().describe('Null without a quota, and for revoked keys.') }))
    .describe(`All keys, and revoked ones with requests; at most ${MOST_LISTED}.`),
  hourly: z
    .array(Requests.extend({ hour: z.int().describe('Beginning of the hour in epoch seconds.') }))
    .describe('Hours with requests. Empty if there are more than 7 days from the first to the last hour.'),
  daily: z.array(Requests.extend({ date: z.string().describe('Day in UTC, YYYY-MM-DD.') })).describe('Days with requests.'),
});

nameSchemas({ PublicationUsage });

/** The requests to a published bot, for its owner and administrators. */
@Controller('bot/:botId/publication/usage')
export class UsageController {
  constructor(
    private readonly visible: VisiblePublications,
    private readonly reports: UsageReports,
    private readonly clock: Clock,
  ) {}

  @Get()
  @SignedIn()
  @Audited('view_publication', 'bot', 'botId')
  @Summary(
    `Get the requests to a published bot in a month, or from one hour to another, by key, status and time. Kept for ${KEPT_DAYS} days.`,
  )
  @Answers(200, PublicationUsage)
  @Refuses('invalid_window', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  async usage(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Query() query: UsageQuery,
  ): Promise<z.infer<typeof PublicationUsage>> {
    const window = windowOf(query, this.clock.now());
    const row = await this.visible.find(caller, botId);
    const { by_hour, by_day, ...report } = await this.reports.of(row, window);
    await this.visible.recordRead(caller, row);
    const isShort = (window.to - window.from) / HOUR_SECONDS < LISTED_HOURS;
    return {
      start_time: window.from,
      end_time: window.to + HOUR_SECONDS,
      ...report,
      by_key: [...report.by_key],
      hourly: isShort ? [...by_hour] : [],
      daily: [...by_day],
    };
  }
}

/** Throws `invalid_window` (invalid). */
function windowOf({ period, start_time, end_time }: UsageQuery, now: Instant): UsageWindow {
  if (start_time === undefined && end_time === undefined) return monthOf(period ?? Instant.toString(now).slice(0, 7));
  if (period !== undefined) throw wrong('period', 'must be absent if start_time and end_time are present');
  if (start_time === undefined) throw wrong('start_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time === undefined) throw wrong('end_time', 'is missing; give both start_time and end_time, or neither');
  if (end_time < start_time) throw wrong('end_time', 'is before start_time');
  if (end_time - start_time > LONGEST_WINDOW_SECONDS) throw wrong('end_time', `must be at most ${KEPT_DAYS} days after start_time`);
  return { from: hourOf(start_time), to: hourOf(end_time) };
}

function monthOf(month: string): UsageWindow {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1);
  return { from: first.getTime() / 1_000, to: next / 1_000 - HOUR_SECONDS };
}

const hourOf = (seconds: number): number => seconds - (seconds % HOUR_SECONDS);

const wrong = (path: string, message: string) =>
  refuse('invalid', 'invalid_window', `The parameter ${path} ${message}.`, { errors: [{ path, message }] });
