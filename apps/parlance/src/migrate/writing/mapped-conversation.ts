import type { Place } from '../ledger.ts';
import { conversationOf, type OutConversation } from '../mapping/conversation.ts';
import { botIdOf } from '../mapping/ids.ts';
import { nanoDollarsOf } from '../mapping/nano-dollars.ts';
import { LeftOut, type Note } from '../mapping/note.ts';
import type { Item } from '../source/dynamo-item.ts';
import type { ExportDirectory } from '../source/export-directory.ts';
import { lineKey, type Read, type Scan } from '../source/scan.ts';
import type { Accounts } from './users.ts';

/** A line of the export with its conversation. */
export interface Mapped extends Place {
  readonly id: string;
  /** Null for a record that is left out. */
  readonly conversation: OutConversation | null;
  /** Why the record is left out; null if it is imported. */
  readonly left: Note | null;
  /** Parts that are not imported. */
  readonly notes: readonly Note[];
  /** The number of messages; 0 for a record that is left out. */
  readonly messages: number;
  /** The price of the record, even if the record is left out; 0 if the price cannot be read. */
  readonly nanoDollars: number;
}

interface Mapping {
  readonly source: ExportDirectory;
  readonly accounts: Accounts;
  readonly scanned: Pick<Scan, 'repeated' | 'documents' | 'ownerOf'>;
}

export async function mapped({ file, line, record, reason }: Read, { source, accounts, scanned }: Mapping): Promise<Mapped> {
  const price = record?.item['TotalPrice'];
  const nanoDollars = record?.kind === 'conversation' && typeof price === 'string' ? (nanoDollarsOf(price) ?? 0) : 0;
  const at = { file, line, id: record?.id ?? '', nanoDollars };
  const left = (why: string, detail = '', notes: readonly Note[] = []): Mapped => {
    return { ...at, conversation: null, messages: 0, left: { reason: why, detail }, notes };
  };
  if (record === null) return left(reason);
  if (record.kind !== 'conversation') return left('unknown_record');
  if (scanned.repeated.has(lineKey(file, line))) return left('duplicate');
  const documents = scanned.documents.of(record.userId, record.id);
  const withoutIt = documents.map((document) => {
    return { reason: 'related_document_not_taken', detail: 'Its conversation is left out.', document };
  });
  const botId = publishedBotOf(record.userId);
  const sourceUser = botId === null ? record.userId : scanned.ownerOf(botId);
  const userId = accounts.get(sourceUser ?? '');
  if (userId === undefined)
    return botId === null
      ? left('user_unknown', record.userId, withoutIt)
      : left('published_api_without_bot', `${NO_USER} ${botId}, whose owner is unknown. Its cost is not charged.`, withoutIt);
  const notes: Note[] = [];
  try {
    const messageMap = await messageMapOf(record.item, source);
    const belongings = { userId, documents, ...(messageMap !== null && { messageMap }) };
    const conversation = conversationOf(record.id, record.item, belongings, notes);
    const both = { ...at, messages: conversation.messages.length, left: null };
    if (botId === null) return { ...both, conversation, notes };
    const use: OutConversation = { ...conversation, bot_id: botIdOf(botId), title: 'Published API', messages: [], use_only: true };
    const detail = `${NO_USER} ${botId}. Its cost is charged to the bot and its owner. Its messages are not taken.`;
    return { ...both, conversation: use, notes: [{ reason: 'published_api_conversation', detail }, ...withoutIt] };
  } catch (error) {
    if (error instanceof LeftOut) return left(error.reason, error.detail, withoutIt);
    throw error;
  }
}

const NO_USER = 'It has no user, because programs had it through the published API of the bot';

/** The source has a user with this prefix for each published API. */
const PUBLISHED_API = 'PUBLISHED_API#';
const publishedBotOf = (userId: string): string | null => (userId.startsWith(PUBLISHED_API) ? userId.slice(PUBLISHED_API.length) : null);

/** The source stores the messages of a long conversation in a bucket. Throws `LeftOut`. */
async function messageMapOf(item: Item, source: ExportDirectory): Promise<string | null> {
  if (item['IsLargeMessage'] !== true) return null;
  const path = String(item['LargeMessagePath'] ?? '');
  const bytes = await source.file(path);
  if (bytes === null) throw new LeftOut('message_file_missing', `files/${path}`);
  return bytes.toString('utf8');
}
