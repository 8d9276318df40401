import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FreshSecondFactor, ServiceCalls } from '@parlance/calls';
import { Instant, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import {
  acceptsCsv,
  Audited,
  AuditedRead,
  ChangesFields,
  csvList,
  etagOf,
  FreshId,
  IdParam,
  IsUlid,
  MayBeLeftOut,
  MayBeNull,
  Needs,
  requireMatch,
} from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsBoolean, IsIn, IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ExecuteRetention } from '../../commands/aggregates.ts';
import {
  retention,
  RETENTION_KINDS,
  RETENTION_STREAM,
  retentionKindNotKnown,
  retentionRuleNotFound,
  type RetentionKind,
  type RetentionRule,
  type RetentionScope,
} from '../../domain/retention/retention.ts';
import { FoundByRules, MOST_COUNTED } from '../../workflows/retention/found-by-rules.ts';

const APPLIES_TO = ['all', 'bot', 'group'] as const;
type AppliesTo = (typeof APPLIES_TO)[number];
const MOST_DAYS = 3_650;
const LONGEST_GROUP = 200;

class CreateRuleBody {
  /** Default: `conversations`. */
  @IsOptional() @IsIn(RETENTION_KINDS) kind?: RetentionKind;
  @IsInt() @Min(1) @Max(MOST_DAYS) inactive_days!: number;
  @IsIn(APPLIES_TO) applies_to!: AppliesTo;
  /** Required for `bot`. */
  @IsOptional() @IsUlid() bot_id?: string | null;
  /** Name of the group. Required for `group`. */
  @IsOptional() @Length(1, LONGEST_GROUP) group?: string | null;
  @IsBoolean() enabled!: boolean;
}

@MayBeLeftOut()
@ChangesFields()
class ChangeRuleBody {
  @IsOptional() @IsInt() @Min(1) @Max(MOST_DAYS) inactive_days?: number;
  /** Together with `bot_id` or `group`, changes to which conversations the rule applies. */
  @IsOptional() @IsIn(APPLIES_TO) applies_to?: AppliesTo;
  @MayBeNull() @IsUlid() bot_id?: string | null;
  @MayBeNull() @Length(1, LONGEST_GROUP) group?: string | null;
  @IsOptional() @IsBoolean() enabled?: boolean;
}

const RuleAnswer = z.object({
  id: z.string(),
  kind: z
    .enum(RETENTION_KINDS)
    .describe(
      'What the rule removes. `exports`: the files of `GET /admin/exports`. `uploads`: the images and attachments of messages, but not the messages. The kind of a rule never changes.',
    ),
  inactive_days: z
    .int()
    .describe(
      'Number of days after which data is removed. Counts from the last message of a conversation, from the end of the day of an export, or from the message of an upload.',
    ),
  applies_to: z
    .enum(APPLIES_TO)
    .describe(
      'Which conversations the rule deletes, or whose uploads it removes: all, those with a bot, or those of the members of a group. `all` for exports.',
    ),
  bot_id: z.string().nullable().describe('ID of the bot for `bot`. Otherwise null.'),
  group: z.string().nullable().describe('Name of the group for `group`. Otherwise null.'),
  enabled: z.boolean().describe('Whether the rule is applied.'),
  create_time: z.int().describe('Time in epoch seconds.'),
  etag: z.string().describe('For `If-Match`. Changes with the rule.'),
});
type RuleAnswer = z.infer<typeof RuleAnswer>;

const RulesAnswer = z.object({ rules: z.array(RuleAnswer), next_token: z.null().describe('Always null: one page has all rules.') });

const PreviewAnswer = z.object({
  rule_id: z.string(),
  conversations: z
    .int()
    .describe(`Conversations to which the rule applies now, even if it is not enabled. At most ${MOST_COUNTED} are counted.`),
  responses: z
    .int()
    .describe(
      `Stored responses of programs to which the rule applies now. 0 for rules of other kinds. At most ${MOST_COUNTED} are counted.`,
    ),
  exports: z.int().describe('Export files to which the rule applies now. 0 for rules of other kinds.'),
  uploads: z
    .int()
    .describe(`Images and attachments to which the rule applies now. 0 for rules of other kinds. At most ${MOST_COUNTED} are counted.`),
  is_complete: z.boolean().describe('False if not everything was counted, so that there may be more.'),
});

nameSchemas({ RetentionPreview: PreviewAnswer, RetentionRule: RuleAnswer, RetentionRules: RulesAnswer });

const COLUMNS = ['id', 'kind', 'inactive_days', 'applies_to', 'bot_id', 'group', 'enabled', 'create_time'] as const;

@Controller('admin/retention')
@Needs('Admin')
export class RetentionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly found: FoundByRules,
    private readonly calls: ServiceCalls,
    private readonly clock: Clock,
    private readonly secondFactor: FreshSecondFactor,
  ) {}

  @Get()
  @Summary('List the rules that remove conversations, exports and uploads, the oldest first. There are at most 100.')
  @Answers(200, RulesAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept)) return csvList(reply, { list: 'rules', columns: COLUMNS, read: () => this.all() });
    return this.all();
  }

  private async all(): Promise<z.infer<typeof RulesAnswer>> {
    const { rules } = await this.streams.load(retention, RETENTION_STREAM);
    return { rules: Object.entries(rules).map(([id, rule]) => answer(id, rule)), next_token: null };
  }

  @Post()
  @Audited('create_retention_rule', 'retention_rule')
  @Summary('Create a rule that removes data after a number of days: conversations without a new message, exports, or uploads.')
  @Answers(201, RuleAnswer)
  @Refuses('retention_scope_not_possible', 400)
  @Refuses('step_up_required', 403)
  @Refuses('too_many_retention_rules', 409)
  @Refuses('retention_rule_not_found', 404)
  async create(
    @FreshId() ruleId: string,
    @Body() body: CreateRuleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RuleAnswer> {
    const kind = body.kind ?? 'conversations';
    const terms = { kind, inactiveDays: body.inactive_days, scope: scopeOf(body.applies_to, body), isEnabled: body.enabled };
    await this.secondFactor.require();
    return this.tagged(await this.changed(ruleId, new ExecuteRetention({ type: 'Create', ruleId, terms, now: this.clock.now() })), reply);
  }

  @Patch(':ruleId')
  @Audited('change_retention_rule', 'retention_rule', 'ruleId')
  @Summary('Change the days or the conversations of a retention rule, or enable or disable it.')
  @Answers(200, RuleAnswer)
  @Refuses('retention_scope_not_possible', 400)
  @Refuses('step_up_required', 403)
  @Refuses('retention_rule_not_found', 404)
  @Refuses('retention_kind_not_known', 409)
  async change(
    @IdParam('ruleId') ruleId: string,
    @Body() body: ChangeRuleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<RuleAnswer> {
    const { inactive_days, applies_to, enabled } = body;
    for (const path of ['bot_id', 'group'] as const)
      if (applies_to == null && body[path] != null) throw invalid(path, 'must come with applies_to');
    const changes = {
      ...(inactive_days != null && { inactiveDays: inactive_days }),
      ...(applies_to != null && { scope: scopeOf(applies_to, body) }),
      ...(enabled != null && { isEnabled: enabled }),
    };
    await this.secondFactor.require();
    const ifVersion = await this.versionIn(ifMatch, ruleId);
    return this.tagged(await this.changed(ruleId, new ExecuteRetention({ type: 'Change', ruleId, ifVersion, changes })), reply);
  }

  @Delete(':ruleId')
  @HttpCode(204)
  @Audited('remove_retention_rule', 'retention_rule', 'ruleId')
  @Summary('Remove a retention rule. From then on it deletes nothing.')
  @Answers(204)
  @Refuses('step_up_required', 403)
  @Refuses('retention_rule_not_found', 404)
  async remove(@IdParam('ruleId') ruleId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.secondFactor.require();
    const ifVersion = await this.versionIn(ifMatch, ruleId);
    await this.commands.execute(new ExecuteRetention({ type: 'Remove', ruleId, ifVersion }));
  }

  @Get(':ruleId/preview')
  @AuditedRead('preview_retention_rule', 'retention_rule', 'ruleId')
  @Summary(
    'Count the conversations, stored responses, exports or uploads that a retention rule would remove now, even if it is not enabled.',
  )
  @Answers(200, PreviewAnswer)
  @Refuses('retention_rule_not_found', 404)
  @Refuses('retention_kind_not_known', 409)
  async preview(@IdParam('ruleId') ruleId: string): Promise<z.infer<typeof PreviewAnswer>> {
    const rule = await this.rule(ruleId);
    const nothing = { rule_id: ruleId, conversations: 0, responses: 0, exports: 0, uploads: 0, is_complete: true };
    switch (rule.kind) {
      case 'exports':
        return { ...nothing, exports: await this.exportsBefore(rule) };
      case 'conversations': {
        const { count, isComplete } = await this.found.countConversations(rule);
        const responses = await this.found.countResponses(rule);
        return { ...nothing, conversations: count, responses: responses.count, is_complete: isComplete && responses.isComplete };
      }
      case 'uploads': {
        const { count, isComplete } = await this.found.countFiles(rule);
        return { ...nothing, uploads: count, is_complete: isComplete };
      }
      default:
        throw retentionKindNotKnown();
    }
  }

  private async rule(ruleId: string): Promise<RetentionRule> {
    const rule = (await this.streams.load(retention, RETENTION_STREAM)).rules[ruleId];
    if (!rule) throw retentionRuleNotFound();
    return rule;
  }

  /** The version in `If-Match`, so that the stream refuses the change if the version has changed by then. */
  private async versionIn(ifMatch: string | undefined, ruleId: string): Promise<number | undefined> {
    if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
    const { version } = await this.rule(ruleId);
    requireMatch(ifMatch, version);
    return version;
  }

  /** Counts the export files, which analytics has. */
  private async exportsBefore({ inactiveDays: days }: RetentionRule): Promise<number> {
    return (await this.calls.get<{ exports: number }>('analytics', '/internal/exports/older', { query: { days } })).exports;
  }

  private async changed(ruleId: string, command: InstanceType<typeof ExecuteRetention>): Promise<RuleAnswer> {
    const rule = (await this.commands.execute(command)).state.rules[ruleId];
    if (!rule) throw retentionRuleNotFound();
    return answer(ruleId, rule);
  }

  private tagged(rule: RuleAnswer, reply: FastifyReply): RuleAnswer {
    reply.header('etag', rule.etag);
    return rule;
  }
}

function scopeOf(appliesTo: AppliesTo, { bot_id, group }: Pick<CreateRuleBody, 'bot_id' | 'group'>): RetentionScope {
  if (appliesTo !== 'bot' && bot_id != null) throw invalid('bot_id', 'must be absent unless applies_to is bot');
  if (appliesTo !== 'group' && group != null) throw invalid('group', 'must be absent unless applies_to is group');
  switch (appliesTo) {
    case 'all':
      return { appliesTo };
    case 'bot':
      if (bot_id == null) throw invalid('bot_id', 'must name the bot');
      return { appliesTo, botId: bot_id };
    case 'group':
      if (group == null) throw invalid('group', 'must name the group');
      return { appliesTo, group };
  }
}

const answer = (id: string, { kind, inactiveDays, scope, isEnabled, createdAt, version }: RetentionRule): RuleAnswer => ({
  id,
  kind,
  inactive_days: inactiveDays,
  applies_to: scope.appliesTo,
  bot_id: scope.appliesTo === 'bot' ? scope.botId : null,
  group: scope.appliesTo === 'group' ? scope.group : null,
  enabled: isEnabled,
  create_time: Instant.toSeconds(createdAt),
  etag: etagOf(version),
});

const invalid = (path: string, message: string) =>
  refuse('invalid', 'invalid_body', `The field ${path} ${message}.`, { errors: [{ path, message }] });
