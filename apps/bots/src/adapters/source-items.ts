import { createHash } from 'node:crypto';
import type { GuardedFetch } from '@parlance/guarded-fetch';
import type { IndexedSource } from '@parlance/retrieval';
import { CrawlReader, SitemapReader, type SkipReason, SourceFailed, type SourceItem, type SourceReader } from '@parlance/sources';
import type { Crawling } from '../domain/configuration.ts';
import type { SourceProblem } from '../domain/knowledge/source-warnings.ts';
import type { KnowledgeSources } from '../domain/knowledge/knowledge-sources.ts';
import { download } from './downloads.ts';
import { FileItem } from './file-items.ts';
import type { UploadLocation, FileStore } from './file-store.ts';
import { type Download, type FailedSource, type Fingerprint, ItemFailed, type KnowledgeItem, KnowledgeItems } from './knowledge-items.ts';
import type { ObjectLists } from './object-lists.ts';

type Kind = IndexedSource['kind'];

/** The most items of one source. A run limits the total of a bot. */
const MOST_OF_A_SOURCE = 20_000;

/** The items of all kinds of sources: files first, then pages, sitemaps and objects. An item that two sources name is read once. */
export class SourceItems extends KnowledgeItems {
  constructor(
    private readonly files: FileStore,
    private readonly fetch: GuardedFetch,
    private readonly lists: ObjectLists,
    private readonly maxBytes: number,
  ) {
    super();
  }

  override async *of(location: UploadLocation, sources: KnowledgeSources, crawling: Crawling, signal: AbortSignal) {
    for (const name of sources.filenames) yield new FileItem(this.files, location, name);
    const seen = new Set<string>();
    const { web_crawling_scope: scope, web_crawling_filters: filters, web_crawling_limits: limits } = crawling;
    const bounds = { maxBytes: this.maxBytes };
    for (const start of sources.source_urls) {
      const crawl = () =>
        new CrawlReader(this.fetch, {
          start,
          scope,
          includePatterns: filters.include_patterns,
          excludePatterns: filters.exclude_patterns,
          maxDepth: limits.max_depth,
          maxPages: limits.max_pages,
          bounds,
        });
      yield* itemsOf('page', start, crawl, seen, signal);
    }
    for (const url of sources.sitemap_urls)
      yield* itemsOf('sitemap_page', url, () => new SitemapReader(this.fetch, url, { ...bounds, maxUrls: MOST_OF_A_SOURCE }), seen, signal);
    for (const url of sources.s3_urls)
      yield* itemsOf('s3', url, () => this.lists.reader(url, { ...bounds, maxObjects: MOST_OF_A_SOURCE }), seen, signal);
  }
}

async function* itemsOf(
  kind: Kind,
  name: string,
  open: () => SourceReader,
  seen: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<KnowledgeItem | FailedSource> {
  try {
    const reader = open();
    for await (const item of reader.items(signal)) {
      if (seen.has(item.key)) continue;
      seen.add(item.key);
      yield new RemoteItem(kind, item);
    }
    // The owner chooses how many pages of a crawl are read.
    if (reader.isCut && kind !== 'page')
      yield {
        kind,
        name,
        failure: { code: 'too_many_items', message: `${name} has more than ${MOST_OF_A_SOURCE} pages or objects. Narrow it.` },
      };
  } catch (error) {
    if (!(error instanceof SourceFailed)) throw error;
    yield { kind, name, failure: error };
  }
}

/** Explains why a page that the bot names is not read. */
const SKIPPED: Readonly<Record<Exclude<SkipReason, 'duplicate'>, readonly [SourceProblem, string]>> = {
  noindex: ['noindex', 'The page asks robots not to use it. Remove it, or upload its content as a file.'],
  robots: ['robots_disallowed', 'The robots.txt of the site does not allow this page. Remove it, or upload its content as a file.'],
  gone: ['not_found', 'The page does not exist. Correct or remove its address.'],
  excluded: ['excluded', 'The patterns of the bot exclude the page. Change the patterns, or remove the page.'],
  out_of_scope: ['redirect_refused', 'The page redirects to another site. Use the address of its target.'],
  content_type: ['type_unknown', 'The address has no text. Remove it.'],
};

/** A page or an object. */
class RemoteItem implements KnowledgeItem {
  readonly id: string;
  readonly name: string;

  constructor(
    readonly kind: Kind,
    private readonly item: SourceItem,
  ) {
    this.id = createHash('sha256').update(item.key).digest('hex').slice(0, 40);
    this.name = item.name;
  }

  async read(since: Fingerprint | null, directory: string, signal: AbortSignal): Promise<Download | 'unchanged' | 'gone'> {
    try {
      const opened = await this.item.open(since ? { etag: since.etag, lastModified: since.lastModified } : undefined);
      if (opened.status === 'unchanged') return 'unchanged';
      if (opened.status === 'skipped') {
        if (this.item.isNamed && opened.reason !== 'duplicate') throw new ItemFailed(...SKIPPED[opened.reason]);
        return 'gone';
      }
      const { body, contentType, fingerprint } = opened;
      const isWebPage = this.kind !== 's3' && /html/i.test(contentType);
      return { ...(await download(body, directory, signal)), ...fingerprint, contentType, isWebPage };
    } catch (error) {
      throw error instanceof SourceFailed ? new ItemFailed(error.code, error.message) : error;
    }
  }
}
