import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, IdParam, Internal } from '@parlance/http';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { TitlesOf } from '../projections/bots.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { BotAnswers, inTurns } from './bot-answers.ts';

const MOST_TITLES = 1_000;

class TitlesBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) bot_ids!: string[];
}

/** For other services. */
@Controller('internal/bots')
@Internal()
export class InternalBotsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
  ) {}

  /** For services that act for a user and must know whether the user may use the bot at this moment. */
  @Get(':botId/seen')
  async seen(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<{ id: string; owner_user_id: string }> {
    const { row } = await this.answers.seen(botId, caller);
    return { id: row.id, owner_user_id: row.owner_user_id };
  }

  /** Titles by bot, for administrators' figures. Deleted bots are left out. */
  @Post('titles')
  @HttpCode(200)
  async titles(@Body() { bot_ids }: TitlesBody): Promise<{ titles: Readonly<Record<string, string>> }> {
    const found = await this.queries.execute(new TitlesOf(bot_ids));
    const opened = await inTurns([...found], async ([id, title]) => [id, await this.texts.openIfThere(title)] as const);
    return { titles: Object.fromEntries(opened.flatMap(([id, title]) => (title === null ? [] : [[id, title]]))) };
  }
}
