import { isDeepStrictEqual } from 'node:util';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, projection, put, remove, update } from '@parlance/read-models';
import type { BotEvent } from '../../domain/bot.ts';
import { type BotText, completed, completedBase, ingestionOf, type StoredSettings } from '../../domain/configuration.ts';
import type { SyncEvent } from '../../domain/knowledge/sync-events.ts';
import { ownerOfUploads, type UploadsEvent } from '../../domain/uploads.ts';
import { nextRun } from '../schedules.ts';
import { type SyncStatus, type SyncRow, syncRows, sourcesRows, warningsRows, causesRows, removedRows } from './rows.ts';

/** A waiting run keeps its position. */
const queued = (row: SyncRow, at: Instant): SyncRow => ({
  ...row,
  status: 'QUEUED',
  owed: 1,
  due_time: row.owed === 1 && row.status === 'QUEUED' ? row.due_time : at,
});

/** `sources` is undefined if they have not changed. */
function changed(
  { sources, settings }: { readonly sources: BotText | null | undefined; readonly settings: Partial<StoredSettings> | undefined },
  { stream, version, metadata }: At,
): Change[] {
  const botId = idInStream(stream);
  const base = settings?.bedrock_knowledge_base;
  const schedule = settings?.sync_schedule;
  if (sources === undefined && !base && schedule === undefined) return [];
  return [
    ...sourcesChanged(botId, sources),
    update(syncRows, botId, (row) => {
      if (!row) return row;
      const ingestion = base ? ingestionOf(completedBase(base)) : row.ingestion;
      const has_sources = sources === undefined ? row.has_sources : sources !== null;
      const from = Instant.ofMillis(Math.max(metadata.at, row.scheduled ?? 0));
      const next = schedule === undefined ? {} : { schedule, next_time: nextRun(schedule, from) };
      const after = { ...row, ...next, ingestion, has_sources };
      const isSame = sources === undefined && isDeepStrictEqual(ingestion, row.ingestion);
      // Without sources before and after, there is nothing to read and nothing to remove.
      return isSame || (!has_sources && !row.has_sources) ? after : queued({ ...after, wanted: version }, metadata.at);
    }),
  ];
}

function sourcesChanged(botId: string, sources: BotText | null | undefined): Change[] {
  if (sources === undefined) return [];
  return [sources === null ? remove(sourcesRows, botId) : put(sourcesRows, botId, { bot_id: botId, sources })];
}

const created = (
  { ownerUserId, configuration }: Extract<BotEvent, { type: 'BotCreated' }>,
  { stream, version, metadata }: At,
): Change[] => {
  const botId = idInStream(stream);
  const { bedrock_knowledge_base: base, sync_schedule: schedule } = completed(configuration.settings);
  const sources = configuration.knowledge ?? null;
  const row: SyncRow = {
    bot_id: botId,
    owner_user_id: ownerUserId,
    has_sources: sources !== null,
    ingestion: ingestionOf(base),
    wanted: 0,
    settled: 0,
    requested: null,
    status: 'SUCCEEDED',
    run: null,
    reason: null,
    failure: null,
    generation: null,
    fingerprint: null,
    chunks: 0,
    owed: 0,
    due_time: 0,
    schedule,
    scheduled: null,
    next_time: nextRun(schedule, metadata.at),
  };
  return [
    put(syncRows, botId, sources === null ? row : queued({ ...row, wanted: version }, metadata.at)),
    ...sourcesChanged(botId, sources ?? undefined),
  ];
};

/** If a run has read something, or still may, KnowledgeRemoved follows. Runs of a bot without sources have read nothing. */
const left = (row: SyncRow): SyncRow | null =>
  row.run && (row.run.finished === null || row.settled > 0)
    ? { ...row, requested: null, owed: 0, due_time: 0, schedule: null, next_time: null, left_by: row.owner_user_id }
    : null;

const removed = (_event: BotEvent, { stream }: At): Change[] => [
  update(syncRows, idInStream(stream), (row) => row && left(row)),
  remove(sourcesRows, idInStream(stream)),
  remove(warningsRows, idInStream(stream)),
  remove(causesRows, idInStream(stream)),
];

/** Events of earlier releases have no cause. */
const causeChanged = (stream: string, cause: string | undefined): Change => {
  const botId = idInStream(stream);
  return cause === undefined ? remove(causesRows, botId) : put(causesRows, botId, { bot_id: botId, cause });
};

/** Changes the row if it exists: a run can end after its bot was deleted. */
const after = (stream: string, change: (row: SyncRow) => SyncRow): Change[] => [
  update(syncRows, idInStream(stream), (row) => (row && row.left_by === undefined ? change(row) : row)),
];

/** A run in progress is not disturbed: the next one starts after it. */
const requested = (row: SyncRow, because: NonNullable<SyncRow['requested']>, at: Instant): SyncRow => {
  const withRequest = { ...row, requested: because };
  return row.status === 'RUNNING' ? withRequest : queued(withRequest, at);
};

/** The row with the lease of a worker. The lease does not delay a newer version of the bot. */
const leased = (row: SyncRow, until: Instant): SyncRow => (row.status === 'RUNNING' ? { ...row, due_time: until } : row);

const ended = (row: SyncRow, event: { readonly runId: string; readonly wanted: number }, status: SyncStatus, at: Instant): SyncRow => {
  const settled = Math.max(row.settled, event.wanted);
  const run = row.run && { ...row.run, finished: Instant.toSeconds(at) };
  const finished = { ...row, settled, run };
  const isDue = row.wanted > settled || row.requested !== null;
  return isDue ? queued(finished, at) : { ...finished, status, owed: 0, due_time: 0 };
};

export const knowledge = projection<BotEvent | SyncEvent | UploadsEvent>({
  name: 'knowledge',
  version: 6,
  tables: [syncRows, sourcesRows, warningsRows, causesRows, removedRows],
  on: {
    BotCreated: created,
    BotConfigured: ({ changes }, at) => changed({ sources: changes.knowledge, settings: changes.settings }, at),
    BotRestored: ({ configuration }, at) => changed({ sources: configuration.knowledge ?? null, settings: configuration.settings }, at),
    BotDeleted: removed,
    BotDeletedWithOwner: removed,
    SyncRequested: (_, { stream, metadata }) => after(stream, (row) => requested(row, 'requested', metadata.at)),
    SyncScheduled: ({ due }, { stream, metadata }) =>
      after(stream, (row) => {
        const next_time = nextRun(row.schedule, Instant.ofMillis(Math.max(due, metadata.at)));
        return { ...requested(row, row.requested ?? 'scheduled', metadata.at), scheduled: due, next_time };
      }),
    SyncStarted: ({ runId, wanted, because, leaseUntil, deadline }, { stream, metadata }) =>
      after(stream, (row) => {
        const started = Instant.toSeconds(metadata.at);
        const run = { id: runId, wanted, because, step: 'queue' as const, counts: null, started, finished: null, deadline };
        const running: SyncRow = { ...row, requested: null, run, reason: null, failure: null };
        if (row.wanted > wanted) return queued(running, metadata.at);
        return { ...running, status: 'RUNNING', owed: 1, due_time: leaseUntil };
      }),
    SyncTakenOver: ({ leaseUntil }, { stream }) => after(stream, (row) => ({ ...leased(row, leaseUntil), reason: null })),
    SyncInterrupted: ({ leaseUntil, reason = null, cause }, { stream }) => [
      ...after(stream, (row) => ({ ...leased(row, leaseUntil), reason })),
      causeChanged(stream, cause),
    ],
    SyncAdvanced: ({ runId, step, counts, leaseUntil }, { stream }) =>
      after(stream, (row) => {
        if (row.run?.id !== runId) return row;
        return { ...leased(row, leaseUntil), run: { ...row.run, step, counts } };
      }),
    SyncSucceeded: (event, { stream, metadata }) => [
      ...after(stream, (row) => {
        const { generation, fingerprint, counts } = event;
        const settled = ended(row, event, 'SUCCEEDED', metadata.at);
        const run = settled.run && { ...settled.run, step: 'complete' as const, counts };
        return { ...settled, run, generation, fingerprint, chunks: counts.chunks, reason: null, failure: null };
      }),
      event.warnings
        ? put(warningsRows, idInStream(stream), { bot_id: idInStream(stream), ...event.warnings })
        : remove(warningsRows, idInStream(stream)),
    ],
    SyncFailed: (event, { stream, metadata }) => [
      ...after(stream, (row) => {
        const settled = ended(row, event, 'FAILED', metadata.at);
        const { step, counts } = event;
        const run = settled.run && { ...settled.run, ...(step && { step }), ...(counts && { counts }) };
        return { ...settled, run, reason: event.reason, failure: event.because };
      }),
      causeChanged(stream, event.cause),
    ],
    KnowledgeRemoved: ({ ownerUserId, chunks }, { stream }) => [
      remove(syncRows, idInStream(stream)),
      // A run may have ended after the bot was deleted.
      remove(warningsRows, idInStream(stream)),
      remove(causesRows, idInStream(stream)),
      add(removedRows, ownerUserId, { chunks }, { user_id: ownerUserId }),
    ],
    FilesRemoved: ({ files }, { stream }) => {
      const user_id = ownerOfUploads(idInStream(stream));
      return [add(removedRows, user_id, { files }, { user_id })];
    },
  },
});
