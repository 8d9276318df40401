import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Audited, Caller, etagOf, FreshId, IdParam, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import type { FastifyReply } from 'fastify';
import { PromptCommandHashes } from '../../commands/prompts/prompt-command-hashes.ts';
import { PromptWriter } from '../../commands/prompts/prompt-writer.ts';
import { PromptsWithCommand } from '../../projections/prompts/prompt-lists.ts';
import { sharingRequestOf } from '../bodies/sharing.ts';
import { PromptAnswers } from './prompt-answers.ts';
import { NewPromptBody, PromptBody, PromptSharingBody, PromptsQuery, requireOneSearch, requirePlaceholders } from './prompt-bodies.ts';
import { Prompt, PromptLibraryPage } from './prompt-shapes.ts';

/** The prompt library: own prompts, and those that others share with the caller. */
@Controller('prompts')
@SignedIn()
export class PromptsController {
  constructor(
    private readonly writer: PromptWriter,
    private readonly answers: PromptAnswers,
    private readonly queries: QueryBus,
    private readonly hashes: PromptCommandHashes,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @Summary('List or search the prompts that you may use, the newest first, or find those with a command.')
  @Answers(200, PromptLibraryPage)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() caller: Caller, @Query() search: PromptsQuery): Promise<PromptLibraryPage> {
    requireOneSearch(search);
    const { kind, query, command, limit, next_token } = search;
    if (command !== undefined) {
      const rows = await this.queries.execute(new PromptsWithCommand(caller, this.hashes.of(command), kind));
      return { prompts: await this.answers.summaries(rows.slice(0, limit), caller), next_token: null };
    }
    const listing = { list: 'prompts', user: caller.userId, kind, query };
    const after = next_token === undefined ? null : this.tokens.open<string>(listing, next_token);
    const { prompts, next } = await this.answers.found({ person: caller, kind, query, limit, after });
    return { prompts, next_token: next === null ? null : this.tokens.seal(listing, next) };
  }

  @Post()
  @Audited('create_prompt', 'prompt')
  @Summary('Create a prompt. It is private to its owner.')
  @Answers(201, Prompt)
  @Refuses('command_taken', 409)
  @Refuses('too_many_prompts', 409)
  async create(
    @Caller() caller: Caller,
    @FreshId() id: string,
    @Body() { title, command, description = '', text }: NewPromptBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Prompt> {
    requirePlaceholders(text);
    await this.writer.create(id, caller.userId, { title, command, description, text });
    return this.shown(id, caller, reply);
  }

  @Get(':promptId')
  @Audited('view_prompt', 'prompt', 'promptId')
  @Summary('Get a prompt with its text and its variables.')
  @Answers(200, Prompt)
  @Refuses('prompt_not_found', 404)
  async find(@Caller() caller: Caller, @IdParam('promptId') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Prompt> {
    await this.answers.recordRead(await this.writer.of(id, caller), caller);
    return this.shown(id, caller, reply);
  }

  @Patch(':promptId')
  @Audited('change_prompt', 'prompt', 'promptId')
  @Summary('Change any of the fields of a prompt. For its owner, its editors and administrators.')
  @Answers(200, Prompt)
  @Refuses('not_prompt_editor', 403)
  @Refuses('prompt_not_found', 404)
  @Refuses('command_taken', 409)
  async change(
    @Caller() caller: Caller,
    @IdParam('promptId') id: string,
    @Body() { title, command, description, text }: PromptBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Prompt> {
    requirePlaceholders(text);
    const { row } = await this.writer.of(id, caller);
    await this.writer.change(id, caller, given({ title, command, description, text }), ifMatch);
    const changed = await this.writer.of(id, caller);
    // A change is in the audit log already. Without one, this records that the caller has read the prompt.
    if (changed.row.version === row.version) await this.answers.recordRead(changed, caller);
    return this.shown(id, caller, reply);
  }

  @Patch(':promptId/visibility')
  @Audited('share_prompt', 'prompt', 'promptId')
  @Summary('Share a prompt, or stop sharing it. For its owner and administrators.')
  @Answers(200, Prompt)
  @Refuses('editor_not_listed', 400)
  @Refuses('not_prompt_owner', 403)
  @Refuses('prompt_not_found', 404)
  async share(
    @Caller() caller: Caller,
    @IdParam('promptId') id: string,
    @Body() body: PromptSharingBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Prompt> {
    await this.writer.share(id, caller, sharingRequestOf(body), ifMatch);
    // An administrator who made the prompt private no longer sees it.
    const shared = await this.writer.of(id, null);
    reply.header('etag', etagOf(shared.row.version));
    return this.answers.prompt(shared, caller);
  }

  @Delete(':promptId')
  @HttpCode(204)
  @Audited('delete_prompt', 'prompt', 'promptId')
  @Summary('Delete a prompt permanently. For its owner and administrators.')
  @Answers(204)
  @Refuses('not_prompt_owner', 403)
  @Refuses('prompt_not_found', 404)
  async delete(@Caller() caller: Caller, @IdParam('promptId') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.writer.delete(id, caller, ifMatch);
  }

  private async shown(id: string, caller: Caller, reply: FastifyReply): Promise<Prompt> {
    const seen = await this.writer.of(id, caller);
    reply.header('etag', etagOf(seen.row.version));
    return this.answers.prompt(seen, caller);
  }
}

const given = <Fields extends object>(fields: Fields): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
