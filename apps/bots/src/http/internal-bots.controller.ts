import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, IdParam, Internal } from '@parlance/http';
import { MAX_HITS } from '@parlance/retrieval';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import type { GenerationParams, Guardrails, Tool } from '../domain/configuration.ts';
import { LastTitlesOf } from '../projections/deleted/last-titles.ts';
import { BotsWithIds, SharedBotIds, TitlesOf } from '../projections/bots/bot-queries.ts';
import { SyncOf } from '../projections/knowledge/queries.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { type Found, LONGEST_QUERY, NOTHING_PAID, type PaidSearch, Retrieval } from '../projections/retrieval.ts';
import { ModelUses } from '../workflows/model-uses.ts';
import type { BotItem } from './answers.ts';
import { BotAnswers, hasKnowledge, openInTurns, type SeenBot } from './bot-answers.ts';

const MOST_TITLES = 1_000;
/** The most characters of a message. Only the beginning is used for the search. */
const LONGEST_MESSAGE = 1024 * 1024;

class TitlesBody {
  @IsArray() @ArrayMaxSize(MOST_TITLES) @Length(1, 128, { each: true }) bot_ids!: string[];
}

class SharedBody {
  /** The last ID of the previous page. */
  @IsOptional() @Length(1, 128) after?: string;
}

/** The number of IDs in a page of shared bots. */
const SHARED_AT_ONCE = 1_000;

class SeenQuery {
  @IsOptional() @IsIn(['true', 'false']) prompt?: 'true' | 'false';
  @IsOptional() @IsIn(['true', 'false']) texts?: 'true' | 'false';
}

class RetrieveBody {
  @IsString() @MaxLength(LONGEST_MESSAGE) query!: string;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_HITS) max_results?: number;
}

/** The text for a bot's answer, and everything else that the answer depends on. The caller charges the cost of the search. */
interface Retrieved extends PaidSearch {
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
  readonly tools: readonly Tool[];
  readonly memory: boolean | null;
  readonly owner_user_id: string;
  /** The user who last changed what the model is asked or reads. Null if nobody answers for all of it. */
  readonly configured_by: string | null;
  readonly has_knowledge: boolean;
  readonly chunks: readonly Found[];
  readonly timings: Readonly<Record<string, number>>;
}

/** A bot that the user may use, and the models that may answer for it. */
interface UsableBot {
  readonly id: string;
  readonly owner_user_id: string;
  readonly has_knowledge: boolean;
  readonly active_models: readonly string[];
  readonly default_model: string | null;
  /** Present if requested. Null for a bot with knowledge, whose prompt depends on the question. */
  readonly prompt?: Retrieved | null;
  /** Set if requested. */
  readonly texts?: { readonly title: string; readonly description: string };
}

type SharedBot = Pick<
  BotItem,
  'id' | 'title' | 'description' | 'icon' | 'colour' | 'picture' | 'shared_scope' | 'status' | 'owner_user_id'
>;

/** For other services. */
@Controller('internal/bots')
@Internal()
export class InternalBotsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
    private readonly retrieval: Retrieval,
    private readonly uses: ModelUses,
  ) {}

  /** Answers a service that acts for a user whether this user may currently use the bot. */
  @Get(':botId/seen')
  async seen(@Caller() caller: Caller, @IdParam('botId') botId: string, @Query() { prompt, texts }: SeenQuery): Promise<UsableBot> {
    const bot = await this.answers.seen(botId, caller);
    const { row, content } = bot;
    const has_knowledge = hasKnowledge(content, await this.queries.execute(new SyncOf(botId)));
    const { active_models, default_model } = content.settings;
    const named = texts === 'true' && {
      texts: { title: await this.texts.open(row.title), description: await this.texts.open(row.description) },
    };
    const seen = { id: row.id, owner_user_id: row.owner_user_id, has_knowledge, active_models, default_model, ...named };
    if (prompt !== 'true') return seen;
    return { ...seen, prompt: has_knowledge ? null : { ...(await this.settingsOf(bot)), ...NOTHING_FOUND } };
  }

  /**
   * Returns the text from which a bot answers a user's question, if the user may currently use the bot. Long questions are cut, because
   * the words at the beginning are enough for a search.
   */
  @Post(':botId/retrieve')
  @HttpCode(200)
  async retrieve(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() { query, max_results }: RetrieveBody,
  ): Promise<Retrieved> {
    const seen = await this.answers.seen(botId, caller);
    const { row, content } = seen;
    const { bedrock_knowledge_base: base } = content.settings;
    const has_knowledge = hasKnowledge(content, await this.queries.execute(new SyncOf(row.id)));
    const bot = await this.settingsOf(seen);
    if (!has_knowledge || query.trim() === '') return { ...bot, ...NOTHING_FOUND, has_knowledge };
    const search = { limit: max_results ?? base.search_params.max_results, type: base.search_params.search_type };
    let paid: PaidSearch = NOTHING_PAID;
    const onPaid = (part: Partial<PaidSearch>) => void (paid = { ...paid, ...part });
    try {
      const { results, timings } = await this.retrieval.search(botId, base, query.slice(0, LONGEST_QUERY), search, onPaid);
      return { ...bot, has_knowledge, chunks: results, timings, ...paid };
    } catch (error) {
      // The search failed, so its cost is not part of an answer and is recorded here.
      await this.uses.recordSearch({ botId: row.id, userId: caller.userId }, paid);
      throw error;
    }
  }

  /** Titles by bot, for administrators' figures. Deleted bots have their last title, until their owner is erased. */
  @Post('titles')
  @HttpCode(200)
  async titles(@Body() { bot_ids }: TitlesBody): Promise<{ titles: Readonly<Record<string, string>> }> {
    const last = await this.queries.execute(new LastTitlesOf(bot_ids));
    const found = new Map([...last, ...(await this.queries.execute(new TitlesOf(bot_ids)))]);
    const opened = await openInTurns([...found], async ([id, title]) => [id, await this.texts.openIfThere(title)] as const);
    return { titles: Object.fromEntries(opened.flatMap(([id, title]) => (title === null ? [] : [[id, title]]))) };
  }

  /** The IDs of the bots that are not private, newest first. */
  @Post('shared')
  @HttpCode(200)
  async shared(@Body() { after }: SharedBody): Promise<{ bot_ids: readonly string[]; next: string | null }> {
    return this.queries.execute(new SharedBotIds(after ?? null, SHARED_AT_ONCE));
  }

  /** The bots with the given IDs, for administrators' lists. Private bots are left out. */
  @Post('shown')
  @HttpCode(200)
  async shown(@Body() { bot_ids }: TitlesBody): Promise<{ bots: readonly SharedBot[] }> {
    const rows = await this.queries.execute(new BotsWithIds(bot_ids));
    const shared = rows.filter((row) => row.shared_scope !== 'private');
    const opened = await openInTurns(shared, async ({ id, owner_user_id, icon, colour, picture, shared_scope, status, ...row }) => {
      const title = await this.texts.openIfThere(row.title);
      const description = await this.texts.openIfThere(row.description);
      if (title === null || description === null) return null;
      return { id, title, description, icon, colour, picture, shared_scope, status, owner_user_id };
    });
    // Bots that are being deleted are left out.
    return { bots: opened.filter((bot) => bot !== null) };
  }

  /** The settings that an answer depends on, besides the knowledge. */
  private async settingsOf({ row, content }: SeenBot): Promise<Omit<Retrieved, keyof typeof NOTHING_FOUND>> {
    const { display_retrieved_chunks, generation_params, prompt_caching_enabled, active_models, bedrock_guardrails, tools, memory } =
      content.settings;
    return {
      version: content.version,
      display_retrieved_chunks,
      instruction: await this.texts.open(content.instruction),
      generation_params,
      prompt_caching_enabled,
      active_models,
      bedrock_guardrails,
      guardrail_blocked_text: await this.texts.open(content.blocked_text ?? null),
      tools,
      memory,
      owner_user_id: row.owner_user_id,
      configured_by: content.configured_by,
    };
  }
}

const NOTHING_FOUND = { has_knowledge: false, chunks: [], timings: {}, ...NOTHING_PAID };
