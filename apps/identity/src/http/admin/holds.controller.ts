import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { acceptsCsv, Audited, AuditedRead, Caller, csvList, FreshId, IdParam, IsUlid, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HoldsInStatus } from '../../projections/holds.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { HoldAnswer, Holds } from '../../workflows/holds/holds.ts';
import { pageAnswer } from '../pages.ts';

const LONGEST_REASON = 1_000;

/** Either `user_id` or `bot_id`. */
class PlaceHoldBody {
  /** The user who is not to be erased, and whose conversations are to be kept. */
  @IsOptional() @IsUlid() user_id?: string | null;
  /** The bot that is not to be deleted, and whose conversations are to be kept. */
  @IsOptional() @IsUlid() bot_id?: string | null;
  /** For administrators. Destroyed when the hold ends. */
  @Length(1, LONGEST_REASON) reason!: string;
}

const ASKED = { list: 'holds' };
const COLUMNS = ['id', 'user_id', 'bot_id', 'reason', 'placed_by', 'create_time'] as const;

@Controller('admin/holds')
@Needs('Admin')
export class HoldsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly holds: Holds,
    private readonly factors: SecondFactors,
    private readonly pages: PageTokens,
  ) {}

  @Get()
  @AuditedRead('view_holds', 'hold')
  @Summary('List the holds, oldest first.')
  @Answers(200, pageAnswer('holds', HoldAnswer))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'holds', columns: COLUMNS, read: (pageQuery) => this.page(pageQuery) });
    return this.page(page);
  }

  private async page({ limit, next_token }: PageQuery) {
    const after = next_token === undefined ? null : this.pages.open<string>(ASKED, next_token);
    const rows = await this.queries.execute(new HoldsInStatus('placed', after, limit + 1));
    const shown = rows.slice(0, limit);
    const holds = await Promise.all(shown.map((row) => this.holds.opened(row)));
    return { holds, next_token: rows.length > limit ? this.pages.seal(ASKED, shown.at(-1)?.hold_id) : null };
  }

  @Post()
  @Audited('place_hold', 'hold')
  @Summary('Place a hold on a user or a bot: it is not deleted, and its conversations are kept, until the hold ends.')
  @Answers(201, HoldAnswer)
  @Refuses('user_not_found', 404)
  @Refuses('bot_not_found', 404)
  @Refuses('too_many_holds', 409)
  @Refuses('hold_is_over', 409)
  async place(@FreshId() holdId: string, @Body() { user_id, bot_id, reason }: PlaceHoldBody): Promise<HoldAnswer> {
    if (user_id != null && bot_id != null) throw invalid('bot_id', 'must be absent if there is a user_id');
    if (user_id != null) return this.holds.place(holdId, { kind: 'user', id: user_id }, reason);
    if (bot_id != null) return this.holds.place(holdId, { kind: 'bot', id: bot_id }, reason);
    throw invalid('user_id', 'must name the user, or bot_id the bot');
  }

  @Delete(':holdId')
  @HttpCode(204)
  @Audited('end_hold', 'hold', 'holdId')
  @Summary('End a hold. What it protected can be deleted again, and retention rules apply to it again.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('hold_not_found', 404)
  async end(@IdParam('holdId') holdId: string, @Caller() { userId, sessionId }: Caller): Promise<void> {
    await this.factors.requireFreshIfNeeded(userId, sessionId);
    await this.holds.end(holdId);
  }
}

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
