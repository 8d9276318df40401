import type { Item } from './dynamo-item.ts';

export type Kind = 'conversation' | 'bot' | 'alias' | 'related_document' | 'other';
export type Version = 2 | 3;

export interface SourceRecord {
  readonly kind: Kind;
  /** The user's ID in the source. */
  readonly userId: string;
  /** The ID of the conversation or bot in the source. */
  readonly id: string;
  /** Null if both versions have the same records of this kind. */
  readonly version: Version | null;
  readonly item: Item;
  /** Set for a related document, whose `id` is the ID of its conversation. */
  readonly documentId?: string;
}

const last = (key: string) => key.slice(key.lastIndexOf('#') + 1);

/**
 * Recognizes an item by its keys. Both versions store conversations as `<user>#CONV#<id>`. Version 2 stores bots in the same table, as
 * `<user>#BOT#<id>`; version 3 has a table of bots, as `BOT#<id>`. Null for an item without keys.
 */
export function recordOf(item: Item): SourceRecord | null {
  const { PK: userId, SK: key } = item;
  if (typeof userId !== 'string' || typeof key !== 'string' || userId === '') return null;
  const is = (kind: Kind, version: Version | null, id = last(key)): SourceRecord => ({ kind, userId, id, version, item });
  if (key.startsWith(`${userId}#CONV#`)) return is('conversation', null);
  const document = `${userId}#RELATED_DOCUMENT#`;
  if (key.startsWith(document)) {
    // The ID of the document is the ID of a tool call, which may contain any character.
    const [id = '', ...rest] = key.slice(document.length).split('#');
    return { ...is('related_document', null, id), documentId: rest.join('#') };
  }
  if (key.startsWith(`${userId}#BOT_ALIAS#`)) return is('alias', 2);
  if (key.startsWith(`${userId}#BOT#`)) return is(isText(item['OriginalBotId']) ? 'alias' : 'bot', 2);
  if (key.startsWith('BOT#')) return is('bot', 3);
  if (key.startsWith('ALIAS#')) return is('alias', 3);
  return is('other', null);
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
/** Version 3 leaves an empty attribute in place when an API is deleted. */
export const isPublished = ({ item }: SourceRecord): boolean => isText(item['ApiPublishmentStackName']);
