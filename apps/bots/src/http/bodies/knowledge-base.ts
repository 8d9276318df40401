import { MAX_CHUNK_TOKENS } from '@parlance/documents';
import { MAX_HITS } from '@parlance/retrieval';
import { MAX_DEPTH, MAX_PAGES, MAX_PATTERN_LENGTH, MAX_PATTERNS } from '@parlance/sources';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, Length, Max, Min, ValidateNested } from 'class-validator';
import {
  type Chunking,
  CRAWLING_SCOPES,
  type CrawlingScope,
  DEFAULT_SETTINGS,
  type KnowledgeBase,
  ON_SOURCE_ERROR,
  type OnSourceError,
} from '../../domain/configuration.ts';
import { invalid } from './invalid.ts';

/** An optional integer within bounds. */
function IntegerWithin(least: number, most: number): PropertyDecorator {
  return (target, name) => {
    for (const decorate of [IsOptional(), IsInt(), Min(least), Max(most)]) decorate(target, name as string);
  };
}
const Tokens = () => IntegerWithin(1, MAX_CHUNK_TOKENS);
const Overlap = () => IntegerWithin(0, MAX_CHUNK_TOKENS);
const Percentage = () => IntegerWithin(0, 99);
/** Sentences before and after that are also compared. */
const Buffer = () => IntegerWithin(0, 1);
const Percentile = () => IntegerWithin(50, 99);

class FixedSizeBody {
  @Tokens() max_tokens?: number;
  @Percentage() overlap_percentage?: number;
}

class SemanticBody {
  @Tokens() max_tokens?: number;
  @Buffer() buffer_size?: number;
  @Percentile() breakpoint_percentile_threshold?: number;
}

class LevelBody {
  @IsInt() @Min(1) @Max(MAX_CHUNK_TOKENS) max_tokens!: number;
}

class HierarchicalBody {
  @IsArray()
  @ArrayMinSize(2)
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => LevelBody)
  level_configurations!: LevelBody[];
  @Overlap() overlap_tokens?: number;
}

const STRATEGIES = ['fixed_size', 'none', 'semantic', 'hierarchical'] as const;

/** The parameters of the strategy, in a nested object or as flat fields. Flat fields are ignored if the object is present. */
export class ChunkingBody {
  @IsOptional() @IsIn(STRATEGIES) chunking_strategy?: (typeof STRATEGIES)[number];
  @IsOptional() @ValidateNested() @Type(() => FixedSizeBody) fixed_size_chunking_configuration?: FixedSizeBody;
  @IsOptional() @ValidateNested() @Type(() => SemanticBody) semantic_chunking_configuration?: SemanticBody;
  @IsOptional() @ValidateNested() @Type(() => HierarchicalBody) hierarchical_chunking_configuration?: HierarchicalBody;
  @Tokens() max_tokens?: number;
  @Percentage() overlap_percentage?: number;
  @Overlap() overlap_tokens?: number;
  @Tokens() max_parent_token_size?: number;
  @Tokens() max_child_token_size?: number;
  @Buffer() buffer_size?: number;
  @Percentile() breakpoint_percentile_threshold?: number;
}

class SearchParamsBody {
  @IntegerWithin(1, MAX_HITS) max_results?: number;
  @IsOptional() @IsIn(['hybrid', 'semantic', 'lexical']) search_type?: 'hybrid' | 'semantic' | 'lexical';
}

const Patterns = (): PropertyDecorator => (target, name) => {
  for (const decorate of [IsOptional(), IsArray(), ArrayMaxSize(MAX_PATTERNS), Length(1, MAX_PATTERN_LENGTH, { each: true })])
    decorate(target, name as string);
};

class CrawlingFiltersBody {
  @Patterns() include_patterns?: string[];
  @Patterns() exclude_patterns?: string[];
}

class CrawlingLimitsBody {
  /** The maximum number of links from the start page to another page. */
  @IntegerWithin(0, MAX_DEPTH) max_depth?: number;
  @IntegerWithin(1, MAX_PAGES) max_pages?: number;
}

export class KnowledgeBaseBody {
  @IsOptional() @IsIn(['shared', 'dedicated']) type?: 'shared' | 'dedicated';
  @IsOptional() @Length(1, 200) exist_knowledge_base_id?: string;
  @IsOptional() @ValidateNested() @Type(() => ChunkingBody) chunking_configuration?: ChunkingBody;
  @IsOptional() @Length(1, 200) parsing_model?: string;
  @IsOptional() @ValidateNested() @Type(() => SearchParamsBody) search_params?: SearchParamsBody;
  @IsOptional() @IsIn(CRAWLING_SCOPES) web_crawling_scope?: CrawlingScope;
  @IsOptional() @ValidateNested() @Type(() => CrawlingFiltersBody) web_crawling_filters?: CrawlingFiltersBody;
  @IsOptional() @ValidateNested() @Type(() => CrawlingLimitsBody) web_crawling_limits?: CrawlingLimitsBody;
  @IsOptional() @IsIn(ON_SOURCE_ERROR) on_source_error?: OnSourceError;
}

/** The complete settings that a body requests. Throws the refusal `invalid_body` (invalid) if its parts contradict each other. */
export function knowledgeBaseOf(body: KnowledgeBaseBody): KnowledgeBase {
  const { type, exist_knowledge_base_id: existing = null, chunking_configuration: chunking, parsing_model = null, search_params } = body;
  if (existing !== null && type !== undefined)
    throw invalid('bedrock_knowledge_base.type', 'must be null or absent together with exist_knowledge_base_id');
  const { max_results = 5, search_type = 'hybrid' } = search_params ?? {};
  const { web_crawling_scope: scope, web_crawling_filters: filters, web_crawling_limits: limits } = DEFAULT_SETTINGS.bedrock_knowledge_base;
  // Absent parts of the body have the value undefined, so defaults apply.
  const { include_patterns = filters.include_patterns, exclude_patterns = filters.exclude_patterns } = body.web_crawling_filters ?? {};
  const { max_depth = limits.max_depth, max_pages = limits.max_pages } = body.web_crawling_limits ?? {};
  return {
    type: existing === null ? (type ?? 'shared') : null,
    exist_knowledge_base_id: existing,
    chunking_configuration: chunking ? chunkingOf(chunking) : DEFAULT_SETTINGS.bedrock_knowledge_base.chunking_configuration,
    parsing_model,
    search_params: { max_results, search_type },
    web_crawling_scope: body.web_crawling_scope ?? scope,
    web_crawling_filters: { include_patterns, exclude_patterns },
    web_crawling_limits: { max_depth, max_pages },
    on_source_error: body.on_source_error ?? DEFAULT_SETTINGS.bedrock_knowledge_base.on_source_error,
  };
}

function chunkingOf(body: ChunkingBody): Chunking {
  switch (body.chunking_strategy ?? 'fixed_size') {
    case 'none':
      return { chunking_strategy: 'none' };
    case 'fixed_size': {
      const { max_tokens = 300, overlap_percentage = 20 } = body.fixed_size_chunking_configuration ?? body;
      return { chunking_strategy: 'fixed_size', fixed_size_chunking_configuration: { max_tokens, overlap_percentage } };
    }
    case 'semantic': {
      const { max_tokens = 300, buffer_size = 0, breakpoint_percentile_threshold = 95 } = body.semantic_chunking_configuration ?? body;
      return {
        chunking_strategy: 'semantic',
        semantic_chunking_configuration: { max_tokens, buffer_size, breakpoint_percentile_threshold },
      };
    }
    case 'hierarchical':
      return { chunking_strategy: 'hierarchical', hierarchical_chunking_configuration: hierarchicalOf(body) };
  }
}

function hierarchicalOf({ hierarchical_chunking_configuration: nested, ...flat }: ChunkingBody) {
  const { max_parent_token_size = 1_500, max_child_token_size = Math.min(300, max_parent_token_size - 1) } = flat;
  const levels = nested?.level_configurations ?? [{ max_tokens: max_parent_token_size }, { max_tokens: max_child_token_size }];
  const [parent, child] = levels.map(({ max_tokens }) => max_tokens) as [number, number];
  const { overlap_tokens = Math.min(60, child - 1) } = nested ?? flat;
  const path = 'bedrock_knowledge_base.chunking_configuration';
  if (child < 1 || child >= parent) throw invalid(path, 'must have a second level that is smaller than the first');
  if (overlap_tokens >= child) throw invalid(path, 'must have overlap_tokens below the size of the second level');
  return { level_configurations: [{ max_tokens: parent }, { max_tokens: child }], overlap_tokens };
}
