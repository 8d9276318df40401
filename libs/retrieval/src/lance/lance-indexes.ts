import type { Connection, Table } from '@lancedb/lancedb';
import { assertDimensions, assertHits, assertName, assertPage } from '../indexes/checks.ts';
import { copySources } from '../indexes/copy-sources.ts';
import { IndexDamaged, IndexFinished, IndexMissing } from '../indexes/errors.ts';
import {
  type BuildOptions,
  type ChunkPage,
  type IndexedSource,
  type IndexName,
  type IndexSearch,
  KnowledgeIndexes,
  type ListedIndex,
  type NewChunk,
} from '../indexes/knowledge-indexes.ts';
import type { Language } from '../indexes/languages.ts';
import { MAX_PAGE_CHARACTERS } from '../indexes/limits.ts';
import { isDamage } from './damage.ts';
import { exists, LanceIndexBuilder } from './lance-index-builder.ts';
import { searchTable } from './lance-search.ts';
import type { Lance } from './native.ts';
import { CHUNK_COLUMNS, chunkOf } from './schema.ts';
import {
  chunksTableOf,
  dropTable,
  isAbsent,
  newAttempt,
  openTable,
  partsOf,
  pointerOf,
  sourcesTableOf,
  tablesAfter,
  tablesOf,
  timeOf,
} from './tables.ts';

/** Indexes whose tables are kept open. Each open table keeps parts of its index in memory. */
const MAX_OPEN = 100;

interface OpenIndex {
  readonly chunks: Table;
  readonly sources: Table;
  /** `languages` as in the SQLite files. */
  readonly about: {
    dimensions: number | null;
    embeddingModel: string | null;
    languages?: readonly (Language | null)[];
    chunks: number;
    sources: number;
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** LanceDB tables in a directory or on object storage. Several processes may share them. */
export class LanceIndexes extends KnowledgeIndexes {
  /** By name, the least recently used first. */
  private readonly open = new Map<string, OpenIndex>();
  /** The builds of this process by name. */
  private readonly builders = new Map<string, LanceIndexBuilder>();
  /** Keys of indexes that this process is removing. */
  private readonly removing = new Set<string>();

  constructor(
    private readonly lance: Lance,
    private readonly connection: Connection,
  ) {
    super();
  }

  override async build(name: IndexName, options: BuildOptions): Promise<LanceIndexBuilder> {
    assertName(name);
    assertDimensions(options.dimensions);
    const { lance, connection } = this;
    const key = pointerOf(name);
    const attempt = newAttempt();
    const builder: LanceIndexBuilder = new LanceIndexBuilder(name, options, {
      lance,
      connection,
      attempt,
      isCurrent: () => this.builders.get(key) === builder,
      end: () => this.forget(key, builder),
      copy: (request) => copySources(this, request, { name, options, builder }),
    });
    const before = this.builders.get(key);
    this.builders.set(key, builder);
    try {
      if (await exists(connection, name)) throw new IndexFinished(name);
      await before?.drop();
      const [, ...attempts] = await tablesOf(connection, name);
      for (const table of attempts) await dropTable(connection, table);
      return await builder.begin();
    } catch (error) {
      this.forget(key, builder);
      throw error;
    }
  }

  override async search(name: IndexName, search: IndexSearch) {
    assertHits(search.limit);
    return this.reading(name, ({ chunks: table, about: { chunks, dimensions, languages = [null] } }) =>
      searchTable({ lance: this.lance, table, dimensions, chunks, languages }, search),
    );
  }

  override async describe(name: IndexName) {
    try {
      return await this.reading(name, async ({ chunks: table, about: { chunks, sources, dimensions, embeddingModel } }) => {
        const { totalBytes } = await table.stats();
        return { chunks, sources, dimensions, embeddingModel, bytes: totalBytes };
      });
    } catch (error) {
      if (error instanceof IndexMissing) return null;
      throw error;
    }
  }

  override async sources(name: IndexName, after: string | null, limit: number) {
    assertPage(limit);
    return this.reading(name, ({ sources }) => sourcesWhere(sources, `id > ${quoted(after ?? '')}`, limit));
  }

  override async chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number) {
    assertPage(limit);
    return this.reading(name, (index) => chunkPage(index, sourceId, after ?? 0, limit));
  }

  override async remove(name: IndexName): Promise<void> {
    assertName(name);
    const key = pointerOf(name);
    const builder = this.builders.get(key);
    this.builders.delete(key);
    await builder?.drop();
    this.removing.add(key);
    try {
      // The pointer first: without it nothing is found.
      for (const table of await tablesOf(this.connection, name)) await dropTable(this.connection, table);
    } finally {
      this.removing.delete(key);
    }
    this.discard(key);
  }

  override async list(after: IndexName | null, limit: number): Promise<readonly ListedIndex[]> {
    assertPage(limit);
    if (after !== null) assertName(after);
    const attempts = new Map<string, { name: IndexName; tables: string[] }>();
    // Pointers are left out, because their names sort differently. "/" is the character after ".".
    for await (const table of tablesAfter(this.connection, after === null ? '' : `${pointerOf(after)}/`)) {
      const parts = partsOf(table);
      if (parts?.attempt == null) continue;
      const key = pointerOf(parts.name);
      const known = attempts.get(key);
      if (!known && attempts.size === limit) break;
      if (known) known.tables.push(table);
      else attempts.set(key, { name: parts.name, tables: [table] });
    }
    const listed: ListedIndex[] = [];
    for (const { name, tables } of attempts.values()) listed.push(await this.listedOf(name, tables));
    return listed;
  }

  override async close(): Promise<void> {
    this.open.clear();
    this.connection.close();
  }

  private async listedOf(name: IndexName, tables: readonly string[]): Promise<ListedIndex> {
    const newest = tables.flatMap((table) => partsOf(table)?.attempt ?? []).at(-1);
    let finished = true;
    let modified = timeOf(newest ?? '');
    try {
      const pointer = await openTable(this.connection, pointerOf(name));
      finished = pointer !== null;
      const table = pointer ?? (newest === undefined ? null : await openTable(this.connection, chunksTableOf(name, newest)));
      if (table) modified = (await table.listVersions()).at(-1)?.timestamp ?? new Date(0);
      table?.close();
    } catch (error) {
      // The others are listed, and this one can still be removed.
      if (!isDamage(error)) throw error;
    }
    return { name, modified, finished };
  }

  /** Rejects with `IndexMissing`. */
  private async use(name: IndexName): Promise<OpenIndex> {
    assertName(name);
    const key = pointerOf(name);
    const index = this.open.get(key) ?? (await this.opened(name));
    this.open.delete(key);
    this.open.set(key, index);
    for (const oldest of this.open.keys()) {
      if (this.open.size <= MAX_OPEN) break;
      this.discard(oldest);
    }
    return index;
  }

  private async opened(name: IndexName): Promise<OpenIndex> {
    const pointer = await openTable(this.connection, pointerOf(name));
    if (!pointer) throw new IndexMissing(name);
    const [row] = (await pointer.query().limit(1).toArray()) as { attempt: string; json: string }[];
    pointer.close();
    const { attempt, json } = row!;
    const chunks = await openTable(this.connection, chunksTableOf(name, attempt));
    const sources = await openTable(this.connection, sourcesTableOf(name, attempt));
    if (!chunks || !sources) throw new Error('a table of the index was not found');
    return { chunks, sources, about: JSON.parse(json) as OpenIndex['about'] };
  }

  private async reading<T>(name: IndexName, read: (index: OpenIndex) => Promise<T>): Promise<T> {
    try {
      return await read(await this.use(name));
    } catch (error) {
      if (!isAbsent(error) && !isDamage(error)) throw error;
      const key = pointerOf(name);
      // A file that is being removed may look damaged. A removal by another process removes the pointer first.
      const isRemoved = this.removing.has(key) || (await this.isRemoved(name));
      this.discard(key);
      if (isRemoved) throw new IndexMissing(name);
      throw new IndexDamaged(name, error);
    }
  }

  private async isRemoved(name: IndexName): Promise<boolean> {
    try {
      return !(await exists(this.connection, name));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return false;
    }
  }

  /** Tables are left to the garbage collector, because a search may be using them. */
  private discard(key: string): void {
    this.open.delete(key);
  }

  private forget(key: string, builder: LanceIndexBuilder): void {
    if (this.builders.get(key) === builder) this.builders.delete(key);
  }
}

async function sourcesWhere(table: Table, where: string, limit: number): Promise<IndexedSource[]> {
  const rows = await table.query().where(where).orderBy({ columnName: 'id' }).limit(limit).toArray();
  return rows.map(({ id, kind, name, title, etag, last_modified: lastModified, hash, chunks }) => ({
    id,
    kind,
    name,
    title,
    etag,
    lastModified,
    hash,
    chunks,
  }));
}

async function chunkPage({ chunks: table, sources, about }: OpenIndex, sourceId: string, after: number, limit: number): Promise<ChunkPage> {
  const [source] = await sourcesWhere(sources, `id = ${quoted(sourceId)}`, 1);
  if (!source) return { source: null, chunks: [], next: null };
  const columns = about.dimensions === null ? CHUNK_COLUMNS : [...CHUNK_COLUMNS, 'vector'];
  const rows = await table
    .query()
    .where(`source_id = ${quoted(sourceId)} AND position > ${after}`)
    .orderBy({ columnName: 'position' })
    .select(columns)
    .limit(limit + 1)
    .toArray();
  const chunks: NewChunk[] = [];
  let [last, characters] = [after, 0];
  for (const row of rows) {
    const chunk = chunkOf(row);
    characters += chunk.text.length + (chunk.parent?.length ?? 0);
    if (chunks.length === limit || (chunks.length > 0 && characters > MAX_PAGE_CHARACTERS)) return { source, chunks, next: last };
    chunks.push({ chunk, vector: row.vector ? Float32Array.from(row.vector.toArray() as Float32Array) : null });
    last = row.position as number;
  }
  return { source, chunks, next: null };
}
