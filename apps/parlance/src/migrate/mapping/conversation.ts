import { isMap, type Item } from '../source/dynamo-item.ts';
import type { FoundDocument } from '../source/related-documents.ts';
import { ConversationDocuments } from './conversation-documents.ts';
import { botIdOf, derivedFrom, keptOr } from './ids.ts';
import { contentOf, type OutMessage } from './message.ts';
import { LeftOut, type Note } from './note.ts';
import { millisOf } from './times.ts';
import { unknownFields } from './unknown-fields.ts';
import { nanoDollarsOf } from './nano-dollars.ts';

/** A complete conversation, in the format of the import route of inference. */
export interface OutConversation {
  readonly id: string;
  readonly user_id: string;
  readonly bot_id: string | null;
  readonly title: string;
  readonly started_at: number;
  readonly last_message_id: string;
  readonly last_message_at: number;
  readonly model: string;
  readonly cost_nano_dollars: number;
  readonly messages: readonly OutMessage[];
  /** Set for a conversation of programs through a published API. Only its cost is imported. */
  readonly use_only?: true;
}

const LONGEST_TITLE = 100;
const LONGEST_MODEL = 128;
const UNKNOWN_MODEL = 'unknown';
/** The source stores the instruction of the bot among the messages. */
const ROOTS = new Set(['system', 'instruction']);

export interface Belongings {
  readonly userId: string;
  /** The messages of a long conversation, which the source keeps in a file. */
  readonly messageMap?: string;
  readonly documents?: readonly FoundDocument[];
}

/** Throws `LeftOut`. */
export function conversationOf(
  sourceId: string,
  item: Item,
  { userId, messageMap, documents = [] }: Belongings,
  notes: Note[],
): OutConversation {
  const startedAt = millisOf(item['CreateTime']);
  if (startedAt === null) throw new LeftOut('create_time_invalid');
  const cost = item['TotalPrice'] === undefined ? 0 : nanoDollarsOf(String(item['TotalPrice']));
  if (cost === null) throw new LeftOut('total_price_invalid', String(item['TotalPrice']));
  const id = keptOr(sourceId, () => derivedFrom(`conversation ${userId} ${sourceId}`, startedAt));
  const related = new ConversationDocuments(documents);
  const messages = messagesOf(id, { map: mapOf(messageMap ?? item['MessageMap']), startedAt, related }, notes);
  const newest = messages.at(-1);
  if (!newest) throw new LeftOut('no_messages');
  const last = messages.find((message) => message.id === messageIdOf(id, String(item['LastMessageId'] ?? ''), startedAt)) ?? newest;
  for (const document of related.unused) notes.push({ reason: 'related_document_not_taken', detail: 'No reply has used it.', document });
  for (const document of related.withoutText)
    notes.push({ reason: 'related_document_content_not_taken', detail: `${document.name}: its content is not text.`, document });
  notes.push(...unknownFields('conversation', item));
  if (item['ShouldContinue'] === true)
    notes.push({ reason: 'should_continue_not_taken', detail: 'The newest reply was cut off, and cannot be continued.' });
  const title = [...String(item['Title'] ?? '').trim()];
  if (title.length > LONGEST_TITLE) notes.push({ reason: 'title_shortened', detail: `${title.length} characters` });
  const bot = item['BotId'];
  return {
    id,
    user_id: userId,
    bot_id: typeof bot === 'string' && bot !== '' ? botIdOf(bot) : null,
    title: title.slice(0, LONGEST_TITLE).join('') || 'New conversation',
    started_at: startedAt,
    last_message_id: last.id,
    last_message_at: newest.at,
    model: newest.model,
    cost_nano_dollars: cost,
    messages,
  };
}

function mapOf(raw: unknown): Readonly<Record<string, unknown>> {
  let map = raw;
  if (typeof raw === 'string')
    try {
      map = JSON.parse(raw);
    } catch {
      throw new LeftOut('message_map_invalid', 'It is no JSON.');
    }
  if (!isMap(map)) throw new LeftOut('message_map_invalid', 'It is not an object.');
  return map;
}

interface Stored {
  readonly map: Readonly<Record<string, unknown>>;
  readonly startedAt: number;
  readonly related: ConversationDocuments;
}

/** Oldest first. A message without its parent becomes the first message of a branch. */
function messagesOf(conversationId: string, { map, startedAt, related }: Stored, notes: Note[]): OutMessage[] {
  const isTurn = (value: unknown) => isMap(value) && (value['role'] === 'user' || value['role'] === 'assistant');
  const messages: OutMessage[] = [];
  const note = (key: string, reason: string) => void notes.push({ reason, detail: `message ${key}` });
  for (const [key, value] of Object.entries(map)) {
    if (ROOTS.has(key) || (isMap(value) && ROOTS.has(String(value['role'])))) continue;
    if (!isMap(value) || !isTurn(value)) {
      note(key, 'message_invalid');
      continue;
    }
    const raw = value['parent'];
    const parentKey = typeof raw === 'string' && !ROOTS.has(raw) && !isRoot(map[raw]) ? raw : null;
    const hasParent = parentKey !== null && isTurn(map[parentKey]);
    if (parentKey !== null && !hasParent) note(key, 'parent_missing');
    messages.push({
      id: messageIdOf(conversationId, key, startedAt),
      role: value['role'] as OutMessage['role'],
      parent: hasParent ? messageIdOf(conversationId, parentKey, startedAt) : null,
      at: millisOf(value['create_time']) ?? startedAt,
      model: modelOf(value['model']),
      ...contentOf(key, value, related, notes),
    });
  }
  return messages.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

const isRoot = (value: unknown) => isMap(value) && ROOTS.has(String(value['role']));
const modelOf = (model: unknown) => (typeof model === 'string' && model !== '' ? model.slice(0, LONGEST_MODEL) : UNKNOWN_MODEL);

/** Message IDs that are not ULIDs are unique only within their conversation. */
const messageIdOf = (conversationId: string, key: string, startedAt: number): string =>
  keptOr(key, () => derivedFrom(`message ${conversationId} ${key}`, startedAt));
