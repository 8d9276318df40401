import { isMap, type Item } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';

const names = (text: string): readonly string[] => text.split(' ');
const KEYS = names('PK SK ItemType BotId');
const OF_BOTS = names(
  'Title Description CreateTime LastUsedTime LastBotUsed IsPinned IsStarred SyncStatus ActiveModels ConversationQuickStarters',
);
const SHARING = names('SharedScope SharedStatus AllowedCognitoGroups AllowedCognitoUsers PublicBotId OwnerUserId');
const SETTINGS = names(
  'Instruction GenerationParams AgentData BedrockKnowledgeBase GuardrailsParams PromptCachingEnabled DisplayRetrievedChunks',
);
const STATE = names('Knowledge UsageStats SyncStatusReason LastExecId ApiPublishmentStackName ApiPublishedDatetime ApiPublishCodeBuildId');

/** Fields that the command reads, and fields that it ignores because only the source needs them. */
const KNOWN = {
  conversation: names('Title CreateTime LastUpdateTime TotalPrice LastMessageId ShouldContinue IsLargeMessage LargeMessagePath MessageMap'),
  bot: [...OF_BOTS, ...SHARING, ...SETTINGS, ...STATE],
  alias: [...OF_BOTS, ...names('OriginalBotId OwnerUserId IsOriginAccessible HasKnowledge HasAgent')],
  knowledge: names('source_urls sitemap_urls s3_urls filenames'),
  generation_params: names('max_tokens top_k top_p temperature stop_sequences reasoning_params'),
  bedrock_knowledge_base: names(
    'type embeddings_model open_search chunking_configuration search_params knowledge_base_id exist_knowledge_base_id data_source_ids parsing_model web_crawling_scope web_crawling_filters',
  ),
  message: names('role content model children parent create_time feedback used_chunks thinking_log'),
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Kind = keyof typeof KNOWN;
/** The kinds that are items. Their fields have no prefix in the report. */
const ITEMS: ReadonlySet<Kind> = new Set(['conversation', 'bot', 'alias']);

const SETS = new Map(Object.entries(KNOWN).map(([kind, known]) => [kind, new Set([...KEYS, ...known])]));
const LONGEST_DETAIL = 500;

/** Notes for fields of later versions of the source and of modified copies. Fields without a value are ignored. */
export function unknownFields(kind: Kind, item: Item, place = ''): readonly Note[] {
  const known = SETS.get(kind)!;
  return Object.entries(item)
    .filter(([name, value]) => !known.has(name) && !isEmpty(value))
    .map(([name, value]) => {
      const detail = `${place}${JSON.stringify(value)}`.slice(0, LONGEST_DETAIL);
      return { reason: `${ITEMS.has(kind) ? '' : `${kind}.`}${name}_unknown`, detail };
    });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === '' || (isMap(value) && Object.keys(value).length === 0);
}
