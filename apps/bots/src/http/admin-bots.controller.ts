import { Body, Controller, Get, Headers, Patch, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { Audited, AuditedRead, Caller, etagOf, IdParam, Needs } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { newestIncluded, Projector } from '@parlance/read-models';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ExecuteBot } from '../commands/aggregates.ts';
import { botNotFound, statusOf } from '../domain/bot.ts';
import { bots } from '../projections/bots/bots.ts';
import { knowledge } from '../projections/knowledge/knowledge.ts';
import { SyncOf } from '../projections/knowledge/queries.ts';
import { PublicBot } from './answers.ts';
import { BotAnswers } from './bot-answers.ts';
import { shownRun } from './sync-answer.ts';

class PinBody {
  @IsBoolean() to_pinned!: boolean;
  /** Required to pin. */
  @ValidateIf((body: PinBody) => body.to_pinned || body.order !== undefined) @IsInt() @Min(1) @Max(999) order?: number;
}

const PinAnswer = z.object({ id: z.string(), status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.') });

nameSchemas({ PinnedBot: PinAnswer });

@Controller('admin')
@Needs('Admin')
export class AdminBotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly store: EventStore,
    private readonly projector: Projector,
  ) {}

  @Patch('bot/:botId/pushed')
  @Audited('pin', 'bot', 'botId', { field: 'to_pinned', value: false, action: 'unpin' })
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
    // The position is read before the rows, so that the rows include it.
    const newest = await newestIncluded(this.store, this.projector, [bots.name, knowledge.name]);
    const as_of = newest && { position: newest.position, time: Instant.toString(newest.at) };
    const seen = await this.answers.seen(botId, caller);
    // The administrator's own private bot is not public either.
    if (seen.row.shared_scope === 'private') throw botNotFound();
    reply.header('etag', etagOf(seen.row.version));
    const sync = await this.queries.execute(new SyncOf(seen.row.id));
    return { as_of, ...(await this.answers.privateBot(seen)), execution_id: (sync && shownRun(sync))?.id ?? null };
  }
}
