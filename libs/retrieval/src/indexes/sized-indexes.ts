import { byText, orderOf } from './checks.ts';
import { copySource, copySources } from './copy-sources.ts';
import { BuildLost, IndexFinished, IndexMissing } from './errors.ts';
import {
  type BuildOptions,
  IndexBuilder,
  type IndexName,
  type IndexSearch,
  KnowledgeIndexes,
  type ListedIndex,
  type NewChunk,
  type NewSource,
  type ReadableIndex,
} from './knowledge-indexes.ts';
import { MAX_PAGE } from './limits.ts';

/** Indexes that can be read while unfinished, so that they can be moved. */
export interface SmallIndexes extends KnowledgeIndexes {
  build(name: IndexName, options: BuildOptions): Promise<IndexBuilder & ReadableIndex>;
}

export interface SizedIndexesOptions {
  readonly small: SmallIndexes;
  readonly large: KnowledgeIndexes;
  /** The maximum chunks of an index in `small`. */
  readonly limit?: number;
  /** Resolves when an index may be removed. By default it may be removed at once. */
  readonly removalAllowed?: () => Promise<void>;
}

/** More chunks than this exceed the memory that one process has for vectors, and a scan of them takes more than 20 ms. */
const LIMIT = 50_000;

/**
 * Keeps small indexes in one adapter and large ones in another. A build starts in `small` unless it expects more chunks, and moves when it
 * exceeds the limit. A finished index never moves.
 */
export class SizedIndexes extends KnowledgeIndexes {
  private readonly small: SmallIndexes;
  private readonly large: KnowledgeIndexes;
  private readonly limit: number;
  private readonly removalAllowed: () => Promise<void>;
  private readonly builders = new Map<string, SizedBuilder>();

  constructor({ small, large, limit = LIMIT, removalAllowed = async () => undefined }: SizedIndexesOptions) {
    super();
    this.small = small;
    this.large = large;
    this.limit = limit;
    this.removalAllowed = removalAllowed;
  }

  override async build(name: IndexName, options: BuildOptions): Promise<IndexBuilder> {
    const key = orderOf(name);
    const builder: SizedBuilder = new SizedBuilder(name, options, {
      small: this.small,
      large: this.large,
      limit: this.limit,
      isCurrent: () => this.builders.get(key) === builder,
      end: () => {
        if (this.builders.get(key) === builder) this.builders.delete(key);
      },
      copy: (request) => copySources(this, request, { name, options, builder }),
    });
    this.builders.set(key, builder);
    try {
      // Also replaces the unfinished index of the other adapter.
      if (await this.describe(name)) throw new IndexFinished(name);
      await this.small.remove(name);
      await this.large.remove(name);
      return await builder.begin();
    } catch (error) {
      if (this.builders.get(key) === builder) this.builders.delete(key);
      throw error;
    }
  }

  override search(name: IndexName, search: IndexSearch) {
    return this.either((indexes) => indexes.search(name, search));
  }

  override async describe(name: IndexName) {
    return (await this.small.describe(name)) ?? this.large.describe(name);
  }

  override sources(name: IndexName, after: string | null, limit: number) {
    return this.either((indexes) => indexes.sources(name, after, limit));
  }

  override chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number) {
    return this.either((indexes) => indexes.chunksOf(name, sourceId, after, limit));
  }

  override async remove(name: IndexName): Promise<void> {
    this.builders.delete(orderOf(name));
    await this.removalAllowed();
    await Promise.all([this.small.remove(name), this.large.remove(name)]);
  }

  override async list(after: IndexName | null, limit: number): Promise<readonly ListedIndex[]> {
    const both = await Promise.all([this.small.list(after, limit), this.large.list(after, limit)]);
    const byName = new Map<string, ListedIndex>();
    for (const index of both.flat()) {
      const key = orderOf(index.name);
      // A killed build may have left a part in the other adapter.
      if (!byName.get(key)?.finished) byName.set(key, index);
    }
    const sorted = [...byName].sort(([one], [other]) => byText(one, other));
    return sorted.slice(0, limit).map(([, index]) => index);
  }

  override async close(): Promise<void> {
    await Promise.all([this.small.close(), this.large.close()]);
  }

  private async either<T>(read: (indexes: KnowledgeIndexes) => Promise<T>): Promise<T> {
    try {
      return await read(this.small);
    } catch (error) {
      if (!(error instanceof IndexMissing)) throw error;
      return read(this.large);
    }
  }
}

interface SizedBuildContext extends Required<Omit<SizedIndexesOptions, 'removalAllowed'>> {
  isCurrent(): boolean;
  end(): void;
  copy(request: { from: IndexName; sourceIds: readonly string[] }): Promise<{ sources: number; chunks: number }>;
}

class SizedBuilder extends IndexBuilder {
  private current: IndexBuilder | undefined;
  /** Set while the build is in `small`. */
  private readable: ReadableIndex | undefined;
  private chunks = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: IndexName,
    private readonly options: BuildOptions,
    private readonly context: SizedBuildContext,
  ) {
    super();
  }

  async begin(): Promise<this> {
    const { small, large, limit } = this.context;
    if ((this.options.expectedChunks ?? 0) > limit) this.current = await large.build(this.name, this.options);
    else this.current = this.readable = await small.build(this.name, this.options);
    return this;
  }

  /** One after the other, because a move must find everything that was added before it. */
  override add(source: NewSource, chunks: readonly NewChunk[]): Promise<void> {
    const added = this.last.then(async () => {
      this.assertCurrent();
      if (this.readable && this.chunks + chunks.length > this.context.limit) await this.move(this.readable);
      await this.current!.add(source, chunks);
      this.chunks += chunks.length;
    });
    this.last = added.catch(() => undefined);
    return added;
  }

  override async copy(from: IndexName, sourceIds: readonly string[]) {
    this.assertCurrent();
    return this.context.copy({ from, sourceIds });
  }

  override async finish() {
    await this.last;
    this.assertCurrent();
    const finished = await this.current!.finish();
    this.context.end();
    return finished;
  }

  override async abandon(): Promise<void> {
    if (!this.context.isCurrent()) return;
    this.context.end();
    await this.last;
    await this.current!.abandon();
  }

  private async move(readable: ReadableIndex): Promise<void> {
    const before = this.current!;
    const large = await this.context.large.build(this.name, this.options);
    try {
      for (let after: string | null = null; ;) {
        const page = await readable.sources(after, MAX_PAGE);
        for (const { id } of page) await copySource(readable, id, large, this.options.dimensions !== null);
        if (page.length === 0) break;
        after = page.at(-1)!.id;
      }
      this.assertCurrent();
    } catch (error) {
      await large.abandon();
      throw error;
    }
    this.current = large;
    this.readable = undefined;
    await before.abandon();
  }

  private assertCurrent(): void {
    if (!this.context.isCurrent()) throw new BuildLost(this.name);
  }
}
