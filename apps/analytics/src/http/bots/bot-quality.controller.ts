import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { AuditedRead, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { type BotQuality, busiestFirst, worstFirst } from '../../domain/bot-quality.ts';
import { QualityOfBots, shareOf } from '../../projections/bot-usage.ts';
import { NewestOfSpend } from '../../projections/spend.ts';
import { BotListing } from '../../workflows/bot-listing.ts';
import { type BotQualityItem, BotQualityAnswer } from '../admin-answers.ts';
import { windowOfDays } from '../windows.ts';

const MOST_LISTED = 200;
const ORDERS = { satisfaction: worstFirst, queries: busiestFirst } as const;

class QualityQuery {
  @IsOptional() @IsInt() @Min(1) @Max(366) days: number = 30;
  /** `satisfaction`: the bots with the clearest bad ratings first. `queries`: the bots with the most questions first. */
  @IsOptional() @IsIn(Object.keys(ORDERS)) order: 'satisfaction' | 'queries' = 'satisfaction';
  @IsOptional() @IsInt() @Min(1) @Max(MOST_LISTED) limit: number = 50;
}

/** Which bots serve their users well. */
@Controller('admin/bots')
@Needs('Admin')
export class BotQualityController {
  constructor(
    private readonly queries: QueryBus,
    private readonly listing: BotListing,
    private readonly clock: Clock,
  ) {}

  @Get('quality')
  @AuditedRead('view_bot_quality', 'bots')
  @Summary(
    'List the shared bots that users asked or rated in the most recent days, by satisfaction or by the number of queries. Private and deleted bots are left out.',
  )
  @Answers(200, BotQualityAnswer)
  @Refuses('window_too_large', 400)
  async quality(@Query() { days, order, limit }: QualityQuery): Promise<BotQualityAnswer> {
    const { from, to } = windowOfDays({ days }, this.clock.now());
    const as_of = await this.queries.execute(new NewestOfSpend());
    const all = await this.queries.execute(new QualityOfBots(from.slice(0, 10), to.slice(0, 10)));
    const shared = (await this.listing.sharedIds()).flatMap((id) => {
      const quality = all.get(id);
      return quality ? [[id, quality] as const] : [];
    });
    const ranked = shared.toSorted(([, one], [, other]) => ORDERS[order](one, other));
    return { as_of, bots: await this.itemsOf(ranked.slice(0, limit)) };
  }

  /** The items of a page, without bots that were narrowed or deleted meanwhile. */
  private async itemsOf(ranked: readonly (readonly [id: string, quality: BotQuality])[]): Promise<BotQualityItem[]> {
    const bots = await this.listing.shown(ranked.map(([id]) => id));
    return ranked.flatMap(([id, { queries, replies, up, down }]) => {
      const bot = bots.get(id);
      const figures = {
        query_count: queries,
        thumbs_up: up,
        thumbs_down: down,
        satisfaction: shareOf({ up, down }),
        rated_share: replies === 0 ? null : Math.min(1, (up + down) / replies),
      };
      return bot ? [{ ...bot, ...figures }] : [];
    });
  }
}
