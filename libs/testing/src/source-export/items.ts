import type { Seeded } from './seeded.ts';

/** A number that keeps its digits. DynamoDB's typed values need it. */
export class Decimal {
  constructor(readonly text: string) {}
}

export function typed(value: unknown): object {
  if (value === null) return { NULL: true };
  if (value instanceof Decimal) return { N: value.text };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (Array.isArray(value)) return { L: value.map(typed) };
  return { M: fields(value as object) };
}

export const fields = (item: object): object => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, typed(value)]));

/** The smallest valid image. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SECOND = 1_000;

export interface MadeConversation {
  readonly item: Record<string, unknown>;
  /** The message map of a long conversation, for a separate file. */
  readonly messageMap: string;
  readonly messages: number;
  readonly nanoDollars: number;
}

export interface Traits {
  readonly hasImages: boolean;
  /** The number of words of a reply. */
  readonly words: number;
}

/** A conversation with branches, reasoning, tools, ratings and sources, as the source stores it. */
export function conversationItem(
  random: Seeded,
  userId: string,
  botId: string | null,
  startedAt: number,
  traits: Traits,
): MadeConversation {
  const id = random.ulid(startedAt);
  const model = random.is(0.7) ? 'claude-v3.5-sonnet' : 'claude-v3-haiku';
  const map: Record<string, Record<string, unknown>> = {
    system: { role: 'system', content: [], model, children: [], parent: null, create_time: startedAt / SECOND, feedback: null },
  };
  let last = 'system';
  let at = startedAt;
  const add = (role: string, parent: string, more: object) => {
    at += 1_000 + random.below(20_000);
    const key = random.ulid(at);
    map[key] = {
      role,
      model,
      children: [],
      parent,
      create_time: at / SECOND,
      feedback: null,
      used_chunks: null,
      thinking_log: null,
      ...more,
    };
    (map[parent]!['children'] as string[]).push(key);
    return key;
  };
  const text = (body: string) => ({ content_type: 'text', body });
  for (let turns = 1 + random.below(3); turns > 0; turns--) {
    const image = traits.hasImages && random.is(0.1) ? [{ content_type: 'image', media_type: 'image/png', body: PIXEL }] : [];
    const question = add('user', last, { content: [text(random.text(8 + random.below(30))), ...image] });
    for (let branches = random.is(0.1) ? 2 : 1; branches > 0; branches--) {
      const reasoning = random.is(0.1) ? [{ content_type: 'reasoning', text: random.text(20), signature: 'x', redacted_content: '' }] : [];
      const tool = { tool_use_id: 't1', name: 'internet_search', input: { query: random.text(3) } };
      const log = random.is(0.05)
        ? [
            { role: 'assistant', content: [{ content_type: 'toolUse', body: tool }] },
            {
              role: 'user',
              content: [
                { content_type: 'toolResult', body: { tool_use_id: 't1', content: [{ text: random.text(5) }], status: 'success' } },
              ],
            },
          ]
        : null;
      const chunks = random.is(0.1)
        ? [{ content: random.text(30), content_type: 'url', source: 'https://example.com/sky', rank: 0 }]
        : null;
      const feedback = random.is(0.1) ? { thumbs_up: random.is(0.7), category: 'wrong', comment: random.is(0.5) ? 'No.' : '' } : null;
      const content = [...reasoning, text(random.text(traits.words))];
      last = add('assistant', question, { content, feedback, used_chunks: chunks, thinking_log: log });
    }
  }
  const price = `0.${String(random.below(1_000_000_000)).padStart(9, '0')}`;
  const messageMap = JSON.stringify(map);
  const item = {
    PK: userId,
    SK: `${userId}#CONV#${id}`,
    Title: random.text(4),
    CreateTime: new Decimal(String(startedAt / SECOND)),
    LastUpdateTime: new Decimal(String(at / SECOND)),
    TotalPrice: new Decimal(price),
    LastMessageId: last,
    ShouldContinue: false,
    IsLargeMessage: false,
    MessageMap: messageMap,
    ...(botId !== null && { BotId: botId }),
    // A field of a later version of the source product.
    SomethingNew: { kept: [1, 'x', null] },
  };
  return { item, messageMap, messages: Object.keys(map).length - 1, nanoDollars: Number(price.slice(2)) };
}

export interface BotTraits {
  readonly version: 2 | 3;
  readonly filenames: readonly string[];
  readonly isShared: boolean;
  readonly isPublished: boolean;
  readonly allowedUsers: readonly string[];
  readonly pin: number | null;
  /** Strengths and thresholds of guardrails; null for a bot without guardrails. */
  readonly guardrails: { readonly hate: number; readonly grounding: string } | null;
}

export function botItem(
  random: Seeded,
  userId: string,
  createdAt: number,
  traits: BotTraits,
): { id: string; item: Record<string, unknown> } {
  const { version, isShared, allowedUsers, pin } = traits;
  const id = random.ulid(createdAt);
  const both = {
    PK: userId,
    Title: random.text(3),
    Description: random.text(8),
    Instruction: random.text(40),
    CreateTime: new Decimal(String(createdAt / SECOND)),
    SyncStatus: 'SUCCEEDED',
    SyncStatusReason: '',
    LastExecId: '',
    GenerationParams: {
      max_tokens: 2000,
      top_k: 250,
      top_p: new Decimal('0.999'),
      temperature: new Decimal('0.6'),
      stop_sequences: ['Human: '],
    },
    AgentData: { tools: [] },
    Knowledge: { source_urls: [], sitemap_urls: [], filenames: [...traits.filenames], s3_urls: [] },
    DisplayRetrievedChunks: true,
    ConversationQuickStarters: [{ title: 'Sky', example: 'Why is the sky blue?' }],
    ...(traits.guardrails && { GuardrailsParams: guardrailsItem(traits.guardrails) }),
    ...(traits.isPublished && { ApiPublishmentStackName: `ApiPublishmentStack${id}`, ApiPublishedDatetime: createdAt }),
  };
  if (version === 2)
    return {
      id,
      item: { ...both, SK: `${userId}#BOT#${id}`, LastBotUsed: createdAt / SECOND, IsPinned: true, ...(isShared && { PublicBotId: id }) },
    };
  const isPartial = allowedUsers.length > 0;
  return {
    id,
    item: {
      ...both,
      SK: `BOT#${id}`,
      ItemType: `${userId}#BOT`,
      BotId: id,
      SharedStatus: pin === null ? (isShared ? 'shared' : 'unshared') : `pinned@${String(pin).padStart(3, '0')}`,
      ...(isShared && { SharedScope: isPartial ? 'partial' : 'all' }),
      AllowedCognitoUsers: [...allowedUsers],
      AllowedCognitoGroups: isPartial ? ['Sales'] : [],
      IsStarred: 'TRUE',
      LastUsedTime: createdAt / SECOND,
    },
  };
}

const guardrailsItem = ({ hate, grounding }: NonNullable<BotTraits['guardrails']>) => ({
  is_guardrail_enabled: true,
  hate_threshold: hate,
  insults_threshold: 0,
  sexual_threshold: 0,
  violence_threshold: 0,
  misconduct_threshold: 0,
  grounding_threshold: new Decimal(grounding),
  relevance_threshold: new Decimal('0.3'),
  guardrail_arn: 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc',
  guardrail_version: '1',
});
