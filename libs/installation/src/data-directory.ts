import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FileRemovals } from './file-removals.ts';

export const OBJECTS = 'objects';
export const KNOWLEDGE = 'knowledge';
/** Folders whose files are complete before an event names them, and never change afterwards. A backup copies them file by file. */
export const TREES: readonly string[] = [OBJECTS, KNOWLEDGE];

/** Thrown at the start if the data directory cannot be used. The message is one line with the remedy. */
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
        `dataDir ${path} can't be written (${(error as NodeJS.ErrnoException).code}): choose another, or give this user the right to it`,
      );
    }
    // Also for an existing directory: new files in it are readable by this user only.
    process.umask(0o077);
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

  /** Where objects are kept, unless an object store is configured. */
  get objects(): string {
    return this.file(OBJECTS);
  }

  /** Where the retrieval index keeps its files. */
  get knowledge(): string {
    return this.file(KNOWLEDGE);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Whether it has been used before. */
  holdsData(): boolean {
    return readdirSync(this.path).some((name) => name.endsWith('.db') && name !== 'lock.db');
  }

  release(): void {
    this.lock.close();
  }
}

/** One level after the other: Node's own recursive mkdir never ends where nothing can be made, as below /proc. */
function make(path: string): void {
  if (existsSync(path)) return;
  make(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 5;
