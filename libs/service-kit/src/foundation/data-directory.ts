import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Thrown at the start of the one process when its data directory can't be used; the message is one line that says what to do. */
export class DataDirectoryUnusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataDirectoryUnusable';
  }
}

/**
 * The data directory, taken for this process alone. The lock is one that the operating system lifts when the process
 * ends, however it ends: no file has to be cleared away after a kill -9.
 */
export class DataDirectory {
  private constructor(
    readonly path: string,
    private readonly lock: DatabaseSync,
  ) {}

  /** Throws `DataDirectoryUnusable`. */
  static take(path: string): DataDirectory {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new DataDirectoryUnusable(
        `dataDir ${path} can't be written (${(error as NodeJS.ErrnoException).code}): choose another, or give this user the right to it`,
      );
    }
    let lock: DatabaseSync | undefined;
    try {
      lock = new DatabaseSync(join(path, 'lock.db'));
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; COMMIT;');
    } catch (error) {
      lock?.close();
      if (isBusy(error))
        throw new DataDirectoryUnusable(`dataDir ${path} is in use by another process: stop that one, or choose another directory`);
      throw new DataDirectoryUnusable(`dataDir ${path} can't be locked: ${(error as Error).message}`);
    }
    return new DataDirectory(path, lock);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  release(): void {
    this.lock.close();
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 5;
