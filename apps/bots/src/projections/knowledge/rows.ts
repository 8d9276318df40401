import { table } from '@parlance/read-models';
import type { BotText, KnowledgeBase } from '../../domain/configuration.ts';
import type { KnowledgeSync } from '../../domain/knowledge/knowledge-sync.ts';
import type { SyncCounts, SyncFailure, SyncReason, SyncStep } from '../../domain/knowledge/sync-events.ts';
import type { SyncWarnings } from '../../domain/knowledge/source-warnings.ts';

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

export const syncRows = table<SyncRow>('knowledge_syncs', { byDue: ['owed', 'due_time'], bySchedule: ['next_time'], byLeft: ['left_by'] });
export const sourcesRows = table<SourcesRow>('knowledge_sources');
export const warningsRows = table<WarningsRow>('knowledge_warnings');
export const causesRows = table<CauseRow>('knowledge_causes');
export const removedRows = table<RemovedRow>('knowledge_removed');
