import { setImmediate } from 'node:timers/promises';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { Internal, IsUlid } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, Length, Max, Min, ValidateNested } from 'class-validator';
import { ExecuteKeyUse } from '../commands/aggregates.ts';
import { PublicationByApi } from '../projections/publications.ts';

const MOST_REPORTS = 500;
/** The number of keys whose reports are recorded at the same time, so that their appends share commits of the store. */
const KEYS_AT_ONCE = 32;
const MOST_REQUESTS = 1_000_000_000;
const HOUR_SECONDS = 3_600;

class CountsBody {
  @IsInt() @Min(0) @Max(MOST_REQUESTS) '2xx'!: number;
  @IsInt() @Min(0) @Max(MOST_REQUESTS) '3xx'!: number;
  @IsInt() @Min(0) @Max(MOST_REQUESTS) '4xx'!: number;
  @IsInt() @Min(0) @Max(MOST_REQUESTS) '429'!: number;
  @IsInt() @Min(0) @Max(MOST_REQUESTS) '5xx'!: number;
}

class ReportBody {
  @IsUlid() key_id!: string;
  @Length(1, 64) api_id!: string;
  @IsInt() @Min(1) number!: number;
  /** Epoch seconds of the last request. */
  @IsInt() @Min(0) time!: number;
  @ValidateNested() @Type(() => CountsBody) counts!: CountsBody;
}

class UsageBody {
  @Length(1, 64) holder!: string;
  @IsArray() @ArrayMaxSize(MOST_REPORTS) @ValidateNested({ each: true }) @Type(() => ReportBody) reports!: ReportBody[];
}

/** Records the edges' counts of requests with each key. A report may be repeated. */
@Controller('internal/api-usage')
@Internal()
export class InternalUsageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /** Reports about publications that were removed meanwhile are ignored. A time in the future, from a clock that is ahead, counts as now. */
  @Post()
  @HttpCode(204)
  async record(@Body() { holder, reports }: UsageBody): Promise<void> {
    const byKey = [...Map.groupBy(reports, ({ key_id }) => key_id).values()];
    for (let from = 0; from < byKey.length; from += KEYS_AT_ONCE) {
      await Promise.all(byKey.slice(from, from + KEYS_AT_ONCE).map((ofKey) => this.recordOfKey(holder, ofKey)));
      await setImmediate();
    }
  }

  /** Records the reports in order, because a report with a lower number than an earlier one counts as a repeat. */
  private async recordOfKey(holder: string, reports: readonly ReportBody[]): Promise<void> {
    const now = this.clock.now();
    for (const { key_id, api_id, number, time, counts } of reports) {
      const publication = await this.queries.execute(new PublicationByApi(api_id));
      if (!publication) continue;
      const at = Instant.ofMillis(Math.min(time * 1_000, now));
      const seconds = Instant.toSeconds(at);
      const report = {
        holder,
        number,
        botId: publication.bot_id,
        apiId: api_id,
        hour: Instant.ofSeconds(seconds - (seconds % HOUR_SECONDS)),
        counts: { ...counts },
        at,
      };
      await this.commands.execute(new ExecuteKeyUse(key_id, { type: 'Record', report }));
    }
  }
}
