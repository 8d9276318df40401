import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, IdParam, Internal } from '@parlance/http';
import { MAX_HITS } from '@parlance/retrieval';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import type { GenerationParams, Guardrails } from '../domain/configuration.ts';
import { TitlesOf } from '../projections/bots.ts';
import { SyncOf } from '../projections/knowledge.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { type Found, LONGEST_QUERY, Retrieval } from '../projections/retrieval.ts';
import { BotAnswers, hasKnowledge, inTurns } from './bot-answers.ts';

const MOST_TITLES = 1_000;
/** Characters of a message. Only its beginning is searched for. */
const LONGEST_MESSAGE = 1024 * 1024;

class TitlesBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) bot_ids!: string[];
}

class RetrieveBody {
  @IsString() @MaxLength(LONGEST_MESSAGE) query!: string;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_HITS) max_results?: number;
}

/** The text for an answer of a bot, with what else the answer depends on. */
interface Retrieved {
  /** The version of the configuration, as in the history of the bot. */
  readonly version: number;
  readonly display_retrieved_chunks: boolean;
  readonly instruction: string;
  readonly generation_params: GenerationParams;
  readonly prompt_caching_enabled: boolean;
  readonly active_models: readonly string[];
  readonly bedrock_guardrails: Guardrails;
  /** Empty for the default text. */
  readonly guardrail_blocked_text: string;
  readonly has_knowledge: boolean;
  readonly chunks: readonly Found[];
  readonly timings: Readonly<Record<string, number>>;
}

/** A bot that the user may use, and which models may answer for it. */
interface SeenBot {
  readonly id: string;
  readonly owner_user_id: string;
  readonly has_knowledge: boolean;
  readonly active_models: readonly string[];
  readonly default_model: string | null;
}

/** For other services. */
@Controller('internal/bots')
@Internal()
export class InternalBotsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
    private readonly retrieval: Retrieval,
  ) {}

  /** For services that act for a user and must know whether the user may use the bot at this moment. */
  @Get(':botId/seen')
  async seen(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<SeenBot> {
    const { row, content } = await this.answers.seen(botId, caller);
    const has_knowledge = hasKnowledge(content, await this.queries.execute(new SyncOf(botId)));
    const { active_models, default_model } = content.settings;
    return { id: row.id, owner_user_id: row.owner_user_id, has_knowledge, active_models, default_model };
  }

  /**
   * The text that answers a user's question to a bot. Decides at this moment whether the user may use the bot. Longer questions are cut,
   * because the words at their beginning find enough.
   */
  @Post(':botId/retrieve')
  @HttpCode(200)
  async retrieve(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() { query, max_results }: RetrieveBody,
  ): Promise<Retrieved> {
    const { row, content } = await this.answers.seen(botId, caller);
    const { bedrock_knowledge_base: base, display_retrieved_chunks, ...settings } = content.settings;
    const { generation_params, prompt_caching_enabled, active_models, bedrock_guardrails } = settings;
    const sync = await this.queries.execute(new SyncOf(row.id));
    const has_knowledge = hasKnowledge(content, sync);
    const bot = {
      version: content.version,
      display_retrieved_chunks,
      instruction: await this.texts.open(content.instruction),
      generation_params,
      prompt_caching_enabled,
      active_models,
      bedrock_guardrails,
      guardrail_blocked_text: await this.texts.open(content.blocked_text ?? null),
      has_knowledge,
    };
    if (!has_knowledge || query.trim() === '') return { ...bot, chunks: [], timings: {} };
    const asked = { limit: max_results ?? base.search_params.max_results, type: base.search_params.search_type };
    const { results, timings } = await this.retrieval.search(botId, base, query.slice(0, LONGEST_QUERY), asked);
    return { ...bot, chunks: results, timings };
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
