import { type Decision, type Instant, refuse } from '@parlance/decider';
import type { MessageFile, Parties, UsedChunks } from './conversation-events.ts';
import { conversationIdTaken } from './conversation-refusals.ts';
import { type Conversation, isClosed } from './conversation-state.ts';

/** A message or a reply that another product has stored. The texts are sealed. */
export interface ImportedMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parentId: string | null;
  readonly at: Instant;
  readonly model: string;
  /** Null without a text. */
  readonly content: string | null;
  readonly reasoning?: string;
  readonly files?: readonly MessageFile[];
  readonly usedChunks?: UsedChunks;
  readonly feedback?: { readonly thumbsUp: boolean; readonly category: string | null; readonly comment: string | null };
}

/** Facts about the whole conversation, sent with its first part. */
export interface ImportedFacts {
  /** Sealed. */
  readonly title: string;
  readonly startedAt: Instant;
  readonly lastMessageId: string;
  readonly lastMessageAt: Instant;
  /** The model of the newest message. */
  readonly model: string;
  /** The other product charges conversations, not messages. Charged at the time of the newest message. */
  readonly costNanoDollars: number;
}

/** An import by the user. All parts must come from the same version of the file. */
export interface OwnImport {
  /** A hash of the IDs and the order of all messages, without their texts. */
  readonly fingerprint: string;
  readonly parts: number;
}

/** A conversation that is too long for one append comes in parts, numbered from 0. */
export interface ImportCommand extends ImportedFacts {
  type: 'Import';
  userId: string;
  botId: string | null;
  /** The name of the operator's run, which may be repeated, or the kind of source of a user's import. */
  importName: string;
  part: number;
  messages: readonly ImportedMessage[];
  /** Absent in a run of an operator. */
  own?: OwnImport;
}

/**
 * The spending of programs through a published API of another product. The programs are not users here, so no conversation is imported,
 * only the cost, which is charged to the bot and its owner.
 */
export interface ImportUseCommand {
  type: 'ImportUse';
  userId: string;
  botId: string;
  importName: string;
  usedAt: Instant;
  model: string;
  costNanoDollars: number;
}

interface Part extends Parties {
  readonly importName: string;
  readonly own?: OwnImport;
  readonly messages: readonly ImportedMessage[];
}

export type ImportEvent =
  | ({ type: 'ConversationImported' } & ImportedFacts & Part)
  /** The next part of a conversation that was imported. */
  | ({ type: 'MessagesImported' } & Part);

export type ImportUseEvent = { type: 'UseImported' } & Omit<ImportUseCommand, 'type'>;

/** A part that was imported before is a repeat, so an interrupted run can be repeated from its beginning. */
export function decideImport(command: ImportCommand, state: Conversation): Decision<ImportEvent> {
  const { type: _, part, userId, botId, importName, messages, own, ...facts } = command;
  const common = { userId, botId, importName, messages, ...(own && { own }) };
  if (isClosed(state)) return conversationIdTaken();
  if (state.userId === null) return part === 0 ? [{ type: 'ConversationImported', ...common, ...facts }] : partMissing();
  if (state.userId !== userId || state.apiId !== undefined || !state.imported) return conversationIdTaken();
  if (state.imported.name !== importName) return importedBefore(state.imported.name);
  if (own && own.fingerprint !== state.imported.own?.fingerprint) return isWhole(state) ? [] : importChanged();
  if (part < state.imported.parts) return [];
  return part === state.imported.parts ? [{ type: 'MessagesImported', ...common }] : partMissing();
}

export function decideImportUse({ type: _, ...use }: ImportUseCommand, state: Conversation): Decision<ImportUseEvent> {
  if (state.userId === null) return [{ type: 'UseImported', ...use }];
  if (state.userId !== use.userId || !state.imported || !state.erased || state.removedTo !== undefined) return conversationIdTaken();
  return state.imported.name === use.importName ? [] : importedBefore(state.imported.name);
}

const importedBefore = (name: string) => refuse('conflict', 'imported_before', `This conversation was imported by the run ${name}.`);

/** Whether all parts are imported. */
export const isWhole = ({ imported }: Conversation): boolean =>
  imported !== undefined && (imported.own === undefined || imported.parts >= imported.own.parts);

const importChanged = () =>
  refuse(
    'conflict',
    'import_changed',
    'An earlier import of this conversation was interrupted, and the file has changed since. Import the earlier file again, or delete the conversation.',
  );

const partMissing = () =>
  refuse('conflict', 'import_part_missing', 'An earlier part of this conversation is missing. Send the parts in order.');

export function evolveImport(state: Conversation, event: ImportEvent | ImportUseEvent): Conversation {
  if (event.type === 'UseImported') {
    const { userId, botId, importName: name } = event;
    return { ...state, userId, botId, imported: { name, parts: 1 }, erased: true };
  }
  const { messages, importName: name, own } = event;
  const imported = { name, parts: (state.imported?.parts ?? 0) + 1, ...(own && { own }) };
  const grown = { ...state, messages: state.messages + messages.length, imported };
  return event.type === 'MessagesImported'
    ? grown
    : { ...grown, userId: event.userId, botId: event.botId, lastMessageId: event.lastMessageId };
}
