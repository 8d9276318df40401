import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { decoderOf, type Fetched, type GuardedFetch } from '@parlance/guarded-fetch';
import { AddressPatterns, type CrawlScope, Scope } from './crawl-scope.ts';
import { namedAddress, pageAddress } from './page-address.ts';
import { PageMarks } from './page-marks.ts';
import { translatedBody, watchedBody, whenSearched } from './page-body.ts';
import { failureOf } from './source-failed.ts';
import { type Fingerprint, type Opened, type SourceItem, SourceReader } from './source.ts';
import { DEFAULT_WEB_BOUNDS, Visits, type WebBounds } from './visits.ts';

export const MAX_PAGES = 5_000;
export const MAX_DEPTH = 10;

export interface CrawlOptions {
  readonly start: string;
  readonly scope: CrawlScope;
  /** Empty means all pages. See `AddressPatterns`. The start page is always read for its links. */
  readonly includePatterns?: readonly string[];
  readonly excludePatterns?: readonly string[];
  /** The maximum number of links from the start to a page. */
  readonly maxDepth?: number;
  readonly maxPages?: number;
  readonly bounds?: Partial<WebBounds>;
}

const DEFAULT_DEPTH = 5;
const DEFAULT_PAGES = 1_000;
const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5';
const NO_TEXT = /^(image|video|audio|font)\/|^text\/css|javascript|^application\/(zip|gzip|x-7z|x-tar|octet-stream-archive)/i;

interface Visited {
  readonly opened: Opened;
  /** The answer whose links are collected until it is closed. */
  readonly source: Readable | null;
}

interface QueuedPage {
  readonly url: string;
  readonly depth: number;
}

/**
 * The pages of a site, breadth first. A page that may lead to others is always read, because its links are needed. It counts as unchanged if its
 * ETag is the known one. Other pages are requested conditionally.
 */
export class CrawlReader extends SourceReader {
  readonly url: string;
  isComplete = false;
  isCut = false;
  private readonly start: string;
  private readonly scope: Scope;
  private readonly include: AddressPatterns;
  private readonly exclude: AddressPatterns;
  private readonly maxDepth: number;
  private readonly maxPages: number;
  private readonly seen = new Set<string>();
  /** Final and canonical addresses of returned pages. */
  private readonly delivered = new Set<string>();
  private readonly frontier: QueuedPage[] = [];
  private readonly open = new Set<Promise<void>>();

  /** Throws SourceFailed `address_invalid` or `pattern_invalid`, and RangeError if a number is out of bounds. */
  constructor(
    private readonly guarded: GuardedFetch,
    private readonly options: CrawlOptions,
  ) {
    super();
    const { start, scope, maxDepth = DEFAULT_DEPTH, maxPages = DEFAULT_PAGES } = options;
    if (!(maxDepth >= 0 && maxDepth <= MAX_DEPTH && maxPages >= 1 && maxPages <= MAX_PAGES))
      throw new RangeError('maxDepth or maxPages is out of bounds.');
    this.url = start;
    this.start = namedAddress(start);
    this.scope = new Scope(this.start, scope);
    this.include = new AddressPatterns(options.includePatterns ?? []);
    this.exclude = new AddressPatterns(options.excludePatterns ?? []);
    this.maxDepth = scope === 'single_page' ? 0 : maxDepth;
    this.maxPages = scope === 'single_page' ? 1 : maxPages;
  }

  get found(): number {
    return this.seen.size;
  }

  async *items(signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const visits = new Visits(this.guarded, { ...DEFAULT_WEB_BOUNDS, ...this.options.bounds }, signal);
    this.add({ url: this.start, depth: 0 });
    for (;;) {
      signal.throwIfAborted();
      const page = this.frontier.shift();
      if (page) yield this.item(page, visits);
      else if (this.open.size > 0) await Promise.race(this.open);
      else break;
    }
    this.isComplete = true;
  }

  private item(page: QueuedPage, visits: Visits): SourceItem {
    const { url, depth } = page;
    return {
      key: url,
      name: url,
      isNamed: depth === 0,
      listed: null,
      open: async (since) => {
        const ended = Promise.withResolvers<void>();
        this.open.add(ended.promise);
        const end = () => {
          this.open.delete(ended.promise);
          ended.resolve();
        };
        try {
          const { opened, source } = await this.visit(page, visits, since);
          // Waits for the source and not for the body, because a short page is searched completely before its body is read.
          whenSearched(source, end);
          return opened;
        } catch (error) {
          end();
          throw error;
        }
      },
    };
  }

  private async visit(page: QueuedPage, visits: Visits, since: Fingerprint | undefined): Promise<Visited> {
    const { url, depth } = page;
    const isStart = depth === 0;
    const isLast = depth >= this.maxDepth;
    const isInScope = (target: URL) => (isStart ? this.scope.allowsAsStart(target) : this.contains(target));
    const visit = await visits.visit(url, { since: isLast ? since : undefined, accept: ACCEPT, isNamed: isStart, isInScope });
    if (visit.status === 'skipped') return { opened: visit, source: null };
    if (visit.status === 'unchanged') {
      this.delivered.add(url);
      return { opened: visit, source: null };
    }
    const { answer } = visit;
    return { opened: await this.judge(page, answer, visit.fingerprint, since), source: answer.body };
  }

  private async judge(
    { url, depth }: QueuedPage,
    answer: Fetched,
    fingerprint: Fingerprint,
    since: Fingerprint | undefined,
  ): Promise<Opened> {
    const isStart = depth === 0;
    const final = pageAddress(answer.url) ?? url;
    if (isStart) this.scope.moveTo(final);
    if (final !== url && this.delivered.has(final)) return skip(answer, 'duplicate');
    const contentType = answer.headers['content-type'] ?? '';
    if (NO_TEXT.test(contentType)) return skip(answer, 'content_type');
    const isPage = contentType === '' || /html/i.test(contentType);
    if (!isPage) {
      this.delivered.add(final);
      if (isSame(since, fingerprint)) return unchanged(answer, fingerprint);
      return {
        status: 'changed',
        url: final,
        contentType,
        fingerprint,
        body: translatedBody(answer.body, (error) => failureOf(error, url)),
      };
    }
    const marks = new PageMarks(final, decoderOf(contentType), answer.headers['x-robots-tag']);
    const body = await watchedBody(answer.body, marks, (error) => failureOf(error, url));
    whenSearched(answer.body, () => this.follow(marks, depth + 1));
    const reason = this.reasonToSkip(marks, final, isStart);
    if (reason !== null || isSame(since, fingerprint)) {
      await drained(body, depth >= this.maxDepth || marks.isNofollow);
      return reason === null ? { status: 'unchanged', fingerprint } : { status: 'skipped', reason };
    }
    return { status: 'changed', url: final, contentType, fingerprint, body };
  }

  private reasonToSkip(marks: PageMarks, final: string, isStart: boolean): 'noindex' | 'duplicate' | 'excluded' | null {
    if (marks.isNoindex) return 'noindex';
    if (isStart && !this.matches(new URL(final))) return 'excluded';
    const { canonical } = marks;
    // The first of several pages with the same canonical address represents all of them.
    if (canonical !== null && canonical !== final && this.delivered.has(canonical)) return 'duplicate';
    if (this.delivered.has(final)) return 'duplicate';
    this.delivered.add(final);
    if (canonical !== null && this.contains(new URL(canonical))) this.delivered.add(canonical);
    return null;
  }

  private follow(marks: PageMarks, depth: number): void {
    if (depth > this.maxDepth || marks.isNofollow) return;
    for (const url of marks.links) if (this.contains(new URL(url)) && this.matches(new URL(url))) this.add({ url, depth });
  }

  private add(page: QueuedPage): void {
    if (this.seen.has(page.url)) return;
    if (this.seen.size >= this.maxPages) {
      this.isCut = true;
      return;
    }
    this.seen.add(page.url);
    this.frontier.push(page);
  }

  private contains(url: URL): boolean {
    return this.scope.contains(url);
  }

  private matches(url: URL): boolean {
    return (this.include.isEmpty || this.include.match(url)) && !this.exclude.match(url);
  }
}

function skip(answer: Fetched, reason: 'duplicate' | 'content_type'): Opened {
  answer.dump();
  return { status: 'skipped', reason };
}

function unchanged(answer: Fetched, fingerprint: Fingerprint): Opened {
  answer.dump();
  return { status: 'unchanged', fingerprint };
}

function isSame(since: Fingerprint | undefined, { etag }: Fingerprint): boolean {
  return etag !== null && since?.etag === etag;
}

/** Reads a page for its links alone. A page that ends with an error keeps the links before the error. */
async function drained(body: Readable, isWithoutLinks: boolean): Promise<void> {
  if (isWithoutLinks) body.destroy();
  else body.resume();
  if (!body.closed) await once(body, 'close').catch(() => {});
}
