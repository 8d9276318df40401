import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, PagedRounds } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { Cursor } from '@parlance/read-models';
import { ExecuteCallRecord } from '../../commands/aggregates.ts';
import { type BegunCall, type CallOutcome, callRecordId, partsOfCallRecordId } from '../../domain/calls/call-record.ts';
import { type CallRecordRow, OpenCallRecords } from '../../projections/calls/call-records.ts';

/** A process that makes calls renews its records this often. */
export const RENEW_MILLIS = 10_000;
/**
 * A process that has recorded nothing for this long is taken for lost, if it was not the only one. Its calls are settled before analytics takes
 * back the blocks of budgets that they have used: 45 seconds after a crash at the earliest.
 */
const SILENT_MILLIS = 30_000;
/** How long a failed write of an outcome waits for the next attempt. */
const RETRY_MILLIS = 200;
/** The most calls that begin, and that end, in one append. With the longest tags, they fit into a commit. */
const MOST_IN_APPEND = 100;

/** The writes of one record. Writes that arrive during an append share the next one. */
interface Writes {
  begun: { readonly call: BegunCall; readonly done: () => void; readonly failed: (error: unknown) => void }[];
  ended: { readonly outcome: CallOutcome; readonly done: (isRecorded: boolean) => void }[];
  isWriting: boolean;
  open: number;
  writtenAt: number;
}

/** Records the calls of this process, many in one append. */
@Injectable()
export class CallRecorder {
  /** Names the records of this process. Replaced if another process has settled one of them. */
  private run = newId();
  private readonly records = new Map<string, Writes>();
  private readonly rounds = new PagedRounds<CallRecordRow, Cursor>(
    'calls of lost processes could not be settled',
    ({ record_id }) => record_id,
  );

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Resolves with the record's ID when the call is recorded. Rejects if that is not certain; then the call must not be made. */
  begin(call: BegunCall): Promise<string> {
    const id = callRecordId(call.tokenId, Instant.toString(call.begunAt).slice(0, 13), this.run);
    const writes = this.writesOf(id);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    writes.begun.push({ call, done: () => resolve(id), failed: reject });
    writes.open++;
    this.write(id, writes);
    return promise;
  }

  /**
   * Resolves when the outcome is recorded, which is tried until it succeeds. With false, another process took this one for lost, and has settled the
   * call at its reserved cost.
   */
  end(recordId: string, outcome: CallOutcome): Promise<boolean> {
    const writes = this.writesOf(recordId);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    writes.ended.push({ outcome, done: resolve });
    this.write(recordId, writes);
    return promise;
  }

  /** Shows other processes that this one still makes its calls. */
  async renew(): Promise<void> {
    for (const [id, writes] of this.records) {
      if (writes.open === 0 || writes.isWriting || this.clock.steady() - writes.writtenAt < RENEW_MILLIS) continue;
      await this.commands.execute(new ExecuteCallRecord(id, { type: 'Renew', at: this.clock.now() }));
      writes.writtenAt = this.clock.steady();
    }
  }

  /** Settles the open calls of processes that were lost. The only process of an installation settles those of its earlier runs at once. */
  async settleLost(): Promise<void> {
    const silentMillis = this.config.mongoUri === null ? 0 : SILENT_MILLIS;
    await this.rounds.run(
      (after) => this.queries.execute(new OpenCallRecords(after)),
      async ({ record_id }) => {
        // The rows lag behind: a record of this process may have ended its calls, and begin the next one.
        if (this.records.has(record_id) || partsOfCallRecordId(record_id).run === this.run) return;
        const settle = () =>
          this.commands.execute(new ExecuteCallRecord(record_id, { type: 'Settle', at: this.clock.now(), silentMillis }));
        while ((await settle()).written);
      },
    );
  }

  get hasNoOpenCalls(): boolean {
    return this.records.size === 0;
  }

  private writesOf(id: string): Writes {
    let writes = this.records.get(id);
    if (!writes) this.records.set(id, (writes = { begun: [], ended: [], isWriting: false, open: 0, writtenAt: this.clock.steady() }));
    return writes;
  }

  private write(id: string, writes: Writes): void {
    if (writes.isWriting) return;
    writes.isWriting = true;
    void RequestContext.run(RequestContext.background(), () => this.writeAll(id, writes));
  }

  private async writeAll(id: string, writes: Writes): Promise<void> {
    // Lets calls of the same turn of the event loop join.
    await Promise.resolve();
    while (writes.begun.length > 0 || writes.ended.length > 0) {
      const begun = writes.begun.splice(0, MOST_IN_APPEND);
      const ended = writes.ended.splice(0, MOST_IN_APPEND);
      await this.append(id, writes, begun, ended);
    }
    writes.isWriting = false;
    writes.writtenAt = this.clock.steady();
    if (writes.open === 0) this.records.delete(id);
  }

  private async append(id: string, writes: Writes, begun: Writes['begun'], ended: Writes['ended']): Promise<void> {
    const at = this.clock.now();
    const command = { type: 'Record', at, begun: begun.map(({ call }) => call), ended: ended.map(({ outcome }) => outcome) } as const;
    try {
      const { events, state } = await this.commands.execute(new ExecuteCallRecord(id, command));
      const completed = new Set(events.flatMap(({ event }) => (event.type === 'CallCompleted' ? [event.callId] : [])));
      for (const { done } of begun) done();
      // A record that is not closed has the outcome, perhaps by an earlier try.
      for (const { outcome, done } of ended) done(!state.isClosed || completed.has(outcome.callId));
      writes.open -= ended.length;
    } catch (error) {
      // The outcomes are written again, without the calls that begin. Those may have been recorded: then they have cost nothing.
      for (const { call, failed } of begun) {
        failed(error);
        writes.ended.push({ outcome: neverMade(call), done: () => undefined });
      }
      writes.ended.unshift(...ended);
      if (!(error instanceof Refusal) || error.code !== 'calls_settled') await pause(RETRY_MILLIS);
      else if (partsOfCallRecordId(id).run === this.run) this.run = newId();
    }
  }
}

const neverMade = ({ callId }: BegunCall): CallOutcome => ({
  callId,
  status: 'failed',
  httpStatus: null,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false },
  costNanoDollars: 0,
  firstByteMillis: null,
  millis: 0,
});
