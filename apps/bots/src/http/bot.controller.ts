import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '@parlance/foundation';
import { Audited, BodyLimit, Caller, etagOf, FreshId, IdParam, LargeAnswer, Needs, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { ExecuteBot } from '../commands/aggregates.ts';
import { BotDeletion } from '../commands/bot-deletion.ts';
import { BotWriter } from '../commands/bot-writer.ts';
import { notEditor } from '../domain/bot.ts';
import { DEFAULT_SETTINGS } from '../domain/configuration.ts';
import { hasSources, NO_SOURCES } from '../domain/knowledge/knowledge-sources.ts';
import { mayConfigure } from '../domain/sharing.ts';
import { relationTo } from '../projections/bots/bot-rows.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { SyncRuns } from '../workflows/sync-runs.ts';
import { Bot, BotSummary, PrivateBot } from './answers.ts';
import { ChangeBotBody, CreateBotBody, settingsOf } from './bodies/bot-bodies.ts';
import { SharingBody, sharingRequestOf } from './bodies/sharing.ts';
import { BotAnswers, type SeenBot } from './bot-answers.ts';
import { configurationOf, differing, knowledgeOf, textsOf } from './configurations.ts';
import { KnowledgeChecks } from './knowledge-checks.ts';
import { OfferChecks } from './offer-checks.ts';

/** The size limit of a request body. Fits a bot whose texts and source names are as long as allowed. */
export const MOST_BOT_BYTES = 4 * 1024 * 1024;

@Controller()
export class BotController {
  constructor(
    private readonly commands: CommandBus,
    private readonly writer: BotWriter,
    private readonly deletion: BotDeletion,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
    private readonly knowledge: KnowledgeChecks,
    private readonly offers: OfferChecks,
    private readonly syncs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  @Post('bot')
  @BodyLimit(MOST_BOT_BYTES)
  @Needs('CreatingBotAllowed')
  @Audited('create_bot', 'bot')
  @Summary('Create a bot. It is private to its owner.')
  @Answers(201, PrivateBot)
  @Refuses('knowledge_base_not_found', 400)
  @Refuses('object_store_not_configured', 503)
  @Refuses('model_not_available', 400)
  @Refuses('parsing_model_not_available', 400)
  @Refuses('s3_url_not_allowed', 400)
  @Refuses('tool_not_available', 400)
  @Refuses('knowledge_base_limit', 409)
  @Refuses('bot_id_taken', 409)
  async create(
    @Caller() caller: Caller,
    @FreshId() freshId: string,
    @Body() body: CreateBotBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrivateBot> {
    const { id = freshId } = body;
    const { texts, settings } = configurationOf(body, this.clock.now());
    await this.offers.require(settings, DEFAULT_SETTINGS);
    await this.knowledge.require(id, { base: settings.bedrock_knowledge_base, sources: texts.knowledge });
    await this.writer.create(id, caller.userId, texts, settings);
    if (texts.knowledge !== '') this.syncs.wake();
    const seen = await this.visibleBot(id, caller, reply);
    return this.answers.privateBot(seen);
  }

  @Get('bot/:botId')
  @SignedIn()
  @Summary('Get a bot.')
  @Answers(200, Bot)
  @Refuses('bot_not_found', 404)
  async find(@Caller() caller: Caller, @IdParam('botId') botId: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Bot> {
    return this.answers.bot(await this.visibleBot(botId, caller, reply));
  }

  @Get('bot/private/:botId')
  @SignedIn()
  @LargeAnswer()
  @Audited('view_bot', 'bot', 'botId')
  @Summary('Get a bot with its instruction and knowledge. For its owner, its editors and administrators.')
  @Answers(200, PrivateBot)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('busy', 503)
  async findPrivate(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrivateBot> {
    const seen = await this.editableBot(botId, caller, reply);
    await this.answers.recordRead(seen);
    return this.answers.privateBot(seen);
  }

  @Get('bot/summary/:botId')
  @SignedIn()
  @Summary('Get the fields of a bot that its users need, without its settings.')
  @Answers(200, BotSummary)
  @Refuses('bot_not_found', 404)
  async summary(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BotSummary> {
    return this.answers.summary(await this.visibleBot(botId, caller, reply));
  }

  @Patch('bot/:botId')
  @BodyLimit(MOST_BOT_BYTES)
  @SignedIn()
  @Audited('configure_bot', 'bot', 'botId')
  @Summary('Change any of the fields of a bot. For its owner, its editors and administrators.')
  @Answers(200, PrivateBot)
  @Refuses('knowledge_base_not_found', 400)
  @Refuses('object_store_not_configured', 503)
  @Refuses('model_not_available', 400)
  @Refuses('parsing_model_not_available', 400)
  @Refuses('s3_url_not_allowed', 400)
  @Refuses('tool_not_available', 400)
  @Refuses('deployment_in_progress', 409)
  @Refuses('knowledge_base_limit', 409)
  @Refuses('not_editor', 403)
  @Refuses('memory_of_owner', 403)
  @Refuses('bot_not_found', 404)
  async change(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() body: ChangeBotBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PrivateBot> {
    const { row, content } = await this.editableBot(botId, caller, reply);
    const requested = textsOf(body);
    const sources = body.knowledge ? await this.answers.sourcesOf(botId) : NO_SOURCES;
    const requestedKnowledge = knowledgeOf(body, sources);
    // Saving sources again reads them again, even if they are the same: the files may have changed.
    const knowledge = requestedKnowledge === '' && !hasSources(sources) ? undefined : requestedKnowledge;
    const current = {
      title: await this.texts.open(row.title),
      description: await this.texts.open(row.description),
      instruction: requested.instruction === undefined ? '' : await this.texts.open(content.instruction),
      quickStarters: requested.quickStarters === undefined ? '' : await this.texts.open(content.quick_starters),
      knowledge: '',
      blockedText: requested.blockedText === undefined ? '' : await this.texts.open(content.blocked_text ?? null),
    };
    const settings = differing(settingsOf(body, content.settings, this.clock.now()), content.settings);
    const changes = { texts: { ...differing(requested, current), ...(knowledge !== undefined && { knowledge }) }, settings };
    await this.offers.require(settings, content.settings);
    await this.knowledge.require(botId, { base: settings.bedrock_knowledge_base, sources: knowledge });
    await this.writer.configure({ botId, ownerUserId: row.owner_user_id }, caller, changes, { ifMatch });
    this.syncs.wake();
    const seen = await this.visibleBot(botId, caller, reply);
    // A change is in the audit log already. Without one, this records that the caller has read the bot.
    if (seen.row.version === row.version) await this.answers.recordRead(seen);
    return this.answers.privateBot(seen);
  }

  @Patch('bot/:botId/visibility')
  @SignedIn()
  @Audited('change_visibility', 'bot', 'botId')
  @Summary('Share a bot, or stop sharing it. For its owner and administrators.')
  @Answers(200, Bot)
  @Refuses('editor_not_listed', 400)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('bot_pinned', 409)
  @Refuses('bot_published', 409)
  async share(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() body: SharingBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Bot> {
    await this.commands.execute(new ExecuteBot(botId, { type: 'Share', by: caller, sharing: sharingRequestOf(body) }, { ifMatch }));
    const shared = await this.answers.changed(botId, caller);
    reply.header('etag', etagOf(shared.row.version));
    return this.answers.bot(shared);
  }

  @Delete('bot/:botId')
  @SignedIn()
  @Audited('delete_bot', 'bot', 'botId')
  @Summary('Delete a bot permanently. For its owner and administrators.')
  @HttpCode(204)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('bot_pinned', 409)
  @Refuses('bot_published', 409)
  @Refuses('on_hold', 409)
  async delete(@Caller() caller: Caller, @IdParam('botId') botId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.deletion.delete(botId, caller, { ifMatch });
  }

  private async visibleBot(botId: string, caller: Caller, reply: FastifyReply): Promise<SeenBot> {
    const seen = await this.answers.seen(botId, caller);
    reply.header('etag', etagOf(seen.row.version));
    return seen;
  }

  private async editableBot(botId: string, caller: Caller, reply: FastifyReply): Promise<SeenBot> {
    const seen = await this.visibleBot(botId, caller, reply);
    if (!mayConfigure(relationTo(caller, seen.row))) throw notEditor();
    return seen;
  }
}
