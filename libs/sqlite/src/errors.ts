/** Thrown if a file cannot be opened: it is unreadable, damaged or not a database, or WAL does not work there. */
export class FileUnusable extends Error {
  constructor(path: string, cause: unknown) {
    super(`cannot open ${path}: ${(cause as Error).message}`, { cause });
    this.name = 'FileUnusable';
  }
}

/**
 * Thrown by `write` and `migrate` if the file refused the whole group (disk full, I/O error, locked by another process), or an earlier sync of the
 * log has failed. The unit has no effect.
 */
export class WriteFailed extends Error {
  constructor(
    readonly detail: string,
    readonly sqliteCode?: number,
  ) {
    super(`write failed: ${detail}`);
    this.name = 'WriteFailed';
  }
}

/** SQLite's extended result code for a sync that the disk refused. */
const IOERR_FSYNC = 1034;

export const isOfSync = (sqliteCode: number | undefined): boolean => sqliteCode === IOERR_FSYNC;

/** Thrown by `migrate` if the file has steps that this program does not know, because a newer version has written it. */
export class NewerSchema extends Error {
  constructor(
    readonly module: string,
    /** Steps in the file. */
    readonly found: number,
    /** Steps in the program. */
    readonly known: number,
  ) {
    super(`the data of ${module} were written by a newer version (schema ${found}, this program knows ${known})`);
    this.name = 'NewerSchema';
  }
}

/** Thrown by every method after `close`. */
export class FileClosed extends Error {
  constructor(path: string) {
    super(`${path} is closed`);
    this.name = 'FileClosed';
  }
}
