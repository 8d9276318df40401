import { isMap, type Item } from '../source/dynamo-item.ts';
import type { SourceRecord } from '../source/records.ts';
import { guardrailsOf } from './guardrails.ts';
import { botIdOf } from './ids.ts';
import { LeftOut, type Note } from './note.ts';

export interface OutBot {
  readonly id: string;
  /** The body of `POST /bot` without its knowledge. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Parts of the body that the installation may refuse, for example a knowledge base that it does not know. */
  readonly perhaps: Readonly<Record<string, unknown>>;
  readonly knowledge: {
    readonly source_urls: string[];
    readonly sitemap_urls: string[];
    readonly s3_urls: string[];
    readonly filenames: string[];
  };
  readonly sharing: {
    readonly scope: 'private' | 'partial' | 'all';
    /** IDs of the source. */ readonly users: string[];
    readonly groups: string[];
  };
  /** Null for a bot that is not pinned. */
  readonly pin: number | null;
  readonly isStarred: boolean;
}

const LONGEST = { title: 100, description: 1_000, instruction: 100_000, example: 4_000 } as const;
const MOST_QUICK_STARTERS = 20;
const PINNED = /^pinned@(\d{3})$/;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const list = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []);
const map = (value: unknown): Item => (isMap(value) ? value : {});

/** Throws `LeftOut`. */
export function botOf({ id, item, version }: SourceRecord, notes: Note[]): OutBot {
  const title = [...text(item['Title']).trim()].slice(0, LONGEST.title).join('');
  if (title === '') throw new LeftOut('title_missing');
  const instruction = text(item['Instruction']);
  if (instruction.length > LONGEST.instruction) throw new LeftOut('instruction_too_long', `${instruction.length} characters`);
  const sources = map(item['Knowledge']);
  const active = Object.values(map(item['ActiveModels']));
  if (active.some((isActive) => isActive !== true))
    notes.push({
      reason: 'active_models_not_taken',
      detail: 'All models are active, because those of this installation have other names.',
    });
  const tools = map(item['AgentData'])['tools'];
  if (Array.isArray(tools) && tools.length > 0)
    notes.push({ reason: 'tools_not_taken', detail: `${tools.length} tools: choose tools of this installation.` });
  return {
    id: botIdOf(id),
    body: {
      title,
      description: text(item['Description']).slice(0, LONGEST.description),
      instruction,
      conversation_quick_starters: quickStarters(item['ConversationQuickStarters']),
      display_retrieved_chunks: item['DisplayRetrievedChunks'] === true,
      generation_params: generationParams(map(item['GenerationParams'])),
      ...guardrailsOf(map(item['GuardrailsParams']), notes),
    },
    perhaps: knowledgeBase(map(item['BedrockKnowledgeBase'])),
    knowledge: {
      source_urls: list(sources['source_urls']),
      sitemap_urls: list(sources['sitemap_urls']),
      s3_urls: list(sources['s3_urls']),
      filenames: list(sources['filenames']),
    },
    sharing: sharingOf(item, version),
    pin: Number(PINNED.exec(text(item['SharedStatus']))?.[1] ?? 0) || null,
    isStarred: item['IsStarred'] === 'TRUE' || (version === 2 && item['IsPinned'] === true),
  };
}

function sharingOf(item: Item, version: SourceRecord['version']): OutBot['sharing'] {
  if (version === 2) return { scope: text(item['PublicBotId']) === '' ? 'private' : 'all', users: [], groups: [] };
  const scope = item['SharedScope'];
  if (scope !== 'all' && scope !== 'partial') return { scope: 'private', users: [], groups: [] };
  if (scope === 'all') return { scope, users: [], groups: [] };
  return { scope, users: list(item['AllowedCognitoUsers']), groups: list(item['AllowedCognitoGroups']) };
}

function quickStarters(given: unknown): { title: string; example: string }[] {
  return (Array.isArray(given) ? given.filter(isMap) : [])
    .map((each) => ({ title: text(each['title']).slice(0, LONGEST.title), example: text(each['example']).slice(0, LONGEST.example) }))
    .filter(({ title, example }) => title !== '' && example !== '')
    .slice(0, MOST_QUICK_STARTERS);
}

/** Numbers are texts in an export. */
function generationParams(given: Item): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const name of ['max_tokens', 'top_k', 'top_p', 'temperature']) {
    const number = Number(given[name]);
    if (typeof given[name] === 'string' && Number.isFinite(number)) params[name] = number;
  }
  const stops = list(given['stop_sequences']).filter((each) => each !== '');
  const budget = Number(map(given['reasoning_params'])['budget_tokens']);
  return {
    ...params,
    ...(stops.length > 0 && { stop_sequences: stops.slice(0, 10) }),
    ...(Number.isInteger(budget) && { reasoning_budget_tokens: budget }),
  };
}

/** The chunking and the search. An index of the source is not taken: this installation reads the sources again. */
function knowledgeBase(given: Item): Record<string, unknown> {
  const chunking = map(given['chunking_configuration']);
  const strategy = text(chunking['chunking_strategy']) || text(given['chunking_strategy']);
  const { max_results } = map(given['search_params']);
  const params = strategy === '' || strategy === 'default' ? null : chunkingOf(strategy, chunking);
  const base = {
    ...(params && { chunking_configuration: params }),
    ...(Number.isInteger(Number(max_results)) && max_results !== undefined && { search_params: { max_results: Number(max_results) } }),
  };
  return Object.keys(base).length === 0 ? {} : { bedrock_knowledge_base: base };
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  fixed_size: ['max_tokens', 'overlap_percentage'],
  hierarchical: ['overlap_tokens', 'max_parent_token_size', 'max_child_token_size'],
  semantic: ['max_tokens', 'buffer_size', 'breakpoint_percentile_threshold'],
  none: [],
};

/** In the flat names, which both products know. */
function chunkingOf(strategy: string, given: Item): Record<string, unknown> | null {
  const names = NAMES[strategy];
  if (!names) return null;
  const numbers = names.flatMap((name) => (given[name] === undefined ? [] : [[name, Number(given[name])] as const]));
  return { chunking_strategy: strategy, ...Object.fromEntries(numbers) };
}
