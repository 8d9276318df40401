export { FileClosed, FileUnusable, NewerSchema, type UndoneReason, UnitUndone, WriteFailed } from './errors.ts';
export { openSqliteFile, type SqliteFileOptions } from './open-sqlite-file.ts';
export {
  type ReadLimit,
  type Schema,
  SqliteFile,
  type SqlValue,
  type Step,
  type StepResult,
  type Transaction,
  type UnitOfWork,
} from './sqlite-file.ts';
