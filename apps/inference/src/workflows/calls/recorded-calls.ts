import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { ExecuteCallRecord } from '../../commands/aggregates.ts';
import { type CallRecordEvent, type CallStatus, callRecordStream } from '../../domain/calls/call-record.ts';
import { type CallRecordRow, CallRecords, OldCallRecords } from '../../projections/calls/call-records.ts';

export type RecordedCall = Extract<CallRecordEvent, { type: 'CallCompleted' }>;

/** Null: all. */
export interface CallsFilter {
  readonly userId: string | null;
  readonly tokenId: string | null;
  /** A model or a route. */
  readonly model: string | null;
  readonly costCentre: string | null;
  readonly tag: { readonly name: string; readonly value: string | null } | null;
  readonly status: CallStatus | null;
  /** Inclusive hours, as 2026-11-29T06. */
  readonly from: string;
  readonly to: string;
}

/** Where a page ended: within a commit of a record. */
export interface CallsCursor {
  /** The end of the page of records before. */
  readonly after: Cursor | null;
  readonly hour: string;
  readonly recordId: string;
  readonly version: number;
  /** Events of this commit that are not listed yet. */
  readonly left: number;
}

export interface CallsPage {
  readonly calls: readonly RecordedCall[];
  readonly next: CallsCursor | null;
}

/** Calls that one page looks at. With rare matches, a page ends before it is full. */
const MOST_READ = 5_000;
/** Pages of records that one page of calls looks at. */
const MOST_RECORD_PAGES = 20;
const COMMITS_AT_ONCE = 8;
/** How long a round of removal goes on. A page each time could remove fewer records than many tokens make. */
const ROUND_MILLIS = 20_000;
const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

export const hourOf = (at: Instant): string => Instant.toString(at).slice(0, 13);

/** Lists calls from their records. A list begins with the newest hour; within an hour, with the newest call of each record. */
@Injectable()
export class RecordedCalls {
  private readonly rounds = new PagedRounds<CallRecordRow, Cursor>('records of calls could not be removed', ({ record_id }) => record_id);

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The hours whose calls are listed. */
  get kept(): { readonly from: string; readonly to: string } {
    const now = this.clock.now();
    // The clock of another process may be ahead.
    return { from: hourOf(Instant.plus(now, -this.config.callRetentionDays * DAY_MILLIS)), to: hourOf(Instant.plus(now, HOUR_MILLIS)) };
  }

  async page(filter: CallsFilter, limit: number, cursor: CallsCursor | null): Promise<CallsPage> {
    const calls: RecordedCall[] = [];
    let read = 0;
    let after = cursor?.after ?? null;
    for (let pages = 1; ; pages++) {
      const { rows, next } = await this.queries.execute(new CallRecords({ ...filter, after }));
      for (const row of rows) {
        if (!concerns(row, filter) || (cursor && !follows(row, cursor))) continue;
        const isResumed = row.record_id === cursor?.recordId;
        let version = isResumed ? cursor.version : row.version;
        let left = isResumed ? cursor.left : Infinity;
        while (version > 0) {
          const commits = await this.commitsUpTo(row.record_id, version);
          for (const { events, version: its } of commits) {
            for (let index = Math.min(left, events.length) - 1; index >= 0; index--) {
              const { event } = events[index]!;
              read++;
              if (event.type === 'CallCompleted' && matches(event, filter)) calls.push(event);
              if (calls.length < limit && read < MOST_READ) continue;
              return { calls, next: { after, hour: row.hour, recordId: row.record_id, version: its, left: index } };
            }
            left = Infinity;
            version = its - 1;
          }
        }
      }
      if (next === null) return { calls, next: null };
      const last = rows.at(-1);
      if (pages >= MOST_RECORD_PAGES && last)
        return { calls, next: { after, hour: last.hour, recordId: last.record_id, version: 0, left: 0 } };
      after = next;
    }
  }

  /** Removes records that are older than `callRetentionDays` from the lists. Their sums in reports stay. */
  async removeOld(): Promise<void> {
    const until = hourOf(Instant.plus(this.clock.now(), -this.config.callRetentionDays * DAY_MILLIS - HOUR_MILLIS));
    await this.rounds.run(
      (after) => this.queries.execute(new OldCallRecords(until, after)),
      ({ record_id }) => this.commands.execute(new ExecuteCallRecord(record_id, { type: 'Expire' })),
      { millis: ROUND_MILLIS },
    );
  }

  /** The commits before and at a version, the newest first. */
  private async commitsUpTo(recordId: string, version: number) {
    const commits: { readonly version: number; readonly events: readonly { readonly event: CallRecordEvent }[] }[] = [];
    let after = Math.max(0, version - COMMITS_AT_ONCE);
    while (after < version) {
      const page = await this.store.read(callRecordStream(recordId), after, version - after);
      if (page.commits.length === 0) break;
      for (const commit of page.commits) {
        commits.unshift({ version: commit.version, events: commit.events as readonly { readonly event: CallRecordEvent }[] });
        after = commit.version;
      }
    }
    return commits;
  }
}

export const concerns = (row: CallRecordRow, { userId, tokenId }: CallsFilter): boolean =>
  (userId === null || row.user_id === userId) && (tokenId === null || row.token_id === tokenId);

/** Whether a record comes at or after the end of a page. The newest hour is first. */
const follows = ({ hour, record_id }: CallRecordRow, cursor: CallsCursor): boolean =>
  hour < cursor.hour || (hour === cursor.hour && record_id <= cursor.recordId);

function matches(call: RecordedCall, { model, costCentre, tag, status }: CallsFilter): boolean {
  if (model !== null && call.model !== model && call.route !== model) return false;
  if (costCentre !== null && call.costCentre !== costCentre) return false;
  if (status !== null && call.status !== status) return false;
  if (tag === null) return true;
  const value = Object.hasOwn(call.tags ?? {}, tag.name) ? call.tags![tag.name] : undefined;
  return value !== undefined && (tag.value === null || value === tag.value);
}
