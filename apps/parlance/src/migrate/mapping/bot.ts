import { isMap, type Item } from '../source/dynamo-item.ts';
import type { SourceRecord } from '../source/records.ts';
import { activeModelsOf } from './active-models.ts';
import { type FaultsOf, fitted } from './fitting.ts';
import { guardrailsOf } from './guardrails.ts';
import { botIdOf } from './ids.ts';
import { type KnownBases, knowledgeBaseOf } from './knowledge-base.ts';
import { LeftOut, type Note } from './note.ts';
import { millisOf } from './times.ts';
import { unknownFields } from './unknown-fields.ts';

export interface OutBot {
  readonly id: string;
  /** In epoch milliseconds; null if the export does not say. */
  readonly createdAt: number | null;
  /** The body of `POST /bot`, as the installation accepts it. */
  readonly body: Readonly<Record<string, unknown>>;
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

/** The models, tools and other things that the configuration of this installation offers to bots. */
export interface Offered {
  readonly models: readonly string[];
  readonly bases: KnownBases;
  readonly faultsOf: FaultsOf;
}

/** `filenames`: the files of the bot that are in the export. Throws `LeftOut`. */
export function botOf({ id, item, version }: SourceRecord, filenames: readonly string[], offered: Offered, notes: Note[]): OutBot {
  const note = (reason: string, detail: string) => void notes.push({ reason, detail });
  const short = (field: string, longest: number) => {
    const characters = [...text(item[field]).trim()];
    if (characters.length > longest) note(`${field}_shortened`, `${characters.length} characters`);
    return characters.slice(0, longest).join('');
  };
  const title = short('Title', LONGEST.title);
  if (title === '') throw new LeftOut('title_missing');
  const instruction = text(item['Instruction']);
  if (instruction.length > LONGEST.instruction) throw new LeftOut('instruction_too_long', `${instruction.length} characters`);
  const sources = map(item['Knowledge']);
  const source_urls = list(sources['source_urls']);
  const base = knowledgeBaseOf(map(item['BedrockKnowledgeBase']), source_urls, offered.bases, notes);
  const models = activeModelsOf(item['ActiveModels'], offered.models, notes);
  const tools = map(item['AgentData'])['tools'];
  if (Array.isArray(tools) && tools.length > 0)
    note('tools_not_taken', `${tools.map((tool) => text(map(tool)['name'])).join(', ')}: choose tools of this installation.`);
  const body = {
    title,
    description: short('Description', LONGEST.description),
    instruction,
    conversation_quick_starters: quickStarters(item['ConversationQuickStarters'], notes),
    display_retrieved_chunks: item['DisplayRetrievedChunks'] === true,
    ...(item['PromptCachingEnabled'] === false && { prompt_caching_enabled: false }),
    generation_params: generationParams(map(item['GenerationParams'])),
    ...(models.length > 0 && { active_models: models }),
    ...guardrailsOf(map(item['GuardrailsParams']), notes),
    ...(Object.keys(base).length > 0 && { bedrock_knowledge_base: base }),
    knowledge: { source_urls, sitemap_urls: list(sources['sitemap_urls']), s3_urls: list(sources['s3_urls']), filenames },
  };
  const pin = PINNED.exec(text(item['SharedStatus']));
  if (pin && Number(pin[1]) === 0) note('pin_not_taken', `${pin[0]}: the order of a pinned bot is 1 to 999.`);
  notes.push(
    ...unknownFields('bot', item),
    ...unknownFields('knowledge', sources),
    ...unknownFields('generation_params', map(item['GenerationParams'])),
    ...unknownFields('bedrock_knowledge_base', map(item['BedrockKnowledgeBase'])),
  );
  const createdAt = millisOf(item['CreateTime']);
  if (createdAt === null) note('create_time_not_taken', String(item['CreateTime']));
  const uses = Number(map(item['UsageStats'])['usage_count'] ?? 0);
  if (uses > 0) note('usage_count_not_taken', `${uses}: the popularity of a bot is counted from its uses here.`);
  return {
    id: botIdOf(id),
    createdAt,
    body: fitted(body, offered.faultsOf, notes),
    sharing: sharingOf(item, version),
    pin: Number(pin?.[1] ?? 0) || null,
    isStarred: hasStar({ item, version }),
  };
}

/** The record is a bot, or a user's entry for the bot of another user. */
export const hasStar = ({ item, version }: Pick<SourceRecord, 'item' | 'version'>): boolean =>
  item['IsStarred'] === 'TRUE' || (version === 2 && item['IsPinned'] === true);

export const filenamesOf = ({ item }: SourceRecord): readonly string[] => list(map(item['Knowledge'])['filenames']);

function sharingOf(item: Item, version: SourceRecord['version']): OutBot['sharing'] {
  if (version === 2) return { scope: text(item['PublicBotId']) === '' ? 'private' : 'all', users: [], groups: [] };
  const scope = item['SharedScope'];
  if (scope !== 'all' && scope !== 'partial') return { scope: 'private', users: [], groups: [] };
  if (scope === 'all') return { scope, users: [], groups: [] };
  return { scope, users: list(item['AllowedCognitoUsers']), groups: list(item['AllowedCognitoGroups']) };
}

function quickStarters(raw: unknown, notes: Note[]): { title: string; example: string }[] {
  const starters = (Array.isArray(raw) ? raw.filter(isMap) : []).map((each) => ({
    title: text(each['title']),
    example: text(each['example']),
  }));
  // The source also stores empty starters.
  const filled = starters.filter(({ title, example }) => title !== '' && example !== '');
  const short = filled.map(({ title, example }) => ({ title: title.slice(0, LONGEST.title), example: example.slice(0, LONGEST.example) }));
  const shortened = filled.filter(({ title, example }) => title.length > LONGEST.title || example.length > LONGEST.example);
  for (const { title } of shortened) notes.push({ reason: 'quick_starter_shortened', detail: title.slice(0, LONGEST.title) });
  for (const { title } of short.slice(MOST_QUICK_STARTERS)) notes.push({ reason: 'quick_starter_not_taken', detail: title });
  return short.slice(0, MOST_QUICK_STARTERS);
}

/** An export has numbers as texts. */
function generationParams(raw: Item): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const name of ['max_tokens', 'top_k', 'top_p', 'temperature']) {
    const number = Number(raw[name]);
    if (typeof raw[name] === 'string' && Number.isFinite(number)) params[name] = number;
  }
  const stops = list(raw['stop_sequences']).filter((each) => each !== '');
  const budget = Number(map(raw['reasoning_params'])['budget_tokens']);
  return {
    ...params,
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(Number.isInteger(budget) && { reasoning_budget_tokens: budget }),
  };
}
