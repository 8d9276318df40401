import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { SeenBots } from '../projections/bots/bot-queries.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { SeenPrompts } from '../projections/prompts/prompts.ts';
import { openInTurns } from './bot-answers.ts';

const MOST_TITLES = 200;

class SeenTitlesBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) bot_ids!: string[];
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) prompt_ids!: string[];
}

type Titles = Readonly<Record<string, string>>;

/** For services that show a user bots and prompts which they know only by their IDs. */
@Controller('internal/seen-titles')
@Internal()
export class InternalSeenTitlesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
    private readonly vault: Vault,
  ) {}

  /** Titles by ID. Those that the user may not see now, or that are deleted, are left out. */
  @Post()
  @HttpCode(200)
  async titles(@Caller() caller: Caller, @Body() { bot_ids, prompt_ids }: SeenTitlesBody): Promise<{ bots: Titles; prompts: Titles }> {
    const bots = await this.queries.execute(new SeenBots(bot_ids, caller));
    const prompts = await this.queries.execute(new SeenPrompts(prompt_ids, caller));
    return {
      bots: titlesOf(await openInTurns(bots, async ({ id, title }) => [id, await this.texts.openIfThere(title)] as const)),
      prompts: titlesOf(await openInTurns(prompts, async ({ id, title }) => [id, await this.vault.openOften(title as Sealed)] as const)),
    };
  }
}

const titlesOf = (opened: readonly (readonly [id: string, title: string | null])[]): Titles =>
  Object.fromEntries(opened.filter((each): each is readonly [string, string] => each[1] !== null));
