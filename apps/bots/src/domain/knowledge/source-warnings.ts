/** A source without text in the new index, and the reason. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
}

/** How many warnings of a run are kept. The others are counted. */
export const MOST_WARNINGS = 100;

/** The warnings of a run that has succeeded. `list` is sealed JSON, because it names sources. */
export interface SyncWarnings {
  readonly count: number;
  readonly list: string;
}
