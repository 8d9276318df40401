import { Body, Controller, Get, Headers, Patch, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Audited, AuditedRead, Caller, etagOf, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ExecuteBot } from '../commands/aggregates.ts';
import { botNotFound, statusOf } from '../domain/bot.ts';
import { SharedBots } from '../projections/bots.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { BotItem, pageOf, PublicBot } from './answers.ts';
import { BotAnswers, inTurns } from './bot-answers.ts';

class PinBody {
  @IsBoolean() to_pinned!: boolean;
  /** Required to pin. */
  @ValidateIf((body: PinBody) => body.to_pinned || body.order !== undefined) @IsInt() @Min(1) @Max(999) order?: number;
}

const PinAnswer = z.object({ id: z.string(), status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.') });

/** A public or partially shared bot in the list of administrators. */
const SharedBot = BotItem.pick({ id: true, title: true, description: true, shared_scope: true, status: true, owner_user_id: true });

@Controller('admin')
@Needs('Admin')
export class AdminBotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
    private readonly tokens: PageTokens,
  ) {}

  @Patch('bot/:botId/pushed')
  @Audited('pin', 'bot', 'botId')
  @Summary('Pin a bot, change the order of a pinned bot, or unpin it.')
  @Answers(200, PinAnswer)
  @Refuses('bot_not_found', 404)
  @Refuses('bot_private', 409)
  async pin(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() { to_pinned, order = 0 }: PinBody,
    @Headers('if-match') ifMatch?: string,
  ): Promise<z.infer<typeof PinAnswer>> {
    const command = to_pinned ? ({ type: 'Pin', by: caller, order } as const) : ({ type: 'Unpin', by: caller } as const);
    const { state } = await this.commands.execute(new ExecuteBot(botId, command, { ifMatch }));
    if (state.status !== 'living') throw botNotFound();
    return { id: botId, status: statusOf(state.sharing.scope, state.pin) };
  }

  @Get('bot/public/:botId')
  @AuditedRead('view_bot', 'bot', 'botId')
  @Summary('Get a public or partially shared bot with its instruction, its knowledge and its lists of users and groups.')
  @Answers(200, PublicBot)
  @Refuses('bot_not_found', 404)
  async publicBot(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof PublicBot>> {
    const seen = await this.answers.seen(botId, caller);
    // The administrator's own private bot is not public either.
    if (seen.row.shared_scope === 'private') throw botNotFound();
    reply.header('etag', etagOf(seen.row.version));
    return { ...(await this.answers.privateBot(seen)), execution_id: null };
  }

  @Get('public-bots')
  @Summary('List the public and partially shared bots, the newest first. Prices are not answered yet.')
  @Answers(200, pageOf('bots', SharedBot))
  @Refuses('invalid_next_token', 400)
  async publicBots(@Query() { limit, next_token }: PageQuery) {
    const asked = { list: 'admin-public-bots' };
    const after = next_token === undefined ? null : this.tokens.open<string>(asked, next_token);
    const { rows, next } = await this.queries.execute(new SharedBots(after, limit));
    const opened = await inTurns(rows, async ({ id, owner_user_id, shared_scope, status, ...row }) => {
      const title = await this.texts.openIfThere(row.title);
      const description = await this.texts.openIfThere(row.description);
      return title === null || description === null ? null : { id, title, description, shared_scope, status, owner_user_id };
    });
    // Bots that are being deleted are left out.
    const bots = opened.filter((bot) => bot !== null);
    return { bots, next_token: next === null ? null : this.tokens.seal(asked, next) };
  }
}
