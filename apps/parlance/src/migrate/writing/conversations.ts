import type { Entry, Ledger, Place } from '../ledger.ts';
import type { OutConversation } from '../mapping/conversation.ts';
import type { Note } from '../mapping/note.ts';
import type { OutMessage } from '../mapping/message.ts';
import type { ExportDirectory } from '../source/export-directory.ts';
import { isConversationLine, recordsOf, type Scan } from '../source/scan.ts';
import { type Mapped, mapped } from './mapped-conversation.ts';
import type { LeftFile, Receiver, Result } from './receiver.ts';
import type { Accounts } from './users.ts';

/** The approximate maximum of text in one request and one append. A longer message is sent as a separate part. */
const BYTES_AT_ONCE = 256 * 1024;
const CONVERSATIONS_AT_ONCE = 100;
const MESSAGES_OF_PART = 500;
/** Concurrent requests. */
const REQUESTS_AT_ONCE = 4;

interface Outcome {
  readonly result: Result | null;
}

export interface ConversationWriting {
  readonly source: ExportDirectory;
  readonly accounts: Accounts;
  readonly scanned: Pick<Scan, 'repeated' | 'documents' | 'ownerOf'>;
  readonly receiver: Receiver;
  readonly ledger: Ledger;
  /** Called after each batch with its last line. */
  readonly onProgress: (last: Place) => void;
}

/** Imports all conversations in the order of the files. The ledger records them in that order, although requests are concurrent. */
export async function takeConversations(writing: ConversationWriting): Promise<void> {
  const { source, ledger } = writing;
  const underway: { readonly batch: readonly Mapped[]; readonly sent: Promise<readonly Outcome[]> }[] = [];
  const settleOldest = async () => {
    const { batch, sent } = underway.shift()!;
    const outcomes = await sent;
    for (const [index, each] of batch.entries()) record(ledger, each, outcomes[index]!.result);
    const last = batch.at(-1)!;
    if (writing.receiver.isKept) ledger.reached({ file: last.file, line: last.line });
    writing.onProgress(last);
  };
  let batch: Mapped[] = [];
  let bytes = 0;
  const send = async () => {
    if (batch.length === 0) return;
    const sent = sendBatch(writing, batch);
    // The promise is awaited later. Until then, a rejection must not count as unhandled.
    sent.catch(() => undefined);
    underway.push({ batch, sent });
    [batch, bytes] = [[], 0];
    if (underway.length >= REQUESTS_AT_ONCE) await settleOldest();
  };
  // A line without a key is left out here.
  const isUnread = (text: string) => !text.includes('"SK"');
  for await (const read of recordsOf(source, (text) => isConversationLine(text) || isUnread(text), ledger.resumesAfter)) {
    const next = await mapped(read, writing);
    batch.push(next);
    bytes += sizeOf(next);
    if (batch.length >= CONVERSATIONS_AT_ONCE || bytes >= BYTES_AT_ONCE) await send();
  }
  await send();
  while (underway.length > 0) await settleOldest();
}

const bytesOf = ({ text, reasoning = '', files = [], chunks = [] }: OutMessage): number =>
  200 +
  (text?.length ?? 0) +
  reasoning.length +
  files.reduce((sum, { body }) => sum + body.length, 0) +
  chunks.reduce((sum, { content }) => sum + content.length, 0);

const sizeOf = ({ conversation }: Mapped): number => conversation?.messages.reduce((sum, message) => sum + bytesOf(message), 0) ?? 0;

/** Sends the conversations that fit in one request. Sends a longer conversation in parts, one after the other. */
async function sendBatch({ receiver }: ConversationWriting, batch: readonly Mapped[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = batch.map(() => ({ result: null }));
  const post: Receiver['take'] = (conversations) => receiver.take(conversations);
  const complete: { readonly index: number; readonly part: object }[] = [];
  const long: { readonly index: number; readonly parts: readonly object[] }[] = [];
  for (const [index, { conversation }] of batch.entries()) {
    if (!conversation) continue;
    const parts = partsOf(conversation);
    if (parts.length === 1) complete.push({ index, part: parts[0]! });
    else long.push({ index, parts });
  }
  if (complete.length > 0) {
    const results = await post(complete.map(({ part }) => part));
    for (const [at, { index }] of complete.entries()) outcomes[index] = { result: results[at]! };
  }
  for (const { index, parts } of long) outcomes[index] = { result: await sendParts(parts, post) };
  return outcomes;
}

async function sendParts(parts: readonly object[], post: Receiver['take']): Promise<Result> {
  const leftFiles: LeftFile[] = [];
  let result: Result | null = null;
  for (const part of parts) {
    [result = null] = await post([part]);
    if (result === null || result.status === 'refused') break;
    leftFiles.push(...(result.left_files ?? []));
  }
  return result!.status === 'refused' ? result! : { ...result!, left_files: leftFiles };
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

function record(ledger: Ledger, each: Mapped, result: Result | null): void {
  const { file, line, id, conversation, left, notes, nanoDollars } = each;
  const at: Omit<Entry, 'reason'> = { kind: 'conversation', file, line, id };
  const leave = ({ reason, detail, document }: Note, isPartly: boolean) =>
    ledger.leave({
      ...(document ? { kind: 'related_document', file: document.file, line: document.line, id: document.id } : at),
      reason,
      ...(detail !== '' && { detail }),
      ...(isPartly && { partly: true }),
    });
  if (id !== '') ledger.read.conversations++;
  ledger.read.nano_dollars += nanoDollars;
  for (const note of notes) leave(note, note.document === undefined);
  if (!conversation) return leave(left!, false);
  const { messages, cost_nano_dollars: cost } = conversation;
  ledger.read.messages += each.messages;
  if (result?.status === 'refused') return leave({ reason: result.code, detail: result.detail }, false);
  ledger.taken.conversations++;
  ledger.taken.messages += messages.length;
  ledger.taken.nano_dollars += cost;
  for (const { message_id, name, reason: why } of result?.left_files ?? [])
    leave({ reason: 'file_not_taken', detail: `message ${message_id}${name === null ? '' : `, ${name}`}: ${why}` }, true);
}
