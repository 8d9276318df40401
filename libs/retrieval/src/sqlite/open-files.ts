// Runs uncompiled in threads: only erasable types.
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import type { About } from './index-file.ts';
import { IndexReader } from './index-reader.ts';

/** The files that a thread keeps open. Reopening one takes some milliseconds. */
const MAX_OPEN = 64;

/** Open files by path, the least recently used first. Files never change, so they are read without locks. */
export class OpenFiles {
  private readonly readers = new Map<string, IndexReader>();
  private held = 0;
  private readonly vectorBytes: number;

  /** `vectorBytes`: the bytes of vectors that may stay in memory. */
  constructor(vectorBytes: number) {
    this.vectorBytes = vectorBytes;
  }

  /** Undefined if there is no such file. Throws an error named `IndexDamaged` if its content cannot be read. */
  use<T>(path: string, work: (reader: IndexReader, mayHold: boolean) => T): T | undefined {
    try {
      return this.read(path, work);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.evict(path);
      throw Object.assign(new Error(`an index is damaged: ${(error as Error).message}`), { name: 'IndexDamaged' });
    }
  }

  private read<T>(path: string, work: (reader: IndexReader, mayHold: boolean) => T): T | undefined {
    const reader = this.readers.get(path) ?? open(path);
    if (!reader) return undefined;
    this.readers.delete(path);
    this.readers.set(path, reader);
    const before = reader.heldBytes;
    try {
      return work(reader, reader.vectorBytes <= this.vectorBytes);
    } finally {
      this.held += reader.heldBytes - before;
      this.trim();
    }
  }

  evict(path: string): void {
    const reader = this.readers.get(path);
    if (!reader) return;
    this.readers.delete(path);
    this.held -= reader.heldBytes;
    reader.close();
  }

  /** The open files, for tests and metrics. */
  footprint(): { files: number; vectorBytes: number } {
    return { files: this.readers.size, vectorBytes: this.held };
  }

  private trim(): void {
    for (const path of this.readers.keys()) {
      if (this.held <= this.vectorBytes && this.readers.size <= MAX_OPEN) return;
      this.evict(path);
    }
  }
}

/** SQLite's primary codes: a table is missing, an I/O error, a malformed file, no database. */
const DAMAGE = new Set([1, 10, 11, 26]);

/** A finished file never changes, so a row that is missing or has another form is damage as well. */
function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  if (errcode !== undefined) return DAMAGE.has(errcode & 0xff);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

function open(path: string): IndexReader | undefined {
  const url = pathToFileURL(path);
  url.search = '?mode=ro&immutable=1';
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    database.exec('PRAGMA query_only=ON; PRAGMA cache_size=-1024');
    const { json } = database.prepare('SELECT json FROM about').get() as { json: string };
    return new IndexReader(database, JSON.parse(json) as About);
  } catch (error) {
    database?.close();
    // SQLITE_CANTOPEN.
    if ((error as { errcode?: number }).errcode === 14) return undefined;
    throw error;
  }
}
