import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Audited, Caller, etagOf, IdParam, LargeAnswer, PageQuery, PageTokens, requireMatch, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { BotWriter } from '../commands/bot-writer.ts';
import { notOwner } from '../domain/bot.ts';
import type { Configuration } from '../domain/configuration.ts';
import { mayShare } from '../domain/sharing.ts';
import { ConfigurationAt, MOST_VERSIONS, VersionsBefore } from '../projections/bot-history.ts';
import { relationTo } from '../projections/bots/bot-rows.ts';
import { OpenedTexts } from '../projections/opened-texts.ts';
import { BotConfiguration, BotVersion, pageOf, PrivateBot } from './answers.ts';
import { BotAnswers, type SeenBot } from './bot-answers.ts';

const VERSION = /^[1-9]\d{0,14}$/;

class RestoreBody {
  @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) version!: number;
}

@Controller('bot/:botId')
export class BotHistoryController {
  constructor(
    private readonly writer: BotWriter,
    private readonly queries: QueryBus,
    private readonly answers: BotAnswers,
    private readonly texts: OpenedTexts,
    private readonly tokens: PageTokens,
  ) {}

  @Get('history')
  @SignedIn()
  @Audited('view_bot', 'bot', 'botId')
  @Summary(`List the newest ${MOST_VERSIONS} versions of a bot, newest first. For its owner and administrators.`)
  @Answers(200, pageOf('versions', BotVersion))
  @Refuses('invalid_next_token', 400)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  async history(@Caller() caller: Caller, @IdParam('botId') botId: string, @Query() { limit, next_token }: PageQuery) {
    await this.answers.recordRead(await this.shareable(botId, caller));
    const listId = { list: 'bot-history', botId };
    const before = next_token === undefined ? null : this.tokens.open<number>(listId, next_token);
    const rows = await this.queries.execute(new VersionsBefore(botId, before, limit + 1));
    const shown = rows.slice(0, limit);
    const versions = await Promise.all(
      shown.map(async ({ bot_id: _, ...row }): Promise<BotVersion> => ({ ...row, title: row.title && (await this.texts.open(row.title)) })),
    );
    return { versions, next_token: rows.length > limit ? this.tokens.seal(listId, shown.at(-1)!.version) : null };
  }

  @Get('history/:version')
  @SignedIn()
  @LargeAnswer()
  @Audited('view_bot', 'bot', 'botId')
  @Summary('Get the configuration that a bot had in a version. For its owner and administrators.')
  @Answers(200, BotConfiguration)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('version_not_found', 404)
  @Refuses('busy', 503)
  async version(@Caller() caller: Caller, @IdParam('botId') botId: string, @Param('version') version: string): Promise<BotConfiguration> {
    const seen = await this.shareable(botId, caller);
    await this.answers.recordRead(seen);
    const number = VERSION.test(version) ? Number(version) : 0;
    return this.answers.configuration(number, await this.kept(seen, number));
  }

  @Post('restore')
  @SignedIn()
  @HttpCode(200)
  @Audited('restore_bot', 'bot', 'botId')
  @Summary(
    'Restore the configuration of an earlier version, as a new version. Sharing and the picture stay as they are. For the owner and administrators.',
  )
  @Answers(200, PrivateBot)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('version_not_found', 404)
  @Refuses('deployment_in_progress', 409)
  async restore(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() { version }: RestoreBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<PrivateBot> {
    const seen = await this.shareable(botId, caller);
    const kept = await this.kept(seen, version);
    // Only the owner decides whether the bot uses the memory of its users. The files of earlier pictures are removed.
    const { memory = null, picture = null } = seen.content.settings;
    const isOwner = seen.row.owner_user_id === caller.userId;
    const configuration = { ...kept, settings: { ...kept.settings, picture, ...(!isOwner && { memory }) } };
    // These settings are those of the seen version, so nobody must have changed them since, also if the client accepts several versions.
    requireMatch(ifMatch, seen.row.version);
    const unchanged = { ifMatch: etagOf(seen.row.version) };
    await this.writer.restore({ botId, ownerUserId: seen.row.owner_user_id }, caller, { version, configuration }, unchanged);
    const restored = await this.answers.seen(botId, caller);
    reply.header('etag', etagOf(restored.row.version));
    return this.answers.privateBot(restored);
  }

  private async kept({ row }: SeenBot, version: number): Promise<Configuration> {
    const isKept = version > 0 && version > row.version - MOST_VERSIONS;
    const configuration = isKept ? await this.queries.execute(new ConfigurationAt(row.id, version)) : null;
    if (!configuration) throw refuse('missing', 'version_not_found', 'The bot does not have this version, or the version is too old.');
    return configuration;
  }

  private async shareable(botId: string, caller: Caller): Promise<SeenBot> {
    const seen = await this.answers.seen(botId, caller);
    if (!mayShare(relationTo(caller, seen.row))) throw notOwner();
    return seen;
  }
}
