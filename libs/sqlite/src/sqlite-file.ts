export type SqlValue = string | number | bigint | null | Uint8Array;

/** Statements inside one unit of work. Valid only while the unit's function runs. */
export interface Transaction {
  /** Answers how many rows changed. */
  run(sql: string, ...params: readonly SqlValue[]): number;
  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[];
}

/** A synchronous function on a transaction. An error that it throws undoes the unit and rejects `write`. */
export type UnitOfWork<Result> = (transaction: Transaction) => Result;

/** The schema of one module. Steps are only ever added. A file with more steps than the program knows is refused. */
export type Schema = { readonly module: string; readonly steps: readonly string[] };

/** How much a bounded read may return. It stops after the row that passes either limit, so it returns at least one row if there is one. */
export interface ReadLimit<Row> {
  readonly rows: number;
  readonly bytes: number;
  sizeOf(row: Row): number;
}

/**
 * One SQLite file, used by one process. Units of work run on the calling thread in the order of the calls. All units that wait
 * share one transaction and one sync of the write-ahead log. A unit is written completely or not at all. Reads see only synced data.
 */
export abstract class SqliteFile {
  /** Brings the tables of a module up to date. Rejects with `NewerSchema` when a newer program wrote the file. */
  abstract migrate(schema: Schema): Promise<void>;
  /**
   * Runs a unit of work and resolves with its result when it is on disk. Rejects with the error that the unit threw, or with
   * `WriteFailed` when the file refused the whole group. The unit runs once.
   */
  abstract write<Result>(work: UnitOfWork<Result>): Promise<Result>;
  abstract get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  abstract all<Row>(sql: string, ...params: readonly SqlValue[]): Row[];
  abstract upTo<Row>(limit: ReadLimit<Row>, sql: string, ...params: readonly SqlValue[]): Row[];
  /**
   * Moves the write-ahead log into the file and truncates it. Answers false when another connection prevented that. After true, the
   * log holds no earlier version of any page.
   */
  abstract checkpoint(): Promise<boolean>;
  abstract close(): Promise<void>;
}
