/** A source that the new index has no text of, and why. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
}

/** Warnings of a run that are kept. The others are counted. */
export const MOST_WARNINGS = 100;

/** The warnings of a run that has succeeded. `list` is sealed JSON, because it names sources. */
export interface SyncWarnings {
  readonly count: number;
  readonly list: string;
}
