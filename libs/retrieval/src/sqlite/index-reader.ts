// Runs uncompiled in threads: only erasable types.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChunkPage, Hit, IndexedSource, NewChunk, SearchResult, SearchType } from '../indexes/knowledge-indexes.ts';
import { candidatesFor, fuse } from '../indexes/fusion.ts';
import { WrongDimensions } from '../indexes/errors.ts';
import { MAX_PAGE_CHARACTERS, MAX_QUERY_WORDS } from '../indexes/limits.ts';
import { type About, BLOCK_ROWS, normalised } from './index-file.ts';
import { anyOf, type QueryStems, type QueryWord } from './query-stems.ts';
import { BestRows, scan, type Scored } from './vector-scan.ts';

/** A match in the heading or title counts as much as five in the text. */
const WEIGHTS = '5.0, 1.0';

const LEXICAL = `SELECT rowid AS row, -bm25(words, ${WEIGHTS}) AS score FROM words WHERE words MATCH ? ORDER BY bm25(words, ${WEIGHTS}), rowid LIMIT ?`;
const CANDIDATE = 'SELECT id, parent FROM chunks WHERE row = ?';
const HIT = `
  SELECT c.id, s.id AS sourceId, c.ordinal, c.text, p.text AS parent, c.page_number, c.heading, s.name AS sourceName, s.title AS sourceTitle, s.kind
  FROM chunks c JOIN sources s ON s.row = c.source LEFT JOIN parents p ON p.row = c.parent WHERE c.row = ?`;
const SOURCE = 'SELECT id, kind, name, title, etag, last_modified AS lastModified, hash, chunks FROM sources';
const CHUNKS = `
  SELECT c.row, c.id, c.ordinal, c.text, p.text AS parent, c.page_number, c.heading
  FROM chunks c LEFT JOIN parents p ON p.row = c.parent WHERE c.source = ? AND c.row > ? ORDER BY c.row`;
const BLOCK = 'SELECT numbers FROM vectors WHERE block = ?';

export interface ReaderSearch {
  readonly text: string;
  readonly vector: Float32Array | null;
  readonly type: SearchType;
  readonly limit: number;
}

/** Reads one file. The caller decides whether the vectors may be kept in memory. */
export class IndexReader {
  private matrix: Float32Array | undefined;
  /** For pages of chunks, whose rows are adjacent. */
  private lastBlock: { block: number; numbers: Float32Array } | undefined;
  private readonly statements = new Map<string, StatementSync>();
  private readonly database: DatabaseSync;
  readonly about: About;

  constructor(database: DatabaseSync, about: About) {
    this.database = database;
    this.about = about;
  }

  get vectorBytes(): number {
    return this.about.chunks * (this.about.dimensions ?? 0) * Float32Array.BYTES_PER_ELEMENT;
  }

  /** The bytes of the vectors that are in memory. */
  get heldBytes(): number {
    return this.matrix?.byteLength ?? 0;
  }

  search({ text, vector, type: wanted, limit }: ReaderSearch, stems: QueryStems, mayHold: boolean): SearchResult {
    const { dimensions } = this.about;
    const isVectorial = wanted !== 'lexical' && dimensions !== null && vector !== null;
    if (isVectorial && vector.length !== dimensions)
      throw new WrongDimensions(`the vector of the query has ${vector.length} dimensions, but the index has ${dimensions}`);
    const type = isVectorial ? wanted : 'lexical';
    const count = candidatesFor(limit);
    const lexical = type === 'semantic' ? [] : this.lexical(text, stems, count);
    const nearest = isVectorial ? this.nearest(normalised(vector), count, mayHold) : [];
    const ranked = fuse(type, { lexical: this.candidates(lexical), vector: this.candidates(nearest) }, limit);
    const hits: Hit[] = [];
    let characters = 0;
    for (const { candidate, score, lexicalRank, vectorRank } of ranked) {
      const hit = this.prepared(HIT).get(candidate.row) as unknown as Omit<Hit, 'score' | 'rank' | 'lexicalRank' | 'vectorRank'>;
      characters += hit.text.length + (hit.parent?.length ?? 0);
      if (hits.length > 0 && characters > MAX_PAGE_CHARACTERS) break;
      hits.push({ ...hit, score, rank: hits.length + 1, lexicalRank, vectorRank });
    }
    return { hits, type };
  }

  sources(after: string | null, limit: number): IndexedSource[] {
    const rows = this.prepared(`${SOURCE} WHERE id > ? ORDER BY id LIMIT ?`).all(after ?? '', limit);
    return rows.map((row) => ({ ...row })) as unknown as IndexedSource[];
  }

  chunksOf(sourceId: string, after: number | null, limit: number): ChunkPage {
    const found = this.prepared(`${SOURCE} WHERE id = ?`).get(sourceId);
    if (!found) return { source: null, chunks: [], next: null };
    const source = { ...found } as unknown as IndexedSource;
    const { row: sourceRow } = this.prepared('SELECT row FROM sources WHERE id = ?').get(sourceId) as { row: number };
    const chunks: NewChunk[] = [];
    let [last, characters] = [after ?? 0, 0];
    // Iterated, so that a page of long texts is not read past its end.
    for (const each of this.prepared(CHUNKS).iterate(sourceRow, last)) {
      const { row, ...chunk } = each as unknown as Omit<NewChunk['chunk'], 'sourceId'> & { row: number };
      characters += chunk.text.length + (chunk.parent?.length ?? 0);
      if (chunks.length === limit || (chunks.length > 0 && characters > MAX_PAGE_CHARACTERS)) return { source, chunks, next: last };
      chunks.push({ chunk: { ...chunk, sourceId }, vector: this.vectorOf(row) });
      last = row;
    }
    return { source, chunks, next: null };
  }

  /** Loads all vectors into memory. The caller must check that there is enough memory. */
  hold(): void {
    const { chunks, dimensions } = this.about;
    if (this.matrix || dimensions === null) return;
    const matrix = new Float32Array(chunks * dimensions);
    for (const { first, numbers } of this.blocks()) matrix.set(numbers, (first - 1) * dimensions);
    this.matrix = matrix;
  }

  close(): void {
    this.matrix = undefined;
    this.statements.clear();
    this.database.close();
  }

  private lexical(text: string, stems: QueryStems, count: number): Scored[] {
    const { languages = [null], common: frequent } = this.about;
    const all = stems.of(text, languages);
    const common = new Set(frequent);
    const rare = all.filter(({ stem }) => !common.has(stem));
    const most = MAX_QUERY_WORDS * languages.length;
    const found = rare.length === 0 ? [] : this.matching(rare.slice(0, most), count);
    // Common words are used only if the other words do not find enough.
    return found.length === count || rare.length === all.length ? found : this.matching(all.slice(0, most), count);
  }

  private matching(words: readonly QueryWord[], count: number): Scored[] {
    return this.prepared(LEXICAL).all(anyOf(words), count) as unknown as Scored[];
  }

  private nearest(query: Float32Array, count: number, mayHold: boolean): readonly Scored[] {
    const best = new BestRows(count);
    if (mayHold) this.hold();
    if (this.matrix) scan(this.matrix, query, 1, best);
    else for (const { first, numbers } of this.blocks()) scan(numbers, query, first, best);
    return best.rows();
  }

  private *blocks(): Generator<{ first: number; numbers: Float32Array }> {
    for (let block = 1; (block - 1) * BLOCK_ROWS < this.about.chunks; block++)
      yield { first: (block - 1) * BLOCK_ROWS + 1, numbers: this.block(block) };
  }

  private block(block: number): Float32Array {
    const { numbers } = this.prepared(BLOCK).get(block) as { numbers: Uint8Array };
    // A view of floats must start at a multiple of four.
    const bytes = numbers.byteOffset % 4 === 0 ? numbers : Uint8Array.from(numbers);
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }

  private vectorOf(row: number): Float32Array | null {
    const { dimensions } = this.about;
    if (dimensions === null) return null;
    const block = Math.ceil(row / BLOCK_ROWS);
    if (this.lastBlock?.block !== block) this.lastBlock = { block, numbers: this.block(block) };
    const start = ((row - 1) % BLOCK_ROWS) * dimensions;
    return this.lastBlock.numbers.slice(start, start + dimensions);
  }

  private candidates(rows: readonly Scored[]): { row: number; id: string; parent: number | null; score: number }[] {
    return rows.map(({ row, score }) => ({ row, score, ...(this.prepared(CANDIDATE).get(row) as { id: string; parent: number | null }) }));
  }

  private prepared(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.database.prepare(sql)));
    return statement;
  }
}
