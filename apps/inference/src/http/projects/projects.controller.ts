import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Caller, FreshId, IdParam, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor } from '@parlance/read-models';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { OwnConversations } from '../../projections/conversations.ts';
import { MembersOf, type OwnProject, ProjectsOf } from '../../projections/projects/projects.ts';
import { ProjectChanges } from '../../workflows/projects/project-changes.ts';
import { isAdmin } from '../caller-as-owner.ts';
import { ConversationsAnswer } from '../conversation-answers.ts';
import { ConversationSummaries } from '../conversation-summaries.ts';
import { Project, ProjectsAnswer, type ProjectSummary } from './project-answers.ts';
import { MemberBody, NewProjectBody, ProjectBody } from './project-bodies.ts';

/** Projects that the caller owns or is a member of. */
@Controller('projects')
@SignedIn()
export class ProjectsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly changes: ProjectChanges,
    private readonly summaries: ConversationSummaries,
    private readonly vault: Vault,
    private readonly tokens: PageTokens,
    private readonly catalogue: Catalogue,
    private readonly calls: ServiceCalls,
  ) {}

  @Get()
  @Summary('List the projects that you own or belong to, the newest first.')
  @Answers(200, ProjectsAnswer)
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId }: Caller, @Query() { limit, next_token }: PageQuery): Promise<ProjectsAnswer> {
    const listing = { list: 'projects', user: userId };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(listing, next_token);
    const { projects, next } = await this.queries.execute(new ProjectsOf(userId, limit, after));
    const shown: ProjectSummary[] = [];
    for (const each of projects) {
      if (isTurnOver()) await nextTurn();
      shown.push(await this.summary(each));
    }
    return { projects: shown, next_token: next && this.tokens.seal(listing, next) };
  }

  @Post()
  @Summary('Create a project. Its instruction is part of the prompts of its conversations.')
  @Answers(201, Project)
  @Refuses('model_not_available', 400)
  @Refuses('bot_not_found', 404)
  @Refuses('project_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('too_many_projects', 409)
  async create(@Caller() { userId }: Caller, @FreshId() id: string, @Body() body: NewProjectBody): Promise<Project> {
    const { title, instruction, bot_id: botId = null, model = null } = body;
    await this.requireDefaults(body);
    await this.changes.create(id, userId, { title, instruction: instruction ?? null, botId, model });
    return this.shown(id, userId);
  }

  @Get(':projectId')
  @Summary('Get a project with its instruction and its members.')
  @Answers(200, Project)
  @Refuses('project_not_found', 404)
  async get(@Caller() { userId }: Caller, @IdParam('projectId') id: string): Promise<Project> {
    return this.shown(id, userId);
  }

  @Patch(':projectId')
  @Summary('Change the title, the instruction, the bot or the model of a project. For its owner and its editors.')
  @Answers(200, Project)
  @Refuses('model_not_available', 400)
  @Refuses('not_project_editor', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('project_not_found', 404)
  async change(@Caller() { userId }: Caller, @IdParam('projectId') id: string, @Body() body: ProjectBody): Promise<Project> {
    const { title, instruction, bot_id, model } = body;
    await this.changes.of(id, userId);
    await this.requireDefaults(body);
    await this.changes.change(id, userId, {
      ...(title !== undefined && { title }),
      ...(instruction !== undefined && { instruction }),
      ...(bot_id !== undefined && { botId: bot_id }),
      ...(model !== undefined && { model }),
    });
    return this.shown(id, userId);
  }

  @Delete(':projectId')
  @HttpCode(204)
  @Summary('Delete a project. Its conversations are kept, and are then in no project. Only for its owner.')
  @Answers(204)
  @Refuses('not_project_owner', 403)
  @Refuses('project_not_found', 404)
  @Refuses('on_hold', 409)
  async delete(@Caller() caller: Caller, @IdParam('projectId') id: string): Promise<void> {
    await this.changes.delete(id, caller.userId, isAdmin(caller));
  }

  @Get(':projectId/conversations')
  @Summary('List own conversations in a project, the one with the newest message first. Conversations of other members are not shown.')
  @Answers(200, ConversationsAnswer)
  @Refuses('invalid_next_token', 400)
  @Refuses('project_not_found', 404)
  async conversations(
    @Caller() { userId }: Caller,
    @IdParam('projectId') projectId: string,
    @Query() { limit, next_token }: PageQuery,
  ): Promise<ConversationsAnswer> {
    const listing = { list: 'project-conversations', user: userId, projectId };
    const after = next_token === undefined ? null : this.tokens.open<Cursor>(listing, next_token);
    await this.changes.of(projectId, userId);
    const { conversations, next } = await this.queries.execute(new OwnConversations(userId, limit, after, { projectId }));
    return { conversations: await this.summaries.of(conversations), next_token: next && this.tokens.seal(listing, next) };
  }

  @Put(':projectId/members/:userId')
  @Summary('Add a member to a project, or change the role of a member. Only for its owner.')
  @Answers(200, Project)
  @Refuses('not_project_owner', 403)
  @Refuses('project_not_found', 404)
  @Refuses('user_not_found', 404)
  @Refuses('member_is_owner', 409)
  @Refuses('too_many_members', 409)
  async setMember(
    @Caller() caller: Caller,
    @IdParam('projectId') id: string,
    @IdParam('userId') userId: string,
    @Body() { role }: MemberBody,
  ): Promise<Project> {
    await this.changes.setMember(id, caller.userId, userId, role);
    return this.shown(id, caller.userId);
  }

  @Delete(':projectId/members/:userId')
  @HttpCode(204)
  @Summary('Remove a member from a project, as its owner, or leave it yourself. The conversations of the member are kept.')
  @Answers(204)
  @Refuses('not_project_owner', 403)
  @Refuses('project_not_found', 404)
  @Refuses('member_is_owner', 409)
  async removeMember(@Caller() caller: Caller, @IdParam('projectId') id: string, @IdParam('userId') userId: string): Promise<void> {
    await this.changes.removeMember(id, caller.userId, userId);
  }

  /** Throws `bot_not_found` (missing), also for a bot that the caller may not use, and `model_not_available` (invalid). */
  private async requireDefaults({ bot_id, model }: Pick<ProjectBody, 'bot_id' | 'model'>): Promise<void> {
    if (model) this.catalogue.requireModel(model, null);
    if (bot_id) await this.calls.get('bots', `/internal/bots/${bot_id}/seen`);
  }

  private async shown(id: string, userId: string): Promise<Project> {
    const found = await this.changes.of(id, userId);
    const members = await this.queries.execute(new MembersOf(id));
    const instruction = found.row.instruction === null ? null : await this.vault.open(found.row.instruction as Sealed);
    return {
      ...(await this.summary(found)),
      instruction: instruction ?? '',
      members: members.map(({ user_id, role }) => ({ user_id, role })),
    };
  }

  private async summary({ row, role }: OwnProject): Promise<ProjectSummary> {
    const { project_id, owner_user_id, bot_id, model, created_at, changed_at } = row;
    // Null while the project is being deleted.
    const title = (await this.vault.openOften(row.title as Sealed)) ?? '';
    const times = { create_time: Instant.toSeconds(created_at), last_change_time: Instant.toSeconds(changed_at) };
    return { project_id, title, owner_user_id, role, bot_id, model, ...times };
  }
}
