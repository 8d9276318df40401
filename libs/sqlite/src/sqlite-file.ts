export type SqlValue = string | number | bigint | null | Uint8Array;

/** Statements inside one unit of work. Valid only while the unit's function runs. */
export interface Transaction {
  /** Returns the number of changed rows. */
  run(sql: string, ...params: readonly SqlValue[]): number;
  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[];
}

/** A synchronous function on a transaction. If it throws, the unit is rolled back and `write` rejects. */
export type UnitOfWork<Result> = (transaction: Transaction) => Result;

/** The schema of one module. Steps are only ever added. A file with more steps than the program knows is refused. */
export type Schema = { readonly module: string; readonly steps: readonly string[] };

/** The limits of a bounded read. It stops after the row that exceeds either limit, so it returns at least one row if there is one. */
export interface ReadLimit<Row> {
  readonly rows: number;
  readonly bytes: number;
  sizeOf(row: Row): number;
}

/**
 * One SQLite file, used by one process. Units of work run on the calling thread in the order of the calls. All waiting units share one transaction and
 * one sync of the write-ahead log. A unit is written atomically. Reads see only synced data.
 */
export abstract class SqliteFile {
  /** Increases with each group of units that is written. While it is the same, so is the content of the file. */
  abstract changes(): number;
  /** Updates the tables of a module. Rejects with `NewerSchema` if a newer program has written the file. */
  abstract migrate(schema: Schema): Promise<void>;
  /**
   * Runs a unit of work and resolves with its result when it is on disk. Rejects with the error of the unit, or with `WriteFailed` if the file refused
   * the whole group. The unit runs once.
   */
  abstract write<Result>(work: UnitOfWork<Result>): Promise<Result>;
  /**
   * How long (ms) the oldest queued unit has waited, if the last group left units in the queue, or more are queued than fit into one group.
   * Otherwise 0, because the next group will write them all. Takes constant time.
   */
  abstract writesWait(): number;
  abstract get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  abstract all<Row>(sql: string, ...params: readonly SqlValue[]): Row[];
  abstract upTo<Row>(limit: ReadLimit<Row>, sql: string, ...params: readonly SqlValue[]): Row[];
  /**
   * Moves the write-ahead log into the file and truncates it. Resolves with false if another connection prevented this. After true, the log contains no
   * earlier version of any page.
   */
  abstract checkpoint(): Promise<boolean>;
  abstract close(): Promise<void>;
}
