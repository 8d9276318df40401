import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RelatedDocuments } from '../../adapters/related-documents.ts';
import { type Item, itemOf, NotAnItem } from './dynamo-item.ts';
import type { ExportDirectory } from './export-directory.ts';
import { linesOf } from './lines.ts';
import { isPublished, recordOf, type SourceRecord } from './records.ts';

/** These expressions do not match in the texts of messages, because quotes are escaped there. */
const BOT = /"BotId"\s*:\s*\{\s*"S"\s*:\s*"([^"]+)/;
const CONVERSATION = /"SK"\s*:\s*\{\s*"S"\s*:\s*"([^"]*#CONV#[^"]*)/;

export const isConversationLine = (text: string): boolean => CONVERSATION.test(text);

export interface Read {
  readonly file: string;
  readonly line: number;
  /** Null for an unreadable line; `reason` says why. */
  readonly record: SourceRecord | null;
  readonly reason: string;
}

/** The records of the lines for which `wants` returns true, in the order of the files. It gets the unparsed text: other lines are not parsed. */
export async function* recordsOf(
  source: ExportDirectory,
  wants: (text: string, file: string, line: number) => boolean,
  after: { readonly file: string; readonly line: number } | null = null,
): AsyncGenerator<Read> {
  for (const file of await source.itemFiles()) {
    if (after !== null && file < after.file) continue;
    for await (const { number: line, text } of linesOf(join(source.path, file), file === after?.file ? after.line : 0)) {
      if (text !== null && !wants(text, file, line)) continue;
      yield { file, line, ...read(text) };
    }
  }
}

function read(text: string | null): Pick<Read, 'record' | 'reason'> {
  if (text === null) return { record: null, reason: 'line_too_long' };
  let item: Item;
  try {
    item = itemOf(text);
  } catch (error) {
    if (!(error instanceof NotAnItem)) throw error;
    return { record: null, reason: error.message };
  }
  const record = recordOf(item);
  return { record, reason: record === null ? 'no_keys' : '' };
}

export interface Scan {
  /** Bots that are published in version 2. */
  readonly published: readonly string[];
  readonly groups: ReadonlySet<string>;
  /** Lines that repeat the conversation of an earlier line, for example if the export has the tables of both versions. */
  readonly repeated: ReadonlySet<string>;
  readonly documents: RelatedDocuments;
  /** The owner of a bot. Both are IDs of the source. */
  ownerOf(botId: string): string | undefined;
  /** Whether the export has a conversation of the user with the bot. Both are IDs of the source. */
  hasUse(userId: string, botId: string): boolean;
  /** Whether the export has this conversation of a user. */
  hasConversation(userId: string, id: string): boolean;
}

/** The key of a line in `repeated`. */
export const lineKey = (file: string, line: number): string => `${file}:${line}`;

/** 53 bits of a hash, so that a million keys need about 40 MB. */
function shortHash(key: string): number {
  const bytes = createHash('sha256').update(key).digest();
  return bytes.readUIntBE(0, 6) * 32 + (bytes[6]! >> 3);
}

/** Reads the whole export once, before anything is written. */
export async function scan(source: ExportDirectory): Promise<Scan> {
  const published: string[] = [];
  const groups = new Set<string>();
  const repeated = new Set<string>();
  const documents = new RelatedDocuments();
  const owners = new Map<string, string>();
  const uses = new Set<number>();
  const seen = new Set<number>();
  const isOther = (text: string, file: string, line: number) => {
    const key = CONVERSATION.exec(text)?.[1];
    if (key === undefined) return true;
    const hash = shortHash(key);
    if (seen.has(hash)) repeated.add(lineKey(file, line));
    seen.add(hash);
    const bot = BOT.exec(text)?.[1];
    if (bot !== undefined) uses.add(shortHash(`${key.slice(0, key.lastIndexOf('#CONV#'))} ${bot}`));
    return false;
  };
  for await (const { record, file, line } of recordsOf(source, isOther)) {
    if (record?.kind === 'related_document') documents.add(record, { file, line });
    if (record?.kind !== 'bot') continue;
    owners.set(record.id, record.userId);
    if (record.version === 2 && isPublished(record)) published.push(record.id);
    const allowed = record.item['AllowedCognitoGroups'];
    if (Array.isArray(allowed)) for (const group of allowed) groups.add(String(group));
  }
  const hasConversation = (userId: string, id: string) => seen.has(shortHash(`${userId}#CONV#${id}`));
  const hasUse = (userId: string, botId: string) => uses.has(shortHash(`${userId} ${botId}`));
  return { published, groups, repeated, documents, hasConversation, hasUse, ownerOf: (botId) => owners.get(botId) };
}
