import { Injectable } from '@nestjs/common';
import { Streams } from '@parlance/foundation';
import { isUlid } from '@parlance/http';
import type { ConversationReason, MessageReason, Source } from '../../adapters/imports/drafts.ts';
import type { OpenImport } from '../../adapters/imports/import-reader.ts';
import type { Read, ReadPart } from '../../adapters/imports/parts.ts';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import { isClosed } from '../../domain/conversation-state.ts';
import { titleByRule } from '../../domain/title-rule.ts';
import { ConversationImports } from './conversation-imports.ts';

/** One request writes conversations for at most this long. The client repeats the request to import the rest. */
const WRITING_MILLIS = 15_000;
/** Conversations written concurrently, so that the stores can batch the writes of their keys and events. */
const WRITTEN_AT_ONCE = 8;

/** Why a conversation was not imported. */
export type RefusedReason = 'conversation_id_taken' | 'import_changed' | 'import_refused';

export interface LeftOutOf {
  readonly sourceId: string;
  readonly reason: ConversationReason | MessageReason | RefusedReason;
  /** The number of messages, or parts of messages. */
  readonly count: number;
}

export interface OwnOutcome {
  readonly sourceId: string;
  readonly conversationId: string;
  readonly messages: number;
  readonly status: 'imported' | 'unchanged' | 'deleted';
}

export interface OwnReport {
  readonly isComplete: boolean;
  readonly outcomes: readonly OwnOutcome[];
  readonly leftOut: readonly LeftOutOf[];
}

type Status = OwnOutcome['status'] | { readonly refused: RefusedReason };

/** The state of a conversation before its import, read with its first part. */
interface Before {
  readonly status: Status;
  readonly parts: number;
  /** The ID of the existing or deleted conversation, or of the new one. */
  readonly conversationId: string;
}

/** A user's imports into the user's own account. Conversation IDs are derived from user and source, so a repeated import creates no duplicates. */
@Injectable()
export class OwnImports {
  constructor(
    private readonly imports: ConversationImports,
    private readonly streams: Streams,
  ) {}

  /** Imports as much as there is time for. Rejects only if nothing was written, with an error that may not occur on a retry. */
  async take(file: OpenImport, userId: string, isDryRun: boolean, millis = WRITING_MILLIS): Promise<OwnReport> {
    const end = performance.now() + millis;
    const progress = new Progress();
    for (let batch = await file.next(); batch !== null; batch = await file.next()) {
      if (performance.now() > end) return progress.report(false);
      const error = await this.takeBatch(batch, { userId, source: file.source, isDryRun, progress });
      if (error === null) continue;
      if (!progress.hasWritten) throw error.cause;
      // A partial report is better than an error: the request had an effect.
      return progress.report(false);
    }
    return progress.report(true);
  }

  private async takeBatch(batch: readonly Read[], taking: Taking): Promise<{ readonly cause: unknown } | null> {
    for (let from = 0; from < batch.length; from += WRITTEN_AT_ONCE) {
      const some = batch.slice(from, from + WRITTEN_AT_ONCE);
      const ends = await Promise.allSettled(some.map((read) => this.takeOne(read, taking)));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) return { cause: failed.reason };
    }
    return null;
  }

  private async takeOne(read: Read, { userId, source, isDryRun, progress }: Taking): Promise<void> {
    if (!('part' in read)) return progress.leave(read, read.reason, 1);
    if (read.part > 0 && progress.isSettled(read)) return;
    // Only once for each conversation: loading a long one reads many parts, and a repeated import would run out of time.
    const { status, parts } = progress.before(read) ?? progress.begin(read, await this.lookFor(read, source, userId));
    const its = status === 'imported' && read.part < parts ? 'unchanged' : status;
    if (its !== 'imported' || isDryRun) return progress.note(read, its);
    progress.note(read, await this.write(read, source, userId), true);
  }

  private async lookFor(read: ReadPart, source: Source, userId: string): Promise<Before> {
    const before = (status: Status, parts = 0, conversationId = read.conversationId): Before => ({ status, parts, conversationId });
    // A conversation of this installation, which still exists or was deleted by its user.
    if (source === 'parlance' && isUlid(read.sourceId)) {
      const original = await this.streams.load(conversation, conversationStream(read.sourceId));
      if (original.userId === userId && original.apiId === undefined)
        return before(isClosed(original) ? 'deleted' : 'unchanged', 0, read.sourceId);
    }
    const state = await this.streams.load(conversation, conversationStream(read.conversationId));
    if (state.userId === null) return before(isClosed(state) ? 'deleted' : 'imported');
    if (state.userId !== userId || state.imported?.own === undefined) return before({ refused: 'conversation_id_taken' });
    if (isClosed(state)) return before('deleted');
    const { own, parts } = state.imported;
    if (parts >= own.parts) return before('unchanged');
    return before(own.fingerprint === read.own.fingerprint ? 'imported' : { refused: 'import_changed' }, parts);
  }

  private async write(read: ReadPart, source: Source, userId: string): Promise<Status> {
    const { conversationId: id, part, startedAt, lastMessageId, lastMessageAt, model, own, messages } = read;
    const given = {
      id,
      user_id: userId,
      bot_id: null,
      part,
      title: titleByRule(read.titleText),
      started_at: startedAt,
      last_message_id: lastMessageId,
      last_message_at: lastMessageAt,
      model,
      cost_nano_dollars: 0,
      messages: [...messages],
    };
    const outcome = await this.imports.take(`own.${source}`, given, own);
    if (outcome.status !== 'refused') return outcome.status;
    if (outcome.code === 'conversation_deleted') return 'deleted';
    if (outcome.code === 'import_changed' || outcome.code === 'conversation_id_taken') return { refused: outcome.code };
    return { refused: 'import_refused' };
  }
}

interface Taking {
  readonly userId: string;
  readonly source: Source;
  readonly isDryRun: boolean;
  readonly progress: Progress;
}

/** The unfinished report. */
class Progress {
  hasWritten = false;
  private readonly found = new Map<number, Before>();
  private readonly outcomes = new Map<number, OwnOutcome>();
  private readonly refused = new Set<number>();
  private readonly leftOut = new Map<number, LeftOutOf[]>();

  /** Undefined before the first part of the conversation. */
  before({ index }: ReadPart): Before | undefined {
    return this.found.get(index);
  }

  begin({ index }: ReadPart, before: Before): Before {
    this.found.set(index, before);
    return before;
  }

  leave({ index, sourceId }: Pick<Read, 'index' | 'sourceId'>, reason: LeftOutOf['reason'], count: number): void {
    const its = this.leftOut.get(index) ?? [];
    this.leftOut.set(index, [...its, { sourceId, reason, count }]);
  }

  note(read: ReadPart, status: Status, isWritten = false): void {
    const { index, sourceId, messagesInAll: messages, left, part } = read;
    const { conversationId } = this.found.get(index)!;
    if (typeof status === 'object') {
      this.outcomes.delete(index);
      this.refused.add(index);
      return this.leave(read, status.refused, 1);
    }
    if (isWritten && status === 'imported') this.hasWritten = true;
    const earlier = this.outcomes.get(index);
    // The first parts were written by an earlier, interrupted import.
    const its = earlier?.status === 'imported' && status === 'unchanged' ? earlier.status : status;
    this.outcomes.set(index, { sourceId, conversationId, messages, status: its });
    if (part === 0 && status !== 'deleted') for (const [reason, count] of left) this.leave(read, reason, count);
  }

  /** Whether no further part of this conversation is to be written. */
  isSettled({ index }: ReadPart): boolean {
    return this.refused.has(index) || this.outcomes.get(index)?.status === 'deleted';
  }

  report(isComplete: boolean): OwnReport {
    return { isComplete, outcomes: inOrderOfFile(this.outcomes), leftOut: inOrderOfFile(this.leftOut).flat() };
  }
}

/** Several conversations are written at once, so they may finish in another order. */
const inOrderOfFile = <T>(byIndex: ReadonlyMap<number, T>): readonly T[] =>
  [...byIndex].sort(([one], [other]) => one - other).map(([, value]) => value);
