import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Audited, Caller, etagOf, IdParam, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { PromptWriter } from '../../commands/prompts/prompt-writer.ts';
import { MAX_PROMPT_VERSIONS } from '../../domain/prompts/prompt-limits.ts';
import { notPromptOwner } from '../../domain/prompts/prompt-refusals.ts';
import type { PromptContent as StoredContent } from '../../domain/prompts/prompts.ts';
import { mayShare } from '../../domain/sharing.ts';
import { PromptContentAt, PromptVersionsBefore, relationToPrompt, type WholePrompt } from '../../projections/prompts/prompts.ts';
import { PromptAnswers } from './prompt-answers.ts';
import { RestorePromptBody } from './prompt-bodies.ts';
import { Prompt, PromptContent, PromptVersionPage } from './prompt-shapes.ts';

const VERSION = /^[1-9]\d{0,14}$/;

/** The versions of a prompt. */
@Controller('prompts/:promptId')
@SignedIn()
export class PromptVersionsController {
  constructor(
    private readonly writer: PromptWriter,
    private readonly answers: PromptAnswers,
    private readonly queries: QueryBus,
    private readonly tokens: PageTokens,
  ) {}

  @Get('versions')
  @Audited('view_prompt', 'prompt', 'promptId')
  @Summary(`List the newest ${MAX_PROMPT_VERSIONS} versions of a prompt, the newest first. For its owner and administrators.`)
  @Answers(200, PromptVersionPage)
  @Refuses('invalid_next_token', 400)
  @Refuses('not_prompt_owner', 403)
  @Refuses('prompt_not_found', 404)
  async versions(
    @Caller() caller: Caller,
    @IdParam('promptId') promptId: string,
    @Query() { limit, next_token }: PageQuery,
  ): Promise<PromptVersionPage> {
    await this.answers.recordRead(await this.shareable(promptId, caller), caller);
    const listing = { list: 'prompt-versions', promptId };
    const before = next_token === undefined ? null : this.tokens.open<number>(listing, next_token);
    const rows = await this.queries.execute(new PromptVersionsBefore(promptId, before, limit + 1));
    const versions = rows.slice(0, limit).map(({ prompt_id: _, ...version }) => version);
    return { versions, next_token: rows.length > limit ? this.tokens.seal(listing, versions.at(-1)!.version) : null };
  }

  @Get('versions/:version')
  @Audited('view_prompt', 'prompt', 'promptId')
  @Summary('Get the content that a prompt got in a version. For its owner and administrators.')
  @Answers(200, PromptContent)
  @Refuses('not_prompt_owner', 403)
  @Refuses('prompt_not_found', 404)
  @Refuses('version_not_found', 404)
  async version(
    @Caller() caller: Caller,
    @IdParam('promptId') promptId: string,
    @Param('version') version: string,
  ): Promise<PromptContent> {
    await this.answers.recordRead(await this.shareable(promptId, caller), caller);
    const number = VERSION.test(version) ? Number(version) : 0;
    return this.answers.content(number, await this.kept(promptId, number));
  }

  @Post('restore')
  @HttpCode(200)
  @Audited('restore_prompt', 'prompt', 'promptId')
  @Summary('Restore the content of an earlier version, as a new version. Sharing stays as it is. For the owner and administrators.')
  @Answers(200, Prompt)
  @Refuses('not_prompt_owner', 403)
  @Refuses('prompt_not_found', 404)
  @Refuses('version_not_found', 404)
  @Refuses('command_taken', 409)
  async restore(
    @Caller() caller: Caller,
    @IdParam('promptId') promptId: string,
    @Body() { version }: RestorePromptBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Prompt> {
    await this.shareable(promptId, caller);
    const content = await this.kept(promptId, version);
    await this.writer.restore(promptId, caller, { version, content }, ifMatch);
    const restored = await this.writer.of(promptId, caller);
    reply.header('etag', etagOf(restored.row.version));
    return this.answers.prompt(restored, caller);
  }

  private async kept(promptId: string, version: number): Promise<StoredContent> {
    const content = await this.queries.execute(new PromptContentAt(promptId, version));
    if (content) return content;
    throw refuse('missing', 'version_not_found', 'The prompt got no content in this version, or the version is too old.');
  }

  private async shareable(promptId: string, caller: Caller): Promise<WholePrompt> {
    const seen = await this.writer.of(promptId, caller);
    if (!mayShare(relationToPrompt(caller, seen.row))) throw notPromptOwner();
    return seen;
  }
}
