import type { SourceWarning } from './source-warnings.ts';

export const SYNC_CAUSES = [
  'sources_failed',
  'sources_empty',
  'deadline_passed',
  'storage_unavailable',
  'reader_not_started',
  'model_unavailable',
  'model_refused',
  'fault',
] as const;

/** What the reason of a run says, in parts, so that it can be said in other languages. Sealed in events, because it names sources. */
export interface SyncCause {
  readonly code: (typeof SYNC_CAUSES)[number];
  /** How many sources have failed or are empty. The first of them are in `sources`. */
  readonly failed: number;
  readonly total: number;
  readonly sources: readonly SourceWarning[];
}

export const causeOf = (code: SyncCause['code']): SyncCause => ({ code, failed: 0, total: 0, sources: [] });
