export type SqlValue = string | number | bigint | null | Uint8Array;

/** One statement of a unit of work. */
export interface Step {
  readonly sql: string;
  readonly params?: readonly SqlValue[];
  /** The unit is undone unless this many rows changed: how a write says what it relies on. */
  readonly expect?: number;
  /** Collect the rows that a RETURNING clause gives. */
  readonly returning?: boolean;
}

export interface StepResult {
  readonly changes: number;
  readonly rows: readonly Readonly<Record<string, SqlValue>>[];
}

/** One step of a module's schema. Steps are only ever added; a file that knows more steps than the program is refused. */
export type Schema = { readonly module: string; readonly steps: readonly string[] };

/**
 * One SQLite file. Writes run in a worker thread, in WAL mode with synchronous=FULL, and all that wait share one
 * transaction and one fsync; each unit of work is whole or absent. Reads run on the caller's thread and see what is committed.
 */
export abstract class SqliteFile {
  /** Brings a module's tables up to date. Rejects with `NewerSchema` when the file was written by a newer program. */
  abstract migrate(schema: Schema): Promise<void>;
  /** Resolves when the unit is on disk. Rejects with `UnitUndone` when a step met another number of rows than it expects, or SQLite refused it. */
  abstract write(steps: readonly Step[]): Promise<readonly StepResult[]>;
  abstract get<Row>(sql: string, ...params: SqlValue[]): Row | undefined;
  abstract all<Row>(sql: string, ...params: SqlValue[]): Row[];
  abstract close(): Promise<void>;
}
