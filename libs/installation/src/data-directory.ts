import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FileRemovals } from './file-removals.ts';

export const OBJECTS = 'objects';
export const KNOWLEDGE = 'knowledge';
/** Folders whose files are complete before an event refers to them, and never change afterwards. A backup copies them file by file. */
export const TREES: readonly string[] = [OBJECTS, KNOWLEDGE];

/** Thrown at the start if the data directory cannot be used. The message is one line with the remedy. */
export class DataDirectoryUnusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DataDirectoryUnusable';
  }
}

/**
 * The data directory, locked for this process. The operating system releases the lock when the process ends, even after kill -9, so no lock file
 * has to be removed.
 */
export class DataDirectory {
  /** Removals of files in `TREES` wait for it. */
  readonly removals = new FileRemovals();

  private constructor(
    readonly path: string,
    private readonly lock: DatabaseSync,
  ) {}

  /** Throws `DataDirectoryUnusable`. */
  static take(path: string): DataDirectory {
    try {
      make(path);
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new DataDirectoryUnusable(
        `dataDir ${path} can't be written (${(error as NodeJS.ErrnoException).code}): choose another directory, or give this user the right to write it`,
      );
    }
    // Also for an existing directory: only this user can read new files in it.
    process.umask(0o077);
    let lock: DatabaseSync | undefined;
    try {
      lock = new DatabaseSync(join(path, 'lock.db'));
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; COMMIT;');
    } catch (error) {
      lock?.close();
      if (isBusy(error))
        throw new DataDirectoryUnusable(`dataDir ${path} is in use by another process: stop that process, or choose another directory`);
      throw new DataDirectoryUnusable(`dataDir ${path} can't be locked: ${(error as Error).message}`);
    }
    return new DataDirectory(path, lock);
  }

  /** The folder of objects, if no object store is configured. */
  get objects(): string {
    return this.file(OBJECTS);
  }

  /** The folder of the retrieval index. */
  get knowledge(): string {
    return this.file(KNOWLEDGE);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Whether the directory has been used before. */
  holdsData(): boolean {
    return readdirSync(this.path).some((name) => name.endsWith('.db') && name !== 'lock.db');
  }

  release(): void {
    this.lock.close();
  }
}

/** Creates one level after the other, because Node's recursive mkdir never ends where nothing can be created, such as below /proc. */
function make(path: string): void {
  if (existsSync(path)) return;
  make(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 5;
