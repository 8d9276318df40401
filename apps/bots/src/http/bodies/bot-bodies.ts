import { applyDecorators } from '@nestjs/common';
import type { Instant } from '@parlance/decider';
import { ChangesFields, IsUlid, MayBeNull } from '@parlance/http';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { BOT_COLOURS, BOT_ICONS, type BotColour, type BotIcon } from '../../domain/appearance.ts';
import { type BotSettings, DEFAULT_SETTINGS, type GenerationParams, type Guardrails } from '../../domain/configuration.ts';
import { faultOfSchedule } from '../../projections/schedules.ts';
import { invalid } from './invalid.ts';
import { KnowledgeBaseBody, knowledgeBaseOf } from './knowledge-base.ts';
import { KnowledgeBody } from './knowledge.ts';

export const LONGEST_TITLE = 100;
/** A title must be visible, because users click on it in lists of bots. */
export const IsTitle = () => applyDecorators(Length(1, LONGEST_TITLE), Matches(/\S/u, { message: 'must not be only spaces' }));
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_INSTRUCTION = 100_000;
const LONGEST_BLOCKED_TEXT = 2_000;
const MOST_QUICK_STARTERS = 20;
const MOST_MODELS = 100;
const MOST_TOOLS = 50;
const MOST_TOKENS = 1_000_000;

class QuickStarterBody {
  @Length(1, 100) title!: string;
  @Length(1, 4_000) example!: string;
}

class GenerationParamsBody {
  @IsOptional() @IsInt() @Min(1) @Max(MOST_TOKENS) max_tokens?: number;
  @IsOptional() @IsInt() @Min(0) @Max(1_000) top_k?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(1) top_p?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(2) temperature?: number;
  @IsOptional() @IsArray() @ArrayMaxSize(10) @Length(1, 100, { each: true }) stop_sequences?: string[];
  @IsOptional() @IsInt() @Min(0) @Max(MOST_TOKENS) reasoning_budget_tokens?: number;
}

class GuardrailsBody {
  @IsOptional() @IsBoolean() is_guardrail_enabled?: boolean;
  @IsOptional() @IsString() @MaxLength(2_048) guardrail_arn?: string;
  @IsOptional() @IsString() @MaxLength(20) guardrail_version?: string;
  @IsOptional() @IsNumber() @Min(0) @Max(1) grounding_threshold?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(1) relevance_threshold?: number;
}

const APPROVALS = ['never', 'always', 'writes'] as const;

class ToolBody {
  /** `<server>__*` names all tools of a server that the configuration allows. */
  @Matches(/^(?!.{65})[A-Za-z][A-Za-z0-9_-]*(?:__\*)?$/, {
    message: 'must be a letter and up to 63 letters, digits, - or _, or end with __*',
  })
  name!: string;
  @IsOptional() @IsIn(APPROVALS) approval?: (typeof APPROVALS)[number];
}

/** The fields of a bot that its owner and editors set. */
export class ConfigurationBody {
  @IsOptional() @IsString() @MaxLength(LONGEST_DESCRIPTION) description?: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_INSTRUCTION) instruction?: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_QUICK_STARTERS)
  @ValidateNested({ each: true })
  @Type(() => QuickStarterBody)
  conversation_quick_starters?: QuickStarterBody[];
  @IsOptional() @ValidateNested() @Type(() => KnowledgeBody) knowledge?: KnowledgeBody;
  @IsOptional() @IsBoolean() display_retrieved_chunks?: boolean;
  @IsOptional() @ValidateNested() @Type(() => KnowledgeBaseBody) bedrock_knowledge_base?: KnowledgeBaseBody;
  @IsOptional() @ValidateNested() @Type(() => GuardrailsBody) bedrock_guardrails?: GuardrailsBody;
  /** Shown to users instead of an answer that the guardrail blocks. Empty: the default text. */
  @IsOptional() @IsString() @MaxLength(LONGEST_BLOCKED_TEXT) guardrail_blocked_text?: string;
  @IsOptional() @ValidateNested() @Type(() => GenerationParamsBody) generation_params?: GenerationParamsBody;
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_MODELS) @ArrayUnique() @Length(1, 200, { each: true }) active_models?: string[];
  /** Null removes the default. */
  @MayBeNull() @Length(1, 200) default_model?: string | null;
  @IsOptional() @IsBoolean() prompt_caching_enabled?: boolean;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_TOOLS)
  @ValidateNested({ each: true })
  @Type(() => ToolBody)
  tools?: ToolBody[];
  /** When the sources are read again: a cron expression with five fields, in UTC. Null removes the schedule. */
  @MayBeNull() @Length(1, 200) sync_schedule?: string | null;
  /** Whether its conversations use the memories of their users. Null: only the owner's. */
  @MayBeNull() @IsBoolean() memory?: boolean | null;
  /** Null: the first letter of the title. */
  @MayBeNull() @IsIn(BOT_ICONS) icon?: BotIcon | null;
  /** Null: the default colour. */
  @MayBeNull() @IsIn(BOT_COLOURS) colour?: BotColour | null;
}

export class CreateBotBody extends ConfigurationBody {
  @IsOptional() @IsUlid() id?: string;
  @IsTitle() title!: string;
}

@ChangesFields()
export class ChangeBotBody extends ConfigurationBody {
  @IsOptional() @IsTitle() title?: string;
}

/**
 * The settings in a body. Each replaces the complete setting: an absent part of an object gets its default value. Throws the refusal
 * `invalid_body` (invalid) if settings contradict each other, together with `before`.
 */
export function settingsOf(body: ConfigurationBody, before: BotSettings, now: Instant): Partial<BotSettings> {
  const given: { -readonly [Name in keyof BotSettings]?: BotSettings[Name] } = {};
  const { display_retrieved_chunks, prompt_caching_enabled, active_models, default_model, tools, memory, icon, colour } = body;
  if (display_retrieved_chunks !== undefined) given.display_retrieved_chunks = display_retrieved_chunks;
  if (prompt_caching_enabled !== undefined) given.prompt_caching_enabled = prompt_caching_enabled;
  if (active_models !== undefined) given.active_models = active_models;
  if (default_model !== undefined) given.default_model = default_model;
  if (tools !== undefined) given.tools = tools.map(({ name, approval = 'writes' }) => ({ name, approval }));
  if (memory !== undefined) given.memory = memory;
  if (icon !== undefined) given.icon = icon;
  if (colour !== undefined) given.colour = colour;
  if (body.bedrock_knowledge_base) given.bedrock_knowledge_base = knowledgeBaseOf(body.bedrock_knowledge_base);
  if (body.bedrock_guardrails)
    given.bedrock_guardrails = withDefaults<Guardrails>(DEFAULT_SETTINGS.bedrock_guardrails, body.bedrock_guardrails);
  if (body.generation_params)
    given.generation_params = withDefaults<GenerationParams>(DEFAULT_SETTINGS.generation_params, body.generation_params);
  if (body.sync_schedule !== undefined) given.sync_schedule = scheduleOf(body.sync_schedule, now);
  const names = given.tools?.map(({ name }) => name) ?? [];
  if (new Set(names).size < names.length) throw invalid('tools', 'must not have two tools with the same name');
  const { active_models: active, default_model: model } = { ...before, ...given };
  if (model !== null && active.length > 0 && !active.includes(model)) throw invalid('default_model', 'must be one of active_models');
  return given;
}

function scheduleOf(schedule: string | null, now: Instant): string | null {
  const fault = schedule === null ? null : faultOfSchedule(schedule, now);
  if (fault !== null) throw invalid('sync_schedule', fault);
  return schedule;
}

function withDefaults<Whole extends object>(defaults: Whole, given: { readonly [Name in keyof Whole]?: Whole[Name] | undefined }): Whole {
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
