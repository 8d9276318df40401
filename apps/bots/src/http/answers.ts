import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { BOT_COLOURS, BOT_ICONS } from '../domain/appearance.ts';
import { CRAWLING_SCOPES, ON_SOURCE_ERROR } from '../domain/configuration.ts';
import { SYNC_CAUSES } from '../domain/knowledge/sync-causes.ts';
import { SYNC_REASONS, SYNC_STEPS } from '../domain/knowledge/sync-events.ts';
import { SCOPES } from '../domain/sharing.ts';
import { MOST_WARNINGS, SOURCE_PROBLEMS } from '../domain/knowledge/source-warnings.ts';
import { VERSION_CHANGES } from '../projections/bot-history.ts';
import { SYNC_STATUSES } from '../projections/knowledge/rows.ts';

const seconds = z.int().describe('Time in epoch seconds.');
const ids = z.array(z.string()).readonly();

/** How a bot is shown in lists. */
const Appearance = z.object({
  icon: z.enum(BOT_ICONS).nullable().describe('Null: the first letter of the title.'),
  colour: z.enum(BOT_COLOURS).nullable().describe('Null: the default colour.'),
  picture: z
    .string()
    .nullable()
    .describe('ID of the picture that is shown instead of the icon: `GET /bot/{botId}/picture/{pictureId}`. Null: no picture.'),
});

/** A bot in lists, search results and the store. */
export const BotItem = z.object({
  id: z.string(),
  owner_user_id: z.string(),
  title: z.string(),
  description: z.string(),
  ...Appearance.shape,
  shared_scope: z.enum(SCOPES),
  status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.'),
  sync_status: z.enum(SYNC_STATUSES).describe('State of the knowledge.'),
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
    web_crawling_scope: z
      .enum(CRAWLING_SCOPES)
      .describe('Which links of a page are followed: none, those to the host, or also those to subdomains.'),
    web_crawling_filters: z.object({ include_patterns: ids, exclude_patterns: ids }),
    web_crawling_limits: z.object({ max_depth: z.int(), max_pages: z.int() }),
    on_source_error: z
      .enum(ON_SOURCE_ERROR)
      .describe('What happens when a source cannot be read: the run fails, or the source is left out of the new index with a warning.'),
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
  sync_schedule: z.string().nullable().describe('When the sources are read again: a cron expression in UTC. Null: only on demand.'),
  memory: z
    .boolean()
    .nullable()
    .describe("Whether its conversations use the memories of their users, if these are turned on. Null: only the owner's."),
  ...Appearance.shape,
});

/** The users and groups that a bot is shared with. */
const Audience = z.object({ allowed_user_ids: ids, allowed_group_ids: ids, editor_user_ids: ids, editor_group_ids: ids });

/** A bot without its instruction and knowledge. The lists of allowed users and groups are shown to users who may change the bot. */
export const Bot = BotSummary.extend({
  ...Settings.shape,
  sync_status_reason: z.string().describe('Why the run that reads the knowledge has failed, or is tried again; empty otherwise.'),
  ...Audience.partial().shape,
});
export type Bot = z.infer<typeof Bot>;

export const Knowledge = z.object({ source_urls: ids, sitemap_urls: ids, s3_urls: ids, filenames: ids });

/** A bot for users who may change it. */
export const PrivateBot = Bot.extend({
  instruction: z.string(),
  guardrail_blocked_text: z.string().describe('Shown to users instead of an answer that the guardrail blocks. Empty: the default text.'),
  knowledge: Knowledge,
  ...Audience.shape,
});
export type PrivateBot = z.infer<typeof PrivateBot>;

/** The configuration that the owner and editors gave a bot in a version. */
export const BotConfiguration = z.object({
  version: z.int(),
  title: z.string(),
  description: z.string(),
  ...Settings.shape,
  ...PrivateBot.pick({
    instruction: true,
    guardrail_blocked_text: true,
    conversation_quick_starters: true,
    active_models: true,
    default_model: true,
    knowledge: true,
  }).shape,
});
export type BotConfiguration = z.infer<typeof BotConfiguration>;

/** A public or partially shared bot as administrators see it. */
export const PublicBot = PrivateBot.extend({
  as_of: z
    .object({ position: z.int(), time: z.string().meta({ format: 'date-time' }) })
    .nullable()
    .describe('Newest event included in the answer; null before the first event.'),
  execution_id: z
    .string()
    .nullable()
    .describe('ID of the newest run that reads the knowledge; null while it waits, and before the first one.'),
});

export const BotVersion = z.object({
  version: z.int(),
  change: z.enum(VERSION_CHANGES),
  user_id: z.string().nullable().describe('ID of the user who created the version; null if the system created it.'),
  create_time: seconds,
  restored_version: z.int().nullable().describe('The version that was restored; null for other changes.'),
  title: z.string().nullable().describe('The title that the version gave the bot; null if the title did not change.'),
});
export type BotVersion = z.infer<typeof BotVersion>;

/** The schema of one page of a list. */
export function pageOf(name: string, row: z.ZodType) {
  const page = z.object({ [name]: z.array(row), next_token: z.string().nullable() });
  return page.meta({ title: `${row.meta()?.title}Page` });
}

const Count = z.object({
  done: z.int().describe('Items that were read, with or without text.'),
  failed: z.int(),
  total: z.int().describe('Items that are known so far.'),
  unchanged: z.int().describe('Items among the done ones that were copied from the earlier index.'),
});

/** The newest run that reads the knowledge of a bot. */
const SourceWarning = z.object({
  source: z.string(),
  reason: z.string(),
  code: z.enum(SOURCE_PROBLEMS).optional().describe('A stable word for the reason. Absent for runs of earlier releases.'),
});

const SyncCause = z.object({
  code: z.enum(SYNC_CAUSES),
  failed: z.int().describe('Sources that have failed, or have no text.'),
  total: z.int().describe('All sources that were found; 0 if the run did not end because of sources.'),
  sources: z.array(SourceWarning).readonly().describe('The first sources that have failed.'),
});

export const KnowledgeSync = z.object({
  bot_id: z.string(),
  execution_id: z.string().nullable().describe('ID of the run; null while it waits, and before the first one.'),
  sync_status: z.enum(SYNC_STATUSES),
  reason: z.string().describe('Why the run failed, and what to do. While it is `RUNNING`: why it waits for its next try. Empty otherwise.'),
  cause: SyncCause.nullable().describe('The parts of `reason`. Null without a reason, and for runs of earlier releases.'),
  because: z.enum(SYNC_REASONS).nullable().describe('Why the run began.'),
  step: z.enum(SYNC_STEPS).describe('The current step of the run.'),
  steps: z.array(z.object({ step: z.enum(SYNC_STEPS), state: z.enum(['waiting', 'running', 'done', 'failed']) })).readonly(),
  sources: z.object({ pages: Count, sitemaps: Count, s3: Count, files: Count }),
  warnings: z
    .array(SourceWarning)
    .readonly()
    .describe(`Sources without text in the index in service: empty ones and skipped ones, ${MOST_WARNINGS} at most.`),
  warning_count: z.int().describe('All such sources.'),
  chunks: z.int().describe('Chunks that the run has created so far.'),
  chunks_in_service: z.int().describe('Chunks in the index that answers now.'),
  start_time: z.int().nullable().describe('Time in epoch seconds; null while the run waits.'),
  end_time: z.int().nullable().describe('Time in epoch seconds; null until the run has ended.'),
  next_run_time: z.int().nullable().describe('When the schedule starts the next run, in epoch seconds; null without a schedule.'),
});
export type KnowledgeSync = z.infer<typeof KnowledgeSync>;

export const FileUpload = z.object({
  url: z
    .string()
    .describe(
      'Send the file to this address, without an access token. An address of this installation ends with the session or the access token of this request: 403 `address_revoked`. An address of an object store does not.',
    ),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()).describe('Headers that the upload must have.'),
  expires_at: z.int().describe('Time in epoch seconds.'),
});
export type FileUpload = z.infer<typeof FileUpload>;

export const FoundChunk = z.object({
  id: z.string(),
  content: z.string(),
  content_type: z.literal('text'),
  source: z.string().describe('URL, s3 URL or name of the file.'),
  source_name: z.string().describe('Title of the page, or name of the file.'),
  source_id: z.string(),
  page_number: z.int().nullable(),
  heading: z.string().nullable(),
  rank: z.int().describe('Rank among the results, starting at 1.'),
  score: z.number(),
});

export const KnowledgeSearch = z.object({
  results: z.array(FoundChunk).readonly(),
  search_type: z.enum(['hybrid', 'semantic', 'lexical']).describe('The kind of search that ran. Without an embedding model it is lexical.'),
  reranked: z.boolean(),
  timings: z.record(z.string(), z.number()).describe('Milliseconds of each part of the search.'),
});
export type KnowledgeSearch = z.infer<typeof KnowledgeSearch>;

nameSchemas({
  BotItem,
  BotSummary,
  Bot,
  PrivateBot,
  PublicBot,
  BotVersion,
  BotConfiguration,
  KnowledgeSync,
  FileUpload,
  FoundChunk,
  KnowledgeSearch,
});
