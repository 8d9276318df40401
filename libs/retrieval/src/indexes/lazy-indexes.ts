import { IndexMissing } from './errors.ts';
import { type BuildOptions, type IndexBuilder, type IndexName, type IndexSearch, KnowledgeIndexes } from './knowledge-indexes.ts';

export interface LazyIndexesOptions {
  open(): Promise<KnowledgeIndexes>;
  /** Whether any index can exist. Called until the adapter is open. */
  exists(): boolean;
}

/** An adapter that is opened on demand: for its first build, or if indexes exist already. */
export class LazyIndexes extends KnowledgeIndexes {
  private opened: Promise<KnowledgeIndexes> | null = null;

  constructor(private readonly options: LazyIndexesOptions) {
    super();
  }

  override async build(name: IndexName, options: BuildOptions): Promise<IndexBuilder> {
    return (await this.open()).build(name, options);
  }

  override async search(name: IndexName, search: IndexSearch) {
    return (await this.required(name)).search(name, search);
  }

  override async describe(name: IndexName) {
    return (await this.ifThere())?.describe(name) ?? null;
  }

  override async sources(name: IndexName, after: string | null, limit: number) {
    return (await this.required(name)).sources(name, after, limit);
  }

  override async chunksOf(name: IndexName, sourceId: string, after: number | null, limit: number) {
    return (await this.required(name)).chunksOf(name, sourceId, after, limit);
  }

  override async remove(name: IndexName): Promise<void> {
    await (await this.ifThere())?.remove(name);
  }

  override async list(after: IndexName | null, limit: number) {
    return (await this.ifThere())?.list(after, limit) ?? [];
  }

  override async close(): Promise<void> {
    await (await this.opened)?.close();
  }

  private open(): Promise<KnowledgeIndexes> {
    // A failed opening is retried.
    this.opened ??= this.options.open().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private ifThere(): Promise<KnowledgeIndexes | null> {
    return this.opened || this.options.exists() ? this.open() : Promise.resolve(null);
  }

  private async required(name: IndexName): Promise<KnowledgeIndexes> {
    const indexes = await this.ifThere();
    if (!indexes) throw new IndexMissing(name);
    return indexes;
  }
}
