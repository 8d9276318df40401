export { FileClosed, FileUnusable, NewerSchema, type UndoneReason, UnitUndone, WriteFailed } from './errors.ts';
export { openSqliteFile } from './open-sqlite-file.ts';
export { type Schema, SqliteFile, type SqlValue, type Step, type StepResult } from './sqlite-file.ts';
