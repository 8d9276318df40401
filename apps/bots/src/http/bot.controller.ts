import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, etagOf, FreshId, IdParam, Internal, IsUlid, Needs, SignedIn } from '@parlance/http';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ExecuteBot } from '../commands/aggregates.ts';
import { BotRow, BotSeenBy } from '../projections/bots.ts';

class CreateBotBody {
  @IsOptional() @IsUlid() id?: string;
  @Length(1, 100) title!: string;
  @IsOptional() @IsString() @MaxLength(1_000) description?: string;
  @IsOptional() @IsString() @MaxLength(100_000) instruction?: string;
}

@Controller()
export class BotController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('bot')
  @Needs('CreatingBotAllowed')
  @Audited('create_bot', 'bot')
  @Summary('Create a bot.')
  @Answers(201, BotRow)
  @Refuses('bot_id_taken', 409)
  async create(
    @Caller() caller: Caller,
    @FreshId() freshId: string,
    @Body() body: CreateBotBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BotRow> {
    const { id = freshId, title, description = '', instruction = '' } = body;
    await this.commands.execute(new ExecuteBot(id, { type: 'Create', ownerUserId: caller.userId, title, description, instruction }));
    return this.answered(id, caller.userId, reply);
  }

  @Get('bot/:botId')
  @SignedIn()
  @Summary('Get a bot.')
  @Answers(200, BotRow)
  @Refuses('bot_not_found', 404)
  find(@Caller() caller: Caller, @IdParam('botId') botId: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<BotRow> {
    return this.answered(botId, caller.userId, reply);
  }

  @Delete('bot/:botId')
  @SignedIn()
  @Audited('delete_bot', 'bot', 'botId')
  @Summary('Delete a bot permanently.')
  @HttpCode(204)
  @Refuses('bot_not_found', 404)
  async delete(@Caller() caller: Caller, @IdParam('botId') botId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.commands.execute(new ExecuteBot(botId, { type: 'Delete', by: caller.userId }, { ifMatch }));
  }

  /** For services that act for a user and must know whether the user may use the bot at this moment. */
  @Get('internal/bots/:botId/seen-by/:userId')
  @Internal()
  seenByUser(@IdParam('botId') botId: string, @Param('userId') userId: string): Promise<BotRow> {
    return this.seenBy(botId, userId);
  }

  private async answered(botId: string, userId: string, reply: FastifyReply): Promise<BotRow> {
    const row = await this.seenBy(botId, userId);
    reply.header('etag', etagOf(row.version));
    return row;
  }

  private async seenBy(botId: string, userId: string): Promise<BotRow> {
    const row = await this.queries.execute(new BotSeenBy(botId, userId));
    if (!row) throw refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');
    return row;
  }
}
