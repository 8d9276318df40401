import type { ServiceCalls } from '@parlance/calls';
import type { Entry, Ledger, Place } from '../ledger.ts';
import { conversationOf, LeftOut, type Note, type OutConversation } from '../mapping/conversation.ts';
import type { OutMessage } from '../mapping/message.ts';
import { nanoDollarsOf } from '../mapping/nano-dollars.ts';
import type { Item } from '../source/dynamo-item.ts';
import type { ExportDirectory } from '../source/export-directory.ts';
import { isConversationLine, lineKey, type Read, recordsOf } from '../source/scan.ts';
import { withPatience } from './product.ts';
import type { Accounts } from './users.ts';

/** Text of one request and of one append, about. A longer message is a part of its own. */
const BYTES_AT_ONCE = 256 * 1024;
const CONVERSATIONS_AT_ONCE = 100;
const MESSAGES_OF_PART = 500;
/** Requests on their way. */
const REQUESTS_AT_ONCE = 4;

interface LeftFile {
  readonly message_id: string;
  readonly name: string | null;
  readonly reason: string;
}
type Result = { readonly id: string } & (
  | { readonly status: 'imported' | 'unchanged'; readonly left_files?: readonly LeftFile[] }
  | { readonly status: 'refused'; readonly code: string; readonly detail: string }
);

/** A record with its outcome. */
interface Mapped extends Place {
  readonly id: string;
  /** Null for a record that is left out. */
  readonly conversation: OutConversation | null;
  readonly reason: string;
  readonly notes: readonly Note[];
  /** Of the record, also of one that is left out; 0 if it cannot be read. */
  readonly nanoDollars: number;
}

interface Outcome {
  readonly result: Result | null;
}

export interface ConversationWriting {
  readonly source: ExportDirectory;
  readonly accounts: Accounts;
  /** Lines that repeat a conversation, by `lineKey`. */
  readonly repeated: ReadonlySet<string>;
  /** Null for a dry run. */
  readonly calls: ServiceCalls | null;
  readonly name: string;
  readonly ledger: Ledger;
  /** Called after each batch with the last place. */
  readonly onProgress: (place: Place) => void;
}

/** Takes all conversations in the order of the files. The ledger is told of them in that order, although several requests are on their way. */
export async function takeConversations(writing: ConversationWriting): Promise<void> {
  const { source, ledger } = writing;
  const underway: { readonly batch: readonly Mapped[]; readonly sent: Promise<readonly Outcome[]> }[] = [];
  const settleOldest = async () => {
    const { batch, sent } = underway.shift()!;
    const outcomes = await sent;
    for (const [nth, mapped] of batch.entries()) record(ledger, mapped, outcomes[nth]!.result);
    const last = batch.at(-1)!;
    if (writing.calls) ledger.reached({ file: last.file, line: last.line });
    writing.onProgress(last);
  };
  let batch: Mapped[] = [];
  let bytes = 0;
  const send = async () => {
    if (batch.length === 0) return;
    const sent = sendBatch(writing, batch);
    // It is awaited in its turn. Until then, a failure must not count as unhandled.
    sent.catch(() => undefined);
    underway.push({ batch, sent });
    [batch, bytes] = [[], 0];
    if (underway.length >= REQUESTS_AT_ONCE) await settleOldest();
  };
  // A line that names no key is left out here.
  const isUnread = (text: string) => !text.includes('"SK"');
  for await (const read of recordsOf(source, (text) => isConversationLine(text) || isUnread(text), ledger.resumesAfter)) {
    const mapped = await map(read, writing);
    batch.push(mapped);
    bytes += sizeOf(mapped);
    if (batch.length >= CONVERSATIONS_AT_ONCE || bytes >= BYTES_AT_ONCE) await send();
  }
  await send();
  while (underway.length > 0) await settleOldest();
}

async function map({ file, line, record: found, reason }: Read, { source, accounts, repeated }: ConversationWriting): Promise<Mapped> {
  const at = { file, line, id: found?.id ?? '' };
  const price = found?.item['TotalPrice'];
  const nanoDollars = found?.kind === 'conversation' && typeof price === 'string' ? (nanoDollarsOf(price) ?? 0) : 0;
  const left = (why: string, detail = ''): Mapped => {
    return { ...at, conversation: null, reason: why, notes: [{ reason: why, detail }], nanoDollars };
  };
  if (found === null) return left(reason);
  if (found.kind !== 'conversation') return left('unknown_record');
  if (repeated.has(lineKey(file, line))) return left('duplicate');
  const userId = accounts.get(found.userId);
  if (userId === undefined) return left('user_unknown', found.userId);
  const notes: Note[] = [];
  try {
    const messageMap = await messageMapOf(found.item, source);
    const conversation = conversationOf(found.id, found.item, { userId, ...(messageMap !== null && { messageMap }) }, notes);
    return { ...at, conversation, reason: '', notes, nanoDollars };
  } catch (error) {
    if (error instanceof LeftOut) return left(error.reason, error.detail);
    throw error;
  }
}

/** The source keeps the messages of a long conversation in a bucket. Throws `LeftOut`. */
async function messageMapOf(item: Item, source: ExportDirectory) {
  if (item['IsLargeMessage'] !== true) return null;
  const path = String(item['LargeMessagePath'] ?? '');
  const bytes = await source.file(path);
  if (bytes === null) throw new LeftOut('message_file_missing', `files/${path}`);
  return bytes.toString('utf8');
}

const bytesOf = ({ text, reasoning = '', files = [], chunks = [] }: OutMessage): number =>
  200 +
  (text?.length ?? 0) +
  reasoning.length +
  files.reduce((sum, { body }) => sum + body.length, 0) +
  chunks.reduce((sum, { content }) => sum + content.length, 0);

const sizeOf = ({ conversation }: Mapped): number => conversation?.messages.reduce((sum, message) => sum + bytesOf(message), 0) ?? 0;

/** Conversations that fit go together; a longer one goes in parts, one after the other. */
async function sendBatch({ calls, name }: ConversationWriting, batch: readonly Mapped[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = batch.map(() => ({ result: null }));
  if (!calls) return outcomes;
  const post = async (conversations: readonly object[]): Promise<readonly Result[]> => {
    const { results } = await withPatience(() =>
      calls.post<{ results: readonly Result[] }>('inference', '/internal/imports', { name, conversations }),
    );
    return results;
  };
  const whole: { readonly nth: number; readonly part: object }[] = [];
  const long: { readonly nth: number; readonly parts: readonly object[] }[] = [];
  for (const [nth, { conversation }] of batch.entries()) {
    if (!conversation) continue;
    const parts = partsOf(conversation);
    if (parts.length === 1) whole.push({ nth, part: parts[0]! });
    else long.push({ nth, parts });
  }
  if (whole.length > 0) {
    const results = await post(whole.map(({ part }) => part));
    for (const [place, { nth }] of whole.entries()) outcomes[nth] = { result: results[place]! };
  }
  for (const { nth, parts } of long) outcomes[nth] = { result: await sendParts(parts, post) };
  return outcomes;
}

async function sendParts(
  parts: readonly object[],
  post: (conversations: readonly object[]) => Promise<readonly Result[]>,
): Promise<Result> {
  const left: LeftFile[] = [];
  let result: Result | null = null;
  for (const part of parts) {
    [result = null] = await post([part]);
    if (result === null || result.status === 'refused') break;
    left.push(...(result.left_files ?? []));
  }
  return result!.status === 'refused' ? result! : { ...result!, left_files: left };
}

function partsOf({ messages, ...facts }: OutConversation): readonly object[] {
  const parts: OutMessage[][] = [[]];
  let bytes = 0;
  for (const message of messages) {
    const size = bytesOf(message);
    const present = parts.at(-1)!;
    if (present.length > 0 && (bytes + size > BYTES_AT_ONCE || present.length === MESSAGES_OF_PART)) {
      parts.push([message]);
      bytes = size;
    } else {
      present.push(message);
      bytes += size;
    }
  }
  return parts.map((each, part) => ({ ...facts, part, messages: each }));
}

function record(ledger: Ledger, { file, line, id, conversation, reason, notes, nanoDollars }: Mapped, result: Result | null): void {
  const at: Omit<Entry, 'reason'> = { kind: 'conversation', file, line, id };
  const leave = (why: string, detail: string, isPartly: boolean) =>
    ledger.leave({ ...at, reason: why, ...(detail !== '' && { detail }), ...(isPartly && { partly: true }) });
  if (id !== '') ledger.read.conversations++;
  ledger.read.nano_dollars += nanoDollars;
  if (!conversation) return leave(reason, notes[0]?.detail ?? '', false);
  const { messages, cost_nano_dollars: cost } = conversation;
  ledger.read.messages += messages.length;
  for (const note of notes) leave(note.reason, note.detail, true);
  if (result?.status === 'refused') return leave(result.code, result.detail, false);
  ledger.taken.conversations++;
  ledger.taken.messages += messages.length;
  ledger.taken.nano_dollars += cost;
  for (const { message_id, name, reason: why } of result?.left_files ?? [])
    leave('file_not_taken', `message ${message_id}${name === null ? '' : `, ${name}`}: ${why}`, true);
}
