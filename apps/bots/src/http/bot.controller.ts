import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Answers, Audited, Caller, IdParam, Internal, IsUlid, Needs, newId, Refuses, SignedIn } from '@parlance/service-kit';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { ExecuteBot } from '../commands/bot.ts';
import { type BotRow, BotSeenBy } from '../projections/bots.ts';
import { botAnswer } from './answers.ts';

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
  @Answers(201, botAnswer)
  @Refuses('bot_id_taken', 409)
  async create(@Caller() caller: Caller, @Body() body: CreateBotBody): Promise<BotRow> {
    const { id = newId(), title, description = '', instruction = '' } = body;
    await this.commands.execute(new ExecuteBot(id, { type: 'Create', ownerUserId: caller.userId, title, description, instruction }));
    return this.seenBy(id, caller.userId);
  }

  @Get('bot/:botId')
  @SignedIn()
  @Answers(200, botAnswer)
  @Refuses('bot_not_found', 404)
  find(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<BotRow> {
    return this.seenBy(botId, caller.userId);
  }

  @Delete('bot/:botId')
  @SignedIn()
  @Audited('delete_bot', 'bot', 'botId')
  @HttpCode(204)
  @Refuses('bot_not_found', 404)
  async delete(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<void> {
    await this.commands.execute(new ExecuteBot(botId, { type: 'Delete', by: caller.userId }));
  }

  /** For services that act for a user and must know, now, whether the bot is theirs to use. */
  @Get('internal/bots/:botId/seen-by/:userId')
  @Internal()
  seenByUser(@IdParam('botId') botId: string, @Param('userId') userId: string): Promise<BotRow> {
    return this.seenBy(botId, userId);
  }

  private async seenBy(botId: string, userId: string): Promise<BotRow> {
    const row = await this.queries.execute(new BotSeenBy(botId, userId));
    if (!row) throw refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');
    return row;
  }
}
