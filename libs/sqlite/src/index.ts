export { FileClosed, FileUnusable, NewerSchema, WriteFailed } from './errors.ts';
export { openSqliteFile, type SqliteFileOptions } from './open-sqlite-file.ts';
export { type ReadLimit, type Schema, SqliteFile, type SqlValue, type Transaction, type UnitOfWork } from './sqlite-file.ts';
