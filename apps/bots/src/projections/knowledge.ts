import { isDeepStrictEqual } from 'node:util';
import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { findUnleased } from '@parlance/foundation';
import { add, type At, type Change, type Cursor, type Page, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { BotEvent } from '../domain/bot.ts';
import { type BotText, completed, completedBase, ingestionOf, type KnowledgeBase, type StoredSettings } from '../domain/configuration.ts';
import type { KnowledgeSync } from '../domain/knowledge/knowledge-sync.ts';
import type { SyncCounts, SyncEvent, SyncFailure, SyncReason, SyncStep } from '../domain/knowledge/sync-events.ts';
import type { SyncWarnings } from '../domain/knowledge/source-warnings.ts';
import { ownerOfUploads, type UploadsEvent } from '../domain/uploads.ts';
import { nextRun } from './schedules.ts';

export const SYNC_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

type Ingestion = Omit<KnowledgeBase, 'search_params'>;

/** The newest run of a bot. */
export interface RunRow {
  id: string;
  wanted: number;
  because: SyncReason;
  step: SyncStep;
  counts: SyncCounts | null;
  started: number;
  finished: number | null;
  deadline: number;
}

/** The state of a bot's knowledge. Each bot has one row. */
export interface SyncRow {
  bot_id: string;
  owner_user_id: string;
  has_sources: boolean;
  /** The settings that determine the content of the index, besides the sources. */
  ingestion: Ingestion;
  /** The version of the bot whose sources are to be read; 0 before it has any. */
  wanted: number;
  /** The newest version whose run has ended. */
  settled: number;
  /** Why a run is to start without a change of the bot. */
  requested: KnowledgeSync['requested'];
  status: SyncStatus;
  run: RunRow | null;
  /** Why the run failed, or waits for its next try. Sealed, because it names sources. */
  reason: string | null;
  failure: SyncFailure | null;
  /** The index in service. */
  generation: string | null;
  /** Identifies the settings that the index was built with. An index with another fingerprint is rebuilt from scratch. */
  fingerprint: string | null;
  chunks: number;
  /** 1 while a run is in progress or to start. */
  owed: 0 | 1;
  /** When a worker may claim the run, in milliseconds: when it began to wait, or when its worker's lease ends. */
  due_time: number;
  schedule: string | null;
  /** The scheduled time of the last run that was started, in milliseconds. No scheduled time is used twice, even if a clock goes back. */
  scheduled: number | null;
  /** When the schedule starts the next run, in milliseconds. */
  next_time: number | null;
  /** The owner of a deleted bot whose knowledge is not removed yet. Only erasures read such rows. */
  left_by?: string;
}

/** The sources, sealed. They can be large, so lists do not read them. */
export interface SourcesRow {
  bot_id: string;
  sources: BotText;
}

/** The warnings of the run that built the index in service. They can be many, so lists do not read them. */
interface WarningsRow extends SyncWarnings {
  bot_id: string;
}

/** The parts of the newest reason, sealed. They name sources, so lists do not read them. */
interface CauseRow {
  bot_id: string;
  cause: string;
}

/** How much of a user's knowledge was removed. Receipts of erasures need the numbers, even if the erasure is repeated. */
interface RemovedRow {
  user_id: string;
  files?: number;
  chunks?: number;
}

const syncRows = table<SyncRow>('knowledge_syncs', { byDue: ['owed', 'due_time'], bySchedule: ['next_time'], byLeft: ['left_by'] });
const sourcesRows = table<SourcesRow>('knowledge_sources');
const warningsRows = table<WarningsRow>('knowledge_warnings');
const causesRows = table<CauseRow>('knowledge_causes');
const removedRows = table<RemovedRow>('knowledge_removed');

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

/** The states of several bots' knowledge, by bot. */
export const SyncsOf = query('SyncsOf', async (models, botIds: readonly string[]): Promise<ReadonlyMap<string, SyncRow>> => {
  const rows = await models.getMany(syncRows, botIds);
  return new Map([...rows].filter(([, { left_by }]) => left_by === undefined));
});

export const SyncOf = query('SyncOf', async (models, botId: string): Promise<SyncRow | null> => {
  const row = await models.get(syncRows, botId);
  return row?.left_by === undefined ? row : null;
});

const LEFT_AT_ONCE = 100;

/** Some of a user's deleted bots whose knowledge is not removed yet. */
export const KnowledgeLeftBy = query('KnowledgeLeftBy', async (models, userId: string): Promise<readonly string[]> => {
  return (await models.find(syncRows, { index: 'byLeft', where: { left_by: userId }, limit: LEFT_AT_ONCE })).keys;
});

/** The sealed sources of a bot; null if it has none. */
export const SourcesOf = query('SourcesOf', async (models, botId: string): Promise<BotText | null> => {
  return (await models.get(sourcesRows, botId))?.sources ?? null;
});

export const WarningsOf = query('WarningsOf', (models, botId: string): Promise<SyncWarnings | null> => models.get(warningsRows, botId));

/** The sealed parts of the newest reason; null if there are none. The reason may no longer apply. */
export const CauseOf = query('CauseOf', async (models, botId: string): Promise<string | null> => {
  return (await models.get(causesRows, botId))?.cause ?? null;
});

/** Runs that are to start, or whose worker's lease has ended, longest waiting first. */
export const SyncsDue = query('SyncsDue', async (models, now: Instant, limit: number): Promise<readonly SyncRow[]> => {
  return (await findUnleased(models, syncRows, { index: 'byDue', where: { owed: 1 }, limit }, now)).rows;
});

/** Bots whose schedule is due. */
export const SchedulesDue = query('SchedulesDue', (models, now: Instant, from: Cursor | null, limit: number): Promise<Page<SyncRow>> =>
  models.find(syncRows, { index: 'bySchedule', from: 0, to: now, limit, ...(from && { after: from }) }),
);

/** How much of the knowledge of this user's bots was removed. */
export const KnowledgeRemovedOf = query(
  'KnowledgeRemovedOf',
  async (models, userId: string): Promise<{ files: number; chunks: number }> => {
    const { files = 0, chunks = 0 } = (await models.get(removedRows, userId)) ?? {};
    return { files, chunks };
  },
);
