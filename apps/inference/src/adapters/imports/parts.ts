// Node runs this source without compiling it in tests; see limits.ts.
import { createHash } from 'node:crypto';
import { chatGptDraft } from './chatgpt.ts';
import { claudeDraft } from './claude.ts';
import type { ConversationReason, DraftFeedback, MessageReason, Source } from './drafts.ts';
import type { Found } from './conversations-in.ts';
import { BATCH_CONVERSATIONS, LONGEST_ID, MOST_MESSAGES, PART_BYTES, PART_MESSAGES } from './limits.ts';
import { parlanceDraft } from './parlance.ts';
import { type Tree, type TreeMessage, treeOf, wellFormed } from './tree.ts';

export interface PartMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parent: string | null;
  readonly at: number;
  readonly model: string;
  readonly text: string;
  readonly feedback?: DraftFeedback;
}

/** A part of an imported conversation. */
export interface ReadPart {
  /** The index of the conversation in the file. */
  readonly index: number;
  readonly sourceId: string;
  readonly conversationId: string;
  readonly titleText: string;
  readonly startedAt: number;
  readonly lastMessageId: string;
  readonly lastMessageAt: number;
  readonly model: string;
  /** The number of messages in the whole conversation. */
  readonly messagesInAll: number;
  readonly own: { readonly fingerprint: string; readonly parts: number };
  readonly part: number;
  readonly messages: readonly PartMessage[];
  /** What was left out of the whole conversation. Only set in its first part. */
  readonly left: ReadonlyMap<MessageReason, number>;
}

export interface ReadNothing {
  readonly index: number;
  readonly sourceId: string;
  readonly reason: ConversationReason;
}

export type Read = ReadPart | ReadNothing;

const DRAFTS = { parlance: parlanceDraft, chatgpt: chatGptDraft, claude: claudeDraft } as const;

/** Splits a file into parts of one append each, and into batches of about one part. The parts of a conversation are in consecutive batches. */
export function* batchesOf({ source, conversations }: Found, userId: string, now: number): Generator<readonly Read[]> {
  let batch: Read[] = [];
  let bytes = 0;
  const seen = new Set<string>();
  for (const [index, value] of conversations.entries()) {
    for (const read of readsOf(index, value, source, { userId, now, seen })) {
      const size = 'messages' in read ? read.messages.reduce((sum, message) => sum + sizeOf(message), 0) : 0;
      const isNextPart = 'part' in read && read.part > 0;
      if (batch.length > 0 && (isNextPart || bytes + size > PART_BYTES || batch.length === BATCH_CONVERSATIONS)) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
      batch.push(read);
      bytes += size;
    }
  }
  if (batch.length > 0) yield batch;
}

interface Importing {
  readonly userId: string;
  readonly now: number;
  readonly seen: Set<string>;
}

function readsOf(index: number, value: unknown, source: Source, { userId, now, seen }: Importing): readonly Read[] {
  const draft = DRAFTS[source](value);
  const { sourceId = '' } = draft ?? {};
  const nothing = (reason: ConversationReason): readonly Read[] => [{ index, sourceId: wellFormed(sourceId.slice(0, LONGEST_ID)), reason }];
  if (draft === null || sourceId === '' || sourceId.length > LONGEST_ID || sourceId !== wellFormed(sourceId))
    return nothing('invalid_conversation');
  if (seen.has(sourceId)) return nothing('duplicate_conversation');
  seen.add(sourceId);
  if (draft.messages.length > MOST_MESSAGES) return nothing('too_many_messages');
  const tree = treeOf(draft, now);
  const [first] = tree.messages;
  if (!first) return nothing('no_messages');
  const conversationId = derivedId(`own ${userId} ${source} ${sourceId}`, 0);
  const { messages, lastMessageId } = withIds(tree, conversationId, source);
  const parts = partsOf(messages);
  const newest = messages.reduce((a, b) => (b.at > a.at ? b : a));
  const facts = {
    index,
    sourceId,
    conversationId,
    titleText: draft.title.trim() === '' ? first.text.slice(0, TITLE_TEXT) : wellFormed(draft.title.slice(0, TITLE_TEXT)),
    startedAt: Math.min(draft.startedAt ?? first.at, now),
    lastMessageId,
    lastMessageAt: newest.at,
    model: newest.model,
    messagesInAll: messages.length,
    own: { fingerprint: fingerprintOf(messages), parts: parts.length },
  };
  return parts.map((its, part) => ({ ...facts, part, messages: its, left: part === 0 ? draft.left.counts : new Map<never, never>() }));
}

/** Characters from which a title is derived. */
const TITLE_TEXT = 1_000;

/** Each ID has the time of its message, or a later time if its parent's ID would not sort before it, because lists of messages are sorted by ID. */
function withIds({ messages, current }: Tree, conversationId: string, source: Source) {
  const ids = new Map<string, { readonly id: string; readonly millis: number }>();
  const taken = new Set<string>();
  const named = messages.map(({ id, role, parent, text, at, sourceTime, model, feedback }: TreeMessage): PartMessage => {
    const above = parent === null ? null : ids.get(parent)!;
    const from = above === null ? sourceTime : Math.max(sourceTime, above.millis + 1);
    const its = freeId(`message ${conversationId} ${id}`, from, taken);
    taken.add(its.id);
    ids.set(id, its);
    return { id: its.id, role, parent: above?.id ?? null, at, model: model ?? source, text, ...(feedback && { feedback }) };
  });
  return { messages: named, lastMessageId: ids.get(current!)!.id };
}

function partsOf(messages: readonly PartMessage[]): readonly (readonly PartMessage[])[] {
  const parts: PartMessage[][] = [[]];
  let bytes = 0;
  for (const message of messages) {
    const size = sizeOf(message);
    const present = parts.at(-1)!;
    if (present.length > 0 && (bytes + size > PART_BYTES || present.length === PART_MESSAGES)) {
      parts.push([message]);
      bytes = size;
    } else {
      present.push(message);
      bytes += size;
    }
  }
  return parts;
}

const sizeOf = ({ text, feedback }: PartMessage): number => 200 + Buffer.byteLength(text) + (feedback?.comment?.length ?? 0);

/** Includes no text, because its event outlives the key of the conversation. */
function fingerprintOf(messages: readonly PartMessage[]): string {
  const hash = createHash('sha256');
  for (const { id, text } of messages) hash.update(`${id} ${Buffer.byteLength(text)}\n`);
  return hash.digest('base64url').slice(0, 22);
}

/**
 * The first free ID for this text whose time is `from` or later. A file may be crafted so that the parts of two hashes that are used here
 * collide. With equal IDs, the conversation would count more messages than it has IDs, and could never be deleted.
 */
export function freeId(text: string, from: number, taken: ReadonlySet<string>): { readonly id: string; readonly millis: number } {
  for (let millis = from; ; millis++) {
    const id = derivedId(text, millis);
    if (!taken.has(id)) return { id, millis };
  }
}

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** A ULID that is always the same for the same text and time. */
export function derivedId(text: string, millis: number): string {
  const bytes = createHash('sha256').update(text).digest();
  let time = '';
  for (let left = millis; time.length < TIME_LENGTH; left = Math.floor(left / 32)) time = BASE_32[left % 32]! + time;
  return time + Array.from({ length: RANDOM_LENGTH }, (_, index) => BASE_32[bytes[index]! % 32]).join('');
}
