import type { KnowledgeBaseBody, PrivateBot } from '@parlance/client/types';
import { linesOf } from './lines.ts';

type KnowledgeBase = PrivateBot['bedrock_knowledge_base'];
export type Strategy = KnowledgeBase['chunking_configuration']['chunking_strategy'];

/** The parameters of all strategies, so that switching the strategy and back loses nothing. */
export interface KnowledgeDraft {
  readonly type: 'shared' | 'dedicated' | 'existing';
  readonly existingId: string;
  readonly strategy: Strategy;
  readonly fixed: { readonly max_tokens: number; readonly overlap_percentage: number };
  readonly semantic: { readonly max_tokens: number; readonly buffer_size: number; readonly breakpoint_percentile_threshold: number };
  readonly hierarchical: { readonly parent: number; readonly child: number; readonly overlap_tokens: number };
  readonly parsingModel: string;
  readonly searchType: KnowledgeBase['search_params']['search_type'];
  readonly maxResults: number;
  readonly scope: KnowledgeBase['web_crawling_scope'];
  readonly include: string;
  readonly exclude: string;
  readonly maxDepth: number;
  readonly maxPages: number;
  readonly onSourceError: KnowledgeBase['on_source_error'];
}

const DEFAULTS = {
  fixed: { max_tokens: 300, overlap_percentage: 20 },
  semantic: { max_tokens: 300, buffer_size: 0, breakpoint_percentile_threshold: 95 },
  hierarchical: { parent: 1_500, child: 300, overlap_tokens: 60 },
};

export function knowledgeDraftOf(base: KnowledgeBase): KnowledgeDraft {
  return {
    type: base.type ?? 'existing',
    existingId: base.exist_knowledge_base_id ?? '',
    strategy: base.chunking_configuration.chunking_strategy,
    ...DEFAULTS,
    ...chunkingDraftOf(base.chunking_configuration),
    parsingModel: base.parsing_model ?? '',
    searchType: base.search_params.search_type,
    maxResults: base.search_params.max_results,
    scope: base.web_crawling_scope,
    include: base.web_crawling_filters.include_patterns.join('\n'),
    exclude: base.web_crawling_filters.exclude_patterns.join('\n'),
    maxDepth: base.web_crawling_limits.max_depth,
    maxPages: base.web_crawling_limits.max_pages,
    onSourceError: base.on_source_error,
  };
}

function chunkingDraftOf(chunking: KnowledgeBase['chunking_configuration']): Partial<KnowledgeDraft> {
  switch (chunking.chunking_strategy) {
    case 'none':
      return {};
    case 'fixed_size':
      return { fixed: chunking.fixed_size_chunking_configuration };
    case 'semantic':
      return { semantic: chunking.semantic_chunking_configuration };
    case 'hierarchical': {
      const { level_configurations: levels, overlap_tokens } = chunking.hierarchical_chunking_configuration;
      const { parent, child } = DEFAULTS.hierarchical;
      return { hierarchical: { parent: levels[0]?.max_tokens ?? parent, child: levels[1]?.max_tokens ?? child, overlap_tokens } };
    }
  }
}

export function knowledgeBaseOf(draft: KnowledgeDraft): KnowledgeBaseBody {
  return {
    ...(draft.type === 'existing' ? { exist_knowledge_base_id: draft.existingId.trim() } : { type: draft.type }),
    chunking_configuration: chunkingOf(draft),
    ...(draft.parsingModel.trim() !== '' && { parsing_model: draft.parsingModel.trim() }),
    search_params: { search_type: draft.searchType, max_results: draft.maxResults },
    web_crawling_scope: draft.scope,
    web_crawling_filters: { include_patterns: linesOf(draft.include), exclude_patterns: linesOf(draft.exclude) },
    web_crawling_limits: { max_depth: draft.maxDepth, max_pages: draft.maxPages },
    on_source_error: draft.onSourceError,
  };
}

function chunkingOf({ strategy, fixed, semantic, hierarchical }: KnowledgeDraft): KnowledgeBaseBody['chunking_configuration'] {
  switch (strategy) {
    case 'none':
      return { chunking_strategy: strategy };
    case 'fixed_size':
      return { chunking_strategy: strategy, fixed_size_chunking_configuration: fixed };
    case 'semantic':
      return { chunking_strategy: strategy, semantic_chunking_configuration: semantic };
    case 'hierarchical': {
      const { parent, child, overlap_tokens } = hierarchical;
      const level_configurations = [{ max_tokens: parent }, { max_tokens: child }];
      return { chunking_strategy: strategy, hierarchical_chunking_configuration: { level_configurations, overlap_tokens } };
    }
  }
}
