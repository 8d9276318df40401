import { Body, Controller, Post, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Audited, Caller, etagOf, FreshId, IdParam, LongAnswer, MayBeLeftOut, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { BotWriter } from '../../commands/bot-writer.ts';
import { withApprovals } from '../../domain/configuration.ts';
import { hasSources, NO_SOURCES, type KnowledgeSources } from '../../domain/knowledge/knowledge-sources.ts';
import { WholeBot } from '../../projections/bots/bot-queries.ts';
import { BotPictures } from '../../workflows/bot-pictures.ts';
import { FileCopies } from '../../workflows/transfer/file-copies.ts';
import { SyncRuns } from '../../workflows/sync-runs.ts';
import { PrivateBot } from '../answers.ts';
import { IsTitle, LONGEST_TITLE } from '../bodies/bot-bodies.ts';
import { BotAnswers } from '../bot-answers.ts';
import { KnowledgeChecks } from '../knowledge-checks.ts';

const COPY = ' (copy)';

@MayBeLeftOut()
class DuplicateBody {
  @IsOptional() @IsTitle() title?: string;
  /** False leaves out the uploaded files. */
  @IsOptional() @IsBoolean() files?: boolean;
}

@Controller('bot/:botId/duplicate')
export class DuplicateController {
  constructor(
    private readonly queries: QueryBus,
    private readonly writer: BotWriter,
    private readonly answers: BotAnswers,
    private readonly knowledge: KnowledgeChecks,
    private readonly copies: FileCopies,
    private readonly pictures: BotPictures,
    private readonly syncs: SyncRuns,
  ) {}

  @Post()
  @Needs('CreatingBotAllowed')
  @LongAnswer()
  @Audited('duplicate_bot', 'bot', 'botId')
  @Summary(
    "Create a private bot of the caller with the configuration, picture and files of a bot. For the bot's owner, its editors and administrators.",
  )
  @Answers(201, PrivateBot)
  @Refuses('knowledge_base_not_found', 400)
  @Refuses('parsing_model_not_available', 400)
  @Refuses('s3_url_not_allowed', 400)
  @Refuses('not_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('files_too_large', 409)
  @Refuses('knowledge_base_limit', 409)
  @Refuses('transfer_running', 429)
  @Refuses('object_store_not_configured', 503)
  @Refuses('object_store_unavailable', 503)
  async duplicate(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @FreshId() id: string,
    @Body() { title, files = true }: DuplicateBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrivateBot> {
    const source = await this.answers.configurable(botId, caller);
    await this.answers.recordRead(source);
    const picture = await this.pictures.find(source.row);
    // A repeated request finds the bot that an earlier one created.
    if (!(await this.queries.execute(new WholeBot(id, caller)))) {
      const { texts, settings } = await this.answers.plain(source);
      const all = texts.knowledge === '' ? NO_SOURCES : (JSON.parse(texts.knowledge) as KnowledgeSources);
      const sources = files ? all : { ...all, filenames: [] };
      const knowledge = hasSources(sources) ? JSON.stringify(sources) : '';
      await this.knowledge.require(id, { base: settings.bedrock_knowledge_base, sources: knowledge });
      await this.copies.copy(
        { ownerUserId: source.row.owner_user_id, botId },
        { ownerUserId: caller.userId, botId: id },
        sources.filenames,
      );
      const tools = withApprovals(settings.tools);
      const copied = { ...texts, knowledge, title: title ?? copyOf(texts.title) };
      await this.writer.create(id, caller.userId, copied, { ...settings, tools, picture: null });
      if (knowledge !== '') this.syncs.wake();
    }
    let made = await this.answers.seen(id, caller);
    // Also if an earlier request was interrupted after it had created the bot.
    if (picture && made.row.version === 1) {
      await this.pictures.set(made.row, caller, picture.bytes);
      made = await this.answers.seen(id, caller);
    }
    reply.header('etag', etagOf(made.row.version));
    return this.answers.privateBot(made);
  }
}

/** The title with a suffix, cut to the maximum length between two characters. */
function copyOf(title: string): string {
  let kept = title.slice(0, LONGEST_TITLE - COPY.length);
  if (!kept.isWellFormed()) kept = kept.slice(0, -1);
  return kept + COPY;
}
