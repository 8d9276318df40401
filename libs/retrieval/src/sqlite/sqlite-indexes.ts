import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDimensions, assertHits, assertName, assertPage, byText, orderOf } from '../indexes/checks.ts';
import { copySources } from '../indexes/copy-sources.ts';
import { IndexMissing } from '../indexes/errors.ts';
import { type BuildOptions, type IndexName, type IndexSearch, KnowledgeIndexes, type ListedIndex } from '../indexes/knowledge-indexes.ts';
import { IDLE_MILLIS, IndexThread } from './index-thread-handle.ts';
import type { Paths } from './protocol.ts';
import { SqliteIndexBuilder } from './sqlite-index-builder.ts';

export interface SqliteIndexesOptions {
  /** The directory of the indexes. Nothing else may use it. The first build creates it. */
  readonly directory: string;
  /** Threads that search. All searches of a bot run in one of them. */
  readonly searchThreads?: number;
  /** Bytes of vectors that all threads together keep in memory. If an index exceeds one thread's share, its vectors are read from its file. */
  readonly vectorBytes?: number;
  /** A thread ends after this time without a call. */
  readonly idleMillis?: number;
}

const SEARCH_THREADS = 2;
const VECTOR_BYTES = 256 * 1024 ** 2;
const FINISHED = '.sqlite';
const UNFINISHED = '.building';

/** One file per bot and generation: `<directory>/<bot>/<generation>.sqlite`, and `.building` until it is finished. For one process only. */
export class SqliteIndexes extends KnowledgeIndexes {
  private readonly searchers: readonly IndexThread[];
  private readonly writer: IndexThread;
  /** By the path of the unfinished file. */
  private readonly builders = new Map<string, SqliteIndexBuilder>();

  constructor(private readonly options: SqliteIndexesOptions) {
    super();
    const { searchThreads: threads = SEARCH_THREADS, vectorBytes = VECTOR_BYTES, idleMillis = IDLE_MILLIS } = options;
    this.searchers = Array.from(
      { length: threads },
      (_, index) => new IndexThread(`knowledge searches ${index + 1}`, vectorBytes / threads, idleMillis),
    );
    this.writer = new IndexThread('knowledge builds', 0, idleMillis);
  }

  override async build(name: IndexName, options: BuildOptions): Promise<SqliteIndexBuilder> {
    const paths = this.paths(name);
    assertDimensions(options.dimensions);
    const builder: SqliteIndexBuilder = new SqliteIndexBuilder(name, options, {
      thread: this.writer,
      paths,
      isCurrent: () => this.builders.get(paths.unfinished) === builder,
      end: () => this.forget(paths.unfinished, builder),
      copy: (request) => copySources(this, request, { name, options, builder }),
    });
    this.builders.set(paths.unfinished, builder);
    try {
      await this.writer.call('begin', paths, options);
    } catch (error) {
      this.forget(paths.unfinished, builder);
      throw error;
    }
    return builder;
  }

  override async search(name: IndexName, search: IndexSearch) {
    assertHits(search.limit);
    return present(name, await this.searcher(name).call('search', this.path(name, FINISHED), search));
  }

  override async describe(name: IndexName) {
    const path = this.path(name, FINISHED);
    const described = await this.searcher(name).call('describe', path);
    const bytes = described && (await sizeOf(path));
    return bytes === null ? null : { ...described!, bytes };
  }

  override async sources(name: IndexName, after: string | null, limit: number) {
    assertPage(limit);
    return present(name, await this.searcher(name).call('sources', this.path(name, FINISHED), after, limit));
  }

  override async chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number) {
    assertPage(limit);
    return present(name, await this.searcher(name).call('chunksOf', this.path(name, FINISHED), sourceId, after, limit));
  }

  override async remove(name: IndexName): Promise<void> {
    const paths = this.paths(name);
    this.builders.delete(paths.unfinished);
    await this.writer.call('remove', paths);
    // Afterwards, so that the file is not reopened.
    await this.searcher(name).call('evict', paths.finished);
  }

  override async list(after: IndexName | null, limit: number): Promise<readonly ListedIndex[]> {
    assertPage(limit);
    const lastOrder = after === null ? '' : orderOf(after);
    const listed: ListedIndex[] = [];
    for (const bot of await namesIn(this.options.directory)) {
      if (`${bot}.` < lastOrder && !lastOrder.startsWith(`${bot}.`)) continue;
      for (const found of await this.indexesOf(bot)) {
        if (orderOf(found.name) > lastOrder) listed.push(found);
        if (listed.length === limit) return listed;
      }
    }
    return listed;
  }

  override async close(): Promise<void> {
    await Promise.all([...this.searchers, this.writer].map((thread) => thread.close()));
  }

  /** The threads that have been started and have not ended. */
  get runningThreads(): number {
    return [...this.searchers, this.writer].filter(({ isRunning }) => isRunning).length;
  }

  /** The open files and the bytes of vectors in memory. */
  async footprint(): Promise<{ files: number; vectorBytes: number }> {
    const each = await Promise.all(this.searchers.map((thread) => thread.call('footprint')));
    return each.reduce((one, other) => ({ files: one.files + other.files, vectorBytes: one.vectorBytes + other.vectorBytes }));
  }

  private async indexesOf(botId: string): Promise<ListedIndex[]> {
    const files = await namesIn(join(this.options.directory, botId));
    const listed: ListedIndex[] = [];
    for (const file of files) {
      const [, generation, suffix] = /^(.+)(\.sqlite|\.building)$/.exec(file) ?? [];
      if (generation === undefined || (suffix === UNFINISHED && files.includes(generation + FINISHED))) continue;
      const modified = await modifiedAt(join(this.options.directory, botId, file));
      if (modified !== null) listed.push({ name: { botId, generation }, modified, finished: suffix === FINISHED });
    }
    return listed;
  }

  private forget(unfinished: string, builder: SqliteIndexBuilder): void {
    if (this.builders.get(unfinished) === builder) this.builders.delete(unfinished);
  }

  private paths(name: IndexName): Paths {
    return { unfinished: this.path(name, UNFINISHED), finished: this.path(name, FINISHED) };
  }

  private path(name: IndexName, suffix: string): string {
    assertName(name);
    return join(this.options.directory, name.botId, name.generation + suffix);
  }

  /** Always the same thread for a bot, so that its vectors are in memory once. */
  private searcher({ botId }: IndexName): IndexThread {
    let hash = 0;
    for (let index = 0; index < botId.length; index++) hash = (hash * 31 + botId.charCodeAt(index)) | 0;
    return this.searchers[Math.abs(hash) % this.searchers.length]!;
  }
}

function present<T>(name: IndexName, result: T | null): T {
  if (result === null) throw new IndexMissing(name);
  return result;
}

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

const sizeOf = (path: string): Promise<number | null> => stat(path).then(({ size }) => size, absent);
const modifiedAt = (path: string): Promise<Date | null> => stat(path).then(({ mtime }) => mtime, absent);
/** Sorted as if a dot followed each name, as in `list`. File names have the dot. */
const namesIn = async (directory: string): Promise<string[]> =>
  ((await readdir(directory).catch(absent)) ?? []).sort((one, other) => byText(`${one}.`, `${other}.`));
