import { isMap, type Item } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const map = (value: unknown): Item => (isMap(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** IDs of Amazon Bedrock with the names under which this installation reads the same knowledge bases. */
export type KnownBases = ReadonlyMap<string, string>;

/**
 * The settings of a knowledge base, in the names that both products have. The index of the source is not taken: this installation reads the
 * sources again.
 */
export function knowledgeBaseOf(given: Item, sourceUrls: readonly string[], known: KnownBases, notes: Note[]): Item {
  const left = (field: string, detail: string) => void notes.push({ reason: `bedrock_knowledge_base.${field}_not_taken`, detail });
  const { max_results: most, search_type: type } = map(given['search_params']);
  const search = { ...(isNumber(most) && { max_results: Number(most) }), ...(text(type) !== '' && { search_type: type }) };
  const base: Record<string, unknown> = {
    ...chunkingOf(given),
    ...(Object.keys(search).length > 0 && { search_params: search }),
    ...crawlingOf(given, sourceUrls, left),
  };
  const existing = text(given['exist_knowledge_base_id']);
  if (existing !== '') base['exist_knowledge_base_id'] = known.get(existing) ?? existing;
  const parsing = text(given['parsing_model']);
  if (parsing !== '' && parsing !== 'disabled') left('parsing_model', `${parsing}: choose a model of this installation, and sync the bot.`);
  if (given['type'] === 'dedicated') left('type', 'dedicated: the bot uses the shared index. An installation has few indexes of one bot.');
  if (isMap(map(given['open_search'])['analyzer']))
    left('open_search', `analyzer ${JSON.stringify(map(given['open_search'])['analyzer'])}`);
  const embeddings = text(given['embeddings_model']);
  if (embeddings !== '') left('embeddings_model', `${embeddings}: the embedding model of this installation reads the sources.`);
  return base;
}

/** Numbers are texts in an export. */
const isNumber = (value: unknown) => value !== undefined && value !== null && value !== '' && Number.isFinite(Number(value));

/**
 * By default, the source follows links to pages below the address that the bot names. Patterns of the source are regular expressions, which
 * this product does not run. A crawl without them could read what they have kept out, so pages are then read alone.
 */
function crawlingOf(given: Item, sourceUrls: readonly string[], left: (field: string, detail: string) => void): Item {
  const scope = text(given['web_crawling_scope']);
  const filters = map(given['web_crawling_filters']);
  const patterns = ['include_patterns', 'exclude_patterns'].flatMap((name) => list(filters[name]).map((each) => `${name} ${String(each)}`));
  if (patterns.length > 0) {
    left('web_crawling_filters', `${patterns.join(', ')}: pages are read alone until the bot has patterns of this product.`);
    if (scope !== '') left('web_crawling_scope', scope);
    return {};
  }
  switch (scope) {
    case 'HOST_ONLY':
      return { web_crawling_scope: 'host' };
    case 'SUBDOMAINS':
      return { web_crawling_scope: 'subdomains' };
    case 'DEFAULT':
      return belowOf(sourceUrls, left);
    case '':
      return {};
    default:
      left('web_crawling_scope', scope);
      return {};
  }
}

/** Patterns of a bot. */
const MOST_PATTERNS = 50;

function belowOf(sourceUrls: readonly string[], left: (field: string, detail: string) => void): Item {
  const urls = sourceUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  if (urls.length === 0) return {};
  if (urls.length > MOST_PATTERNS) {
    left('web_crawling_scope', `DEFAULT: pages are read alone, because the bot names more than ${MOST_PATTERNS}.`);
    return {};
  }
  const below = urls.map(({ origin, pathname }) => `${origin}${pathname}*`);
  return { web_crawling_scope: 'host', web_crawling_filters: { include_patterns: [...new Set(below)], exclude_patterns: [] } };
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  fixed_size: ['max_tokens', 'overlap_percentage'],
  hierarchical: ['overlap_tokens', 'max_parent_token_size', 'max_child_token_size'],
  semantic: ['max_tokens', 'buffer_size', 'breakpoint_percentile_threshold'],
  none: [],
};

/** In the flat names, which both products know. */
function chunkingOf(given: Item): Item {
  const chunking = map(given['chunking_configuration']);
  const strategy = text(chunking['chunking_strategy']) || text(given['chunking_strategy']);
  if (strategy === '' || strategy === 'default') return {};
  const names = (NAMES[strategy] ?? []).filter((name) => isNumber(chunking[name]));
  const params = Object.fromEntries(names.map((name) => [name, Number(chunking[name])]));
  return { chunking_configuration: { chunking_strategy: strategy, ...params } };
}
