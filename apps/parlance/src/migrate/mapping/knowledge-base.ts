import { isMap, type Item } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const map = (value: unknown): Item => (isMap(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The name of each knowledge base in this installation, by its ID in Amazon Bedrock. */
export type KnownBases = ReadonlyMap<string, string>;

/**
 * The settings of a knowledge base that both products share. The index of the source is not imported: this installation reads the sources
 * again.
 */
export function knowledgeBaseOf(raw: Item, sourceUrls: readonly string[], known: KnownBases, notes: Note[]): Item {
  const note = (field: string, detail: string) => void notes.push({ reason: `bedrock_knowledge_base.${field}_not_taken`, detail });
  const { max_results: maxResults, search_type: type } = map(raw['search_params']);
  const search = { ...(isNumber(maxResults) && { max_results: Number(maxResults) }), ...(text(type) !== '' && { search_type: type }) };
  const base: Record<string, unknown> = {
    ...chunkingOf(raw),
    ...(Object.keys(search).length > 0 && { search_params: search }),
    ...crawlingOf(raw, sourceUrls, note),
  };
  const existing = text(raw['exist_knowledge_base_id']);
  if (existing !== '') base['exist_knowledge_base_id'] = known.get(existing) ?? existing;
  const parsing = text(raw['parsing_model']);
  if (parsing !== '' && parsing !== 'disabled') note('parsing_model', `${parsing}: choose a model of this installation, and sync the bot.`);
  if (raw['type'] === 'dedicated') note('type', 'dedicated: the bot uses the shared index. An installation has few indexes of one bot.');
  if (isMap(map(raw['open_search'])['analyzer'])) note('open_search', `analyzer ${JSON.stringify(map(raw['open_search'])['analyzer'])}`);
  const embeddings = text(raw['embeddings_model']);
  if (embeddings !== '') note('embeddings_model', `${embeddings}: the embedding model of this installation reads the sources.`);
  return base;
}

/** An export has numbers as texts. */
const isNumber = (value: unknown) => value !== undefined && value !== null && value !== '' && Number.isFinite(Number(value));

/**
 * By default, the source follows links to pages below the address of the bot. Patterns of the source are regular expressions, which
 * this product does not support. A crawl without them could read pages that they excluded, so only the named pages are read.
 */
function crawlingOf(raw: Item, sourceUrls: readonly string[], note: (field: string, detail: string) => void): Item {
  const scope = text(raw['web_crawling_scope']);
  const filters = map(raw['web_crawling_filters']);
  const patterns = ['include_patterns', 'exclude_patterns'].flatMap((name) => list(filters[name]).map((each) => `${name} ${String(each)}`));
  if (patterns.length > 0) {
    note('web_crawling_filters', `${patterns.join(', ')}: pages are read alone until the bot has patterns of this product.`);
    if (scope !== '') note('web_crawling_scope', scope);
    return {};
  }
  switch (scope) {
    case 'HOST_ONLY':
      return { web_crawling_scope: 'host' };
    case 'SUBDOMAINS':
      return { web_crawling_scope: 'subdomains' };
    case 'DEFAULT':
      return belowOf(sourceUrls, note);
    case '':
      return {};
    default:
      note('web_crawling_scope', scope);
      return {};
  }
}

/** The maximum number of patterns of a bot. */
const MOST_PATTERNS = 50;

function belowOf(sourceUrls: readonly string[], note: (field: string, detail: string) => void): Item {
  const urls = sourceUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  if (urls.length === 0) return {};
  if (urls.length > MOST_PATTERNS) {
    note('web_crawling_scope', `DEFAULT: pages are read alone, because the bot names more than ${MOST_PATTERNS}.`);
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

/** Uses the flat field names, which both products support. */
function chunkingOf(raw: Item): Item {
  const chunking = map(raw['chunking_configuration']);
  const strategy = text(chunking['chunking_strategy']) || text(raw['chunking_strategy']);
  if (strategy === '' || strategy === 'default') return {};
  const names = (NAMES[strategy] ?? []).filter((name) => isNumber(chunking[name]));
  const params = Object.fromEntries(names.map((name) => [name, Number(chunking[name])]));
  return { chunking_configuration: { chunking_strategy: strategy, ...params } };
}
