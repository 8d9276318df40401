/** Why a source was not read, or has no text. Those of readers of sources and of documents are among them. */
export const SOURCE_PROBLEMS = [
  'access_denied',
  'address_forbidden',
  'address_invalid',
  'answer_invalid',
  'bucket_forbidden',
  'budget_exceeded',
  'busy',
  'chunking_invalid',
  'crashed',
  'damaged',
  'encrypted',
  'excluded',
  'memory_exceeded',
  'no_text',
  'noindex',
  'not_found',
  'not_uploaded',
  'page_not_read',
  'pattern_invalid',
  'redirect_refused',
  'robots_disallowed',
  'robots_unreachable',
  'sitemap_invalid',
  'timeout',
  'too_deep',
  'too_large',
  'too_many_items',
  'type_unknown',
  'unreachable',
  'unsafe',
] as const;
export type SourceProblem = (typeof SOURCE_PROBLEMS)[number];

/** A source without text in the new index, and the reason. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
  /** Absent in earlier events. */
  readonly code?: SourceProblem;
}

/** How many warnings of a run are kept. The others are counted. */
export const MOST_WARNINGS = 100;

/** The warnings of a run that has succeeded. `list` is sealed JSON, because it names sources. */
export interface SyncWarnings {
  readonly count: number;
  readonly list: string;
}
