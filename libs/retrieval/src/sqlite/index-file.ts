// Runs uncompiled in threads: only erasable types.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { DuplicateChunk } from '../indexes/errors.ts';
import type { BuildOptions, NewChunk, NewSource } from '../indexes/knowledge-indexes.ts';
import { type Language, languageOf, stemmed } from '../indexes/languages.ts';
import { headOf, searchableText } from '../indexes/searchable-text.ts';

/** Vectors are stored in blocks, so that loading them takes a few large reads. */
export const BLOCK_ROWS = 256;
/** From this many chunks on, words that most chunks have are left out of queries. See `commonWords`. */
const MIN_CHUNKS_WITH_COMMON_WORDS = 1_000;

/** Marks are part of words, because Thai and Indic vowels are marks. */
export const TOKENIZER = `porter unicode61 remove_diacritics 2 categories ''L* N* Co Mn Mc''`;

const SCHEMA = `
  CREATE TABLE about (json TEXT NOT NULL);
  CREATE TABLE sources (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL, title TEXT, etag TEXT,
    last_modified TEXT, hash TEXT, chunks INTEGER NOT NULL);
  CREATE TABLE parents (row INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE TABLE chunks (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    page_number INTEGER, heading TEXT, parent INTEGER, text TEXT NOT NULL);
  CREATE INDEX chunks_of_source ON chunks (source);
  CREATE VIRTUAL TABLE words USING fts5 (head, body, content = '', tokenize = '${TOKENIZER}');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row');
  CREATE TABLE vectors (block INTEGER PRIMARY KEY, numbers BLOB NOT NULL);
`;

export interface About {
  readonly dimensions: number | null;
  readonly embeddingModel: string | null;
  readonly chunks: number;
  readonly sources: number;
  /** Languages of stemmed chunks, and null for chunks without stems. Absent in files of earlier releases, where no chunks are stemmed. */
  readonly languages?: readonly (Language | null)[];
  /** Stems that more than half of the chunks have. */
  readonly common: readonly string[];
}

/** Writes one file. A crash makes an unfinished file useless, so nothing is synced before the end. */
export class IndexFileWriter {
  readonly database: DatabaseSync;
  readonly options: BuildOptions;
  readonly languages = new Set<Language | null>();
  private rows = 0;
  private block: Float32Array[] = [];
  private readonly statements: Record<'known' | 'source' | 'parent' | 'parentRow' | 'chunk' | 'words' | 'vectors', StatementSync>;

  constructor(path: string, options: BuildOptions) {
    this.options = options;
    this.database = new DatabaseSync(path);
    this.database.exec(
      'PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-16384',
    );
    this.database.exec(`BEGIN; ${SCHEMA}`);
    const prepare = (sql: string) => this.database.prepare(sql);
    this.statements = {
      known: prepare('SELECT 1 FROM chunks WHERE id = ?'),
      source: prepare(
        `INSERT INTO sources (id, kind, name, title, etag, last_modified, hash, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, title = excluded.title, etag = excluded.etag,
           last_modified = excluded.last_modified, hash = excluded.hash, chunks = chunks + excluded.chunks
         RETURNING row`,
      ),
      parent: prepare('INSERT OR IGNORE INTO parents (digest, text) VALUES (?, ?)'),
      parentRow: prepare('SELECT row FROM parents WHERE digest = ?'),
      chunk: prepare('INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
      words: prepare('INSERT INTO words (rowid, head, body) VALUES (?, ?, ?)'),
      vectors: prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?)'),
    };
  }

  get chunks(): number {
    return this.rows;
  }

  add(source: NewSource, chunks: readonly NewChunk[]): void {
    // Before the first write, because there is no rollback.
    const ids = new Set<string>();
    for (const { chunk } of chunks) {
      if (ids.has(chunk.id) || this.statements.known.get(chunk.id)) throw new DuplicateChunk(chunk.id);
      ids.add(chunk.id);
    }
    const { id, kind, name, title, etag, lastModified, hash } = source;
    const { row } = this.statements.source.get(id, kind, name, title, etag, lastModified, hash, chunks.length) as { row: number };
    for (const { chunk, vector } of chunks) {
      const at = ++this.rows;
      const parent = chunk.parent === null ? null : this.parentOf(row, chunk.parent);
      this.statements.chunk.run(at, chunk.id, row, chunk.ordinal, chunk.page_number, chunk.heading, parent, chunk.text);
      const language = languageOf(chunk.text);
      this.languages.add(language);
      const [head, body] = [headOf(source, chunk.heading), searchableText(chunk.text)];
      this.statements.words.run(at, stemmed(head, language), stemmed(body, language));
      if (vector) this.addVector(vector);
    }
  }

  /** Writes everything that is still in memory. Afterwards the file can be read through this connection. */
  flush(): void {
    if (this.block.length === 0) return;
    const { dimensions } = this.options;
    const numbers = new Float32Array(this.block.length * dimensions!);
    for (const [index, vector] of this.block.entries()) numbers.set(vector, index * dimensions!);
    this.statements.vectors.run(Math.ceil(this.rows / BLOCK_ROWS), new Uint8Array(numbers.buffer));
    // A block that is not full yet is written again later.
    if (this.block.length === BLOCK_ROWS) this.block = [];
  }

  /** Afterwards the file is complete, but not yet synced. */
  finish(): About {
    this.flush();
    this.database.exec("INSERT INTO words (words) VALUES ('optimize')");
    const { count } = this.database.prepare('SELECT count(*) AS count FROM sources').get() as { count: number };
    const { dimensions, embeddingModel } = this.options;
    const [languages, common] = [[...this.languages], this.commonWords()];
    const about: About = { dimensions, embeddingModel, chunks: this.rows, sources: count, languages, common };
    this.database.prepare('INSERT INTO about VALUES (?)').run(JSON.stringify(about));
    this.database.exec('COMMIT');
    this.database.close();
    return about;
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  /**
   * BM25 gives no weight to a word that more than half of the rows have, but such words take most of a query's time. Small indexes are fast
   * enough, and half of their chunks may be one or two.
   */
  private commonWords(): string[] {
    if (this.rows < MIN_CHUNKS_WITH_COMMON_WORDS) return [];
    const rows = this.database.prepare('SELECT term FROM vocabulary WHERE doc > ?').all(this.rows / 2) as { term: string }[];
    return rows.map(({ term }) => term);
  }

  private parentOf(source: number, text: string): number {
    const digest = createHash('sha256').update(`${source}\n`).update(text).digest();
    this.statements.parent.run(digest, text);
    return (this.statements.parentRow.get(digest) as { row: number }).row;
  }

  private addVector(vector: Float32Array): void {
    this.block.push(normalised(vector));
    if (this.block.length === BLOCK_ROWS) this.flush();
  }
}

/** Scaled to length 1, so that the dot product is the cosine. A vector of zeros is unchanged. */
export function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const number of vector) sum += number * number;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((number) => number / length);
}
