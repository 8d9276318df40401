import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Audited, Caller, IdParam, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { MAX_HITS } from '@parlance/retrieval';
import { IsIn, IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { botNotFound, notEditor } from '../domain/bot.ts';
import { mayConfigure } from '../domain/sharing.ts';
import { relationTo } from '../projections/bots/bot-rows.ts';
import { SyncOf } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { LONGEST_QUERY, NOTHING_PAID, type PaidSearch, Retrieval } from '../projections/retrieval.ts';
import { ModelUses } from '../workflows/model-uses.ts';
import { SyncRuns } from '../workflows/sync-runs.ts';
import { KnowledgeSearch, KnowledgeSync } from './answers.ts';
import { BotAnswers, type SeenBot } from './bot-answers.ts';
import { syncAnswer } from './sync-answer.ts';

class SearchBody {
  @Length(1, LONGEST_QUERY) query!: string;
  @IsOptional() @IsInt() @Min(1) @Max(MAX_HITS) max_results?: number;
  @IsOptional() @IsIn(['hybrid', 'semantic', 'lexical']) search_type?: 'hybrid' | 'semantic' | 'lexical';
}

/** The knowledge of a bot: reading its sources, and trying a search. For its owner, its editors and administrators. */
@Controller('bot/:botId/knowledge')
export class KnowledgeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly retrieval: Retrieval,
    private readonly syncs: SyncRuns,
    private readonly uses: ModelUses,
  ) {}

  @Post('sync')
  @SignedIn()
  @HttpCode(202)
  @Audited('sync_knowledge', 'bot', 'botId')
  @Summary('Read the sources of a bot again. Unchanged sources are copied from the earlier index.')
  @Answers(202, KnowledgeSync)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('no_sources', 409)
  async sync(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<KnowledgeSync> {
    await this.editable(botId, caller);
    if (!(await this.stateOf(botId)).has_sources)
      throw refuse('conflict', 'no_sources', 'The bot has no sources of knowledge. Save it with sources first.');
    await this.commands.execute(new ExecuteKnowledgeSync(botId, { type: 'Request', by: caller.userId }));
    this.syncs.wake();
    return this.answered(botId);
  }

  @Get('sync')
  @SignedIn()
  @Audited('view_bot', 'bot', 'botId')
  @Summary('Get the newest run that reads the sources of a bot, with its progress.')
  @Answers(200, KnowledgeSync)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  async state(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<KnowledgeSync> {
    // The reason of a failure names sources.
    await this.answers.recordRead(await this.editable(botId, caller));
    return this.answered(botId);
  }

  @Post('search')
  @SignedIn()
  @HttpCode(200)
  @Audited('search_knowledge', 'bot', 'botId')
  @Summary('Search the knowledge of a bot in the same way as a question to the bot does.')
  @Answers(200, KnowledgeSearch)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  async search(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() { query, max_results, search_type }: SearchBody,
  ): Promise<KnowledgeSearch> {
    const seen = await this.editable(botId, caller);
    await this.answers.recordRead(seen);
    const { search_params } = seen.content.settings.bedrock_knowledge_base;
    const search = { limit: max_results ?? search_params.max_results, type: search_type ?? search_params.search_type };
    const { bedrock_knowledge_base: base } = seen.content.settings;
    let paid: PaidSearch = NOTHING_PAID;
    try {
      return await this.retrieval.search(botId, base, query, search, (part) => (paid = { ...paid, ...part }));
    } finally {
      await this.uses.recordSearch({ botId: seen.row.id, userId: caller.userId }, paid);
    }
  }

  private async editable(botId: string, caller: Caller): Promise<SeenBot> {
    const seen = await this.answers.seen(botId, caller);
    if (!mayConfigure(relationTo(caller, seen.row))) throw notEditor();
    return seen;
  }

  private async stateOf(botId: string): Promise<SyncRow> {
    const state = await this.queries.execute(new SyncOf(botId));
    if (!state) throw botNotFound();
    return state;
  }

  private async answered(botId: string): Promise<KnowledgeSync> {
    const state = await this.stateOf(botId);
    const reason = { reason: await this.answers.syncReason(state), cause: await this.answers.syncCause(state) };
    return syncAnswer(state, reason, await this.answers.syncWarnings(botId));
  }
}
