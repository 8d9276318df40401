import { SqliteIndexes, type SqliteIndexesOptions } from './sqlite/sqlite-indexes.ts';

export type { SqliteIndexes, SqliteIndexesOptions } from './sqlite/sqlite-indexes.ts';
export type { SqliteIndexBuilder } from './sqlite/sqlite-index-builder.ts';
export { ThreadEnded } from './sqlite/index-thread-handle.ts';

/** Opens nothing yet: directories, files and threads are created on demand. */
export const openSqliteIndexes = (options: SqliteIndexesOptions): SqliteIndexes => new SqliteIndexes(options);
