import { z } from 'zod';
import { SCOPES } from '../domain/sharing.ts';
import { VERSION_CHANGES } from '../projections/bot-history.ts';

const seconds = z.int().describe('Time in epoch seconds.');
const ids = z.array(z.string()).readonly();

/** A bot in lists, search results and the store. */
export const BotItem = z.object({
  id: z.string(),
  owner_user_id: z.string(),
  title: z.string(),
  description: z.string(),
  shared_scope: z.enum(SCOPES),
  status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.'),
  sync_status: z.enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED']),
  is_publication: z.boolean().describe('Whether the bot is published as an API.'),
  is_starred: z.boolean().describe('Whether the caller has starred the bot.'),
  create_time: seconds,
  last_used_time: z
    .int()
    .nullable()
    .describe('When the caller last used the bot, in epoch seconds. Null if it is not among the recently used.'),
  version: z.int().describe('Version number, starting at 1. In quotes it is the ETag.'),
});
export type BotItem = z.infer<typeof BotItem>;

const QuickStarter = z.object({ title: z.string(), example: z.string() });

/** The fields of a bot that its users need, without its settings. */
export const BotSummary = BotItem.extend({
  owned: z.boolean().describe('Whether the caller is the owner.'),
  editable: z.boolean().describe('Whether the caller may change the configuration.'),
  has_knowledge: z.boolean(),
  conversation_quick_starters: z.array(QuickStarter).readonly(),
  active_models: ids.describe('IDs of models that the bot may use. Empty: all models.'),
  default_model: z.string().nullable(),
});
export type BotSummary = z.infer<typeof BotSummary>;

const Chunking = z.discriminatedUnion('chunking_strategy', [
  z.object({ chunking_strategy: z.literal('none') }),
  z.object({
    chunking_strategy: z.literal('fixed_size'),
    fixed_size_chunking_configuration: z.object({ max_tokens: z.int(), overlap_percentage: z.int() }),
  }),
  z.object({
    chunking_strategy: z.literal('semantic'),
    semantic_chunking_configuration: z.object({
      max_tokens: z.int(),
      buffer_size: z.int(),
      breakpoint_percentile_threshold: z.int(),
    }),
  }),
  z.object({
    chunking_strategy: z.literal('hierarchical'),
    hierarchical_chunking_configuration: z.object({
      level_configurations: z.array(z.object({ max_tokens: z.int() })).readonly(),
      overlap_tokens: z.int(),
    }),
  }),
]);

const Settings = z.object({
  display_retrieved_chunks: z.boolean(),
  bedrock_knowledge_base: z.object({
    type: z.enum(['shared', 'dedicated']).nullable(),
    exist_knowledge_base_id: z.string().nullable(),
    chunking_configuration: Chunking,
    parsing_model: z.string().nullable(),
    search_params: z.object({ max_results: z.int(), search_type: z.enum(['hybrid', 'semantic', 'lexical']) }),
  }),
  bedrock_guardrails: z.object({
    is_guardrail_enabled: z.boolean(),
    guardrail_arn: z.string(),
    guardrail_version: z.string(),
    grounding_threshold: z.number(),
    relevance_threshold: z.number(),
  }),
  generation_params: z.object({
    max_tokens: z.int().nullable(),
    top_k: z.int().nullable(),
    top_p: z.number().nullable(),
    temperature: z.number().nullable(),
    stop_sequences: ids,
    reasoning_budget_tokens: z.int().nullable(),
  }),
  prompt_caching_enabled: z.boolean(),
  tools: z.array(z.object({ name: z.string(), approval: z.enum(['never', 'always', 'writes']) })).readonly(),
});

/** The users and groups that a bot is shared with. */
const Audience = z.object({ allowed_user_ids: ids, allowed_group_ids: ids, editor_user_ids: ids, editor_group_ids: ids });

/** A bot without its instruction and knowledge. The lists of allowed users and groups are shown to users who may change the bot. */
export const Bot = BotSummary.extend({
  ...Settings.shape,
  sync_status_reason: z.string().describe('Empty unless the ingestion of knowledge has failed.'),
  ...Audience.partial().shape,
});
export type Bot = z.infer<typeof Bot>;

export const Knowledge = z.object({ source_urls: ids, sitemap_urls: ids, s3_urls: ids, filenames: ids });

/** A bot for users who may change it. */
export const PrivateBot = Bot.extend({ instruction: z.string(), knowledge: Knowledge, ...Audience.shape });
export type PrivateBot = z.infer<typeof PrivateBot>;

/** A public or partially shared bot as administrators see it. */
export const PublicBot = PrivateBot.extend({
  execution_id: z.string().nullable().describe('ID of the last ingestion of knowledge; null if there was none.'),
});

export const BotVersion = z.object({
  version: z.int(),
  change: z.enum(VERSION_CHANGES),
  user_id: z.string().nullable().describe('ID of the user who made the version; null if the system made it.'),
  create_time: seconds,
  restored_version: z.int().nullable().describe('The version that was restored; null for other changes.'),
  title: z.string().nullable().describe('The title that the version gave the bot; null if the title did not change.'),
});
export type BotVersion = z.infer<typeof BotVersion>;

/** The schema of one page of a list. */
export const pageOf = (name: string, row: z.ZodType) => z.object({ [name]: z.array(row), next_token: z.string().nullable() });
