/** An order for the engine's process. A process executes one order and ends. */
export type Order =
  /** Writes rows, one JSON object per line, as Parquet. */
  | { readonly type: 'write'; readonly source: string; readonly target: string }
  /** Joins Parquet files into one. */
  | { readonly type: 'join'; readonly sources: readonly string[]; readonly target: string }
  | ({ readonly type: 'query' } & SqlQuery);

/** Names are relative to the process's directory. */
export interface SqlQuery {
  readonly sql: string;
  /** Parquet files of the table. */
  readonly files: readonly string[];
  readonly database: string;
  readonly table: string;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export type Refused = 'sql_invalid' | 'sql_not_allowed' | 'query_memory_exceeded';

export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'written'; readonly rows: number }
  /** `json`: the answer as it is sent, as text, because building and parsing it takes long. */
  | { readonly type: 'answer'; readonly json: string }
  | { readonly type: 'refused'; readonly code: Refused; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

/** Limits of the engine, passed to its process at the start. */
export interface EngineLimits {
  readonly memoryMebibytes: number;
  readonly threads: number;
}
