import type { Appearance } from './appearance.ts';

/** A sealed text of a bot. Releases up to 0.2 stored texts in the clear. */
export type BotText = string | { readonly clear: string };

/** The texts that a user wrote. Null if a text is empty. `quickStarters` and `knowledge` are JSON. */
export interface BotTexts {
  readonly title: BotText;
  readonly description: BotText | null;
  readonly instruction: BotText | null;
  readonly quickStarters: BotText | null;
  /** The sources of knowledge. Absent in events of earlier releases. */
  readonly knowledge?: BotText | null;
  /** Shown to users instead of an answer that the guardrail blocks. Absent in events of earlier releases; null for the default. */
  readonly blockedText?: BotText | null;
}

export interface GenerationParams {
  readonly max_tokens: number | null;
  readonly top_k: number | null;
  readonly top_p: number | null;
  readonly temperature: number | null;
  readonly stop_sequences: readonly string[];
  readonly reasoning_budget_tokens: number | null;
}

export type Chunking =
  | { readonly chunking_strategy: 'none' }
  | {
      readonly chunking_strategy: 'fixed_size';
      readonly fixed_size_chunking_configuration: { readonly max_tokens: number; readonly overlap_percentage: number };
    }
  | {
      readonly chunking_strategy: 'semantic';
      readonly semantic_chunking_configuration: {
        readonly max_tokens: number;
        readonly buffer_size: number;
        readonly breakpoint_percentile_threshold: number;
      };
    }
  | {
      readonly chunking_strategy: 'hierarchical';
      readonly hierarchical_chunking_configuration: {
        readonly level_configurations: readonly { readonly max_tokens: number }[];
        readonly overlap_tokens: number;
      };
    };

/** Which links of pages are followed: none, those to the same host, or also those to its subdomains. */
export const CRAWLING_SCOPES = ['single_page', 'host', 'subdomains'] as const;
export type CrawlingScope = (typeof CRAWLING_SCOPES)[number];

export interface Crawling {
  readonly web_crawling_scope: CrawlingScope;
  readonly web_crawling_filters: { readonly include_patterns: readonly string[]; readonly exclude_patterns: readonly string[] };
  readonly web_crawling_limits: { readonly max_depth: number; readonly max_pages: number };
}

/** What happens when a source cannot be read: the run fails, or the new index goes into service without the source. */
export const ON_SOURCE_ERROR = ['fail', 'skip'] as const;
export type OnSourceError = (typeof ON_SOURCE_ERROR)[number];

/** Settings that events of earlier releases lack. */
interface LaterSettings extends Crawling {
  readonly on_source_error: OnSourceError;
}

export interface KnowledgeBase extends LaterSettings {
  /** Null for a knowledge base that another system manages. */
  readonly type: 'shared' | 'dedicated' | null;
  readonly exist_knowledge_base_id: string | null;
  readonly chunking_configuration: Chunking;
  readonly parsing_model: string | null;
  readonly search_params: { readonly max_results: number; readonly search_type: 'hybrid' | 'semantic' | 'lexical' };
}

export interface Guardrails {
  readonly is_guardrail_enabled: boolean;
  readonly guardrail_arn: string;
  readonly guardrail_version: string;
  readonly grounding_threshold: number;
  readonly relevance_threshold: number;
}

export interface Tool {
  readonly name: string;
  readonly approval: 'never' | 'always' | 'writes';
}

/**
 * The tools of a copy or an import. Its new owner did not choose them, so each call that writes needs approval until the owner decides
 * otherwise.
 */
export const withApprovals = (tools: readonly Tool[]): readonly Tool[] =>
  tools.map((tool) => (tool.approval === 'never' ? { ...tool, approval: 'writes' } : tool));

/** The rest of a configuration, in the form of answers. */
export interface BotSettings extends Appearance {
  readonly display_retrieved_chunks: boolean;
  readonly bedrock_knowledge_base: KnowledgeBase;
  readonly bedrock_guardrails: Guardrails;
  readonly generation_params: GenerationParams;
  /** Empty: every model. */
  readonly active_models: readonly string[];
  readonly default_model: string | null;
  readonly prompt_caching_enabled: boolean;
  readonly tools: readonly Tool[];
  /** When the sources are read again: a cron expression in UTC. Null: only on demand. */
  readonly sync_schedule: string | null;
  /** Whether its conversations use the memories of their users. Null: only those of its owner. */
  readonly memory: boolean | null;
}

/** Settings as stored in events. Those of earlier releases lack later settings. */
export type StoredSettings = Omit<BotSettings, 'bedrock_knowledge_base' | 'sync_schedule' | 'memory' | keyof Appearance> &
  Partial<Appearance> & {
    readonly bedrock_knowledge_base: Omit<KnowledgeBase, keyof LaterSettings> & Partial<LaterSettings>;
    readonly sync_schedule?: string | null;
    readonly memory?: boolean | null;
  };

/** What the owner and editors of a bot may change. */
export interface Configuration extends BotTexts {
  readonly settings: BotSettings;
}

export type ConfigurationChange = Partial<BotTexts> & { readonly settings?: Partial<BotSettings> };

export const DEFAULT_SETTINGS: BotSettings = {
  display_retrieved_chunks: true,
  bedrock_knowledge_base: {
    type: 'shared',
    exist_knowledge_base_id: null,
    chunking_configuration: {
      chunking_strategy: 'fixed_size',
      fixed_size_chunking_configuration: { max_tokens: 300, overlap_percentage: 20 },
    },
    parsing_model: null,
    search_params: { max_results: 5, search_type: 'hybrid' },
    web_crawling_scope: 'single_page',
    web_crawling_filters: { include_patterns: [], exclude_patterns: [] },
    web_crawling_limits: { max_depth: 3, max_pages: 200 },
    on_source_error: 'fail',
  },
  bedrock_guardrails: {
    is_guardrail_enabled: false,
    guardrail_arn: '',
    guardrail_version: '',
    grounding_threshold: 0,
    relevance_threshold: 0,
  },
  generation_params: {
    max_tokens: null,
    top_k: null,
    top_p: null,
    temperature: null,
    stop_sequences: [],
    reasoning_budget_tokens: null,
  },
  active_models: [],
  default_model: null,
  prompt_caching_enabled: true,
  tools: [],
  sync_schedule: null,
  memory: null,
  icon: null,
  colour: null,
  picture: null,
};

export function configured(before: Configuration, { settings, ...texts }: ConfigurationChange): Configuration {
  return { ...before, ...texts, settings: { ...before.settings, ...settings } };
}

/** Settings, with defaults for those that an earlier release lacked. */
export function completed(stored: StoredSettings): BotSettings {
  return { ...DEFAULT_SETTINGS, ...stored, bedrock_knowledge_base: completedBase(stored.bedrock_knowledge_base) };
}

export const completedBase = (stored: StoredSettings['bedrock_knowledge_base']): KnowledgeBase => ({
  ...DEFAULT_SETTINGS.bedrock_knowledge_base,
  ...stored,
});

/**
 * The part of a knowledge base that determines the content of its index, and whether the index goes into service. Changing it starts a run;
 * changing `search_params` does not.
 */
export function ingestionOf({ search_params: _, ...ingestion }: KnowledgeBase): Omit<KnowledgeBase, 'search_params'> {
  return ingestion;
}
