import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FetchRefused, type GuardedFetch } from '@parlance/guarded-fetch';
import { namedAddress, pageAddress } from './page-address.ts';
import { translatedBody } from './page-body.ts';
import { slices } from './slices.ts';
import { SitemapScanner } from './sitemap-scanner.ts';
import { failureOf, shown, SourceFailed } from './source-failed.ts';
import { type Fingerprint, type Opened, type SourceItem, SourceReader } from './source.ts';
import { DEFAULT_WEB_BOUNDS, Visits, type WebBounds } from './visits.ts';

export interface SitemapBounds extends WebBounds {
  /** Addresses of all sitemaps together. */
  readonly maxUrls: number;
  /** Sitemaps that an index names, at all levels together. */
  readonly maxChildren: number;
  /** Levels of index files. */
  readonly maxDepth: number;
}

/** The sitemap protocol allows 50,000 addresses and 50 MB in a sitemap. */
export const DEFAULT_SITEMAP_BOUNDS: SitemapBounds = { ...DEFAULT_WEB_BOUNDS, maxUrls: 50_000, maxChildren: 1_000, maxDepth: 3 };

export type SitemapUrl =
  | { readonly url: string; readonly lastModified: string | null }
  /** A sitemap of an index that could not be read. The other sitemaps are still read. */
  | { readonly url: string; readonly failure: SourceFailed };

interface Found {
  readonly kind: 'page' | 'sitemap';
  readonly url: string;
  readonly lastModified: string | null;
}

/** The pages that a sitemap names, each once. Create a new reader for each run. */
export class SitemapReader extends SourceReader {
  isComplete = false;
  isCut = false;
  private readonly start: string;
  private readonly bounds: SitemapBounds;
  private readonly pages = new Set<string>();
  private readonly sitemaps = new Set<string>();
  private failures = 0;

  /** Throws SourceFailed `address_invalid`. */
  constructor(
    private readonly guarded: GuardedFetch,
    readonly url: string,
    bounds: Partial<SitemapBounds> = {},
  ) {
    super();
    this.start = namedAddress(url);
    this.bounds = { ...DEFAULT_SITEMAP_BOUNDS, ...bounds };
  }

  /** More addresses exist than the bounds allow, so nothing more has to be read. */
  private get isFull(): boolean {
    return this.isCut && this.pages.size >= this.bounds.maxUrls;
  }

  get found(): number {
    return this.pages.size + this.failures;
  }

  async *items(signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
    const visits = new Visits(this.guarded, this.bounds, signal);
    for await (const entry of this.urls(signal, visits)) {
      const { url } = entry;
      const open = 'failure' in entry ? () => Promise.reject(entry.failure) : (since?: Fingerprint) => openPage(visits, url, since);
      yield { key: url, name: url, isNamed: false, listed: null, open };
    }
  }

  /** Throws SourceFailed if the named sitemap cannot be read. */
  async *urls(signal: AbortSignal, visits = new Visits(this.guarded, this.bounds, signal)): AsyncGenerator<SitemapUrl, void, undefined> {
    this.sitemaps.add(this.start);
    const waiting = [{ url: this.start, depth: 0 }];
    for (let next = waiting.shift(); next && !this.isFull; next = waiting.shift()) {
      signal.throwIfAborted();
      const { url, depth } = next;
      try {
        for await (const { kind, url: found, lastModified } of this.read(url, depth, visits)) {
          if (kind === 'page') yield { url: found, lastModified };
          else waiting.push({ url: found, depth: depth + 1 });
        }
      } catch (error) {
        if (depth === 0 || !(error instanceof SourceFailed)) throw error;
        this.failures++;
        yield { url, failure: error };
      }
    }
    this.isComplete = true;
  }

  private async *read(url: string, depth: number, visits: Visits): AsyncGenerator<Found> {
    const visit = await visits.visit(url, { isNamed: true, accept: 'application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5' });
    if (visit.status !== 'read') return;
    const { body } = visit.answer;
    const scanner = new SitemapScanner(shown(url));
    const decoder = new TextDecoder();
    try {
      for await (const chunk of inflated(body as AsyncIterable<Buffer>, this.bounds.maxBytes)) {
        for (const entry of scanner.feed(decoder.decode(chunk, { stream: true }))) {
          const found = this.take(entry.location, entry.isSitemap, depth, entry.lastModified, url);
          if (found) yield found;
          if (this.isFull) return;
        }
      }
      for (const { location, isSitemap, lastModified } of scanner.end()) {
        const found = this.take(location, isSitemap, depth, lastModified, url);
        if (found) yield found;
      }
    } catch (error) {
      throw failureOf(isDamaged(error) ? new FetchRefused('response_invalid', { cause: error }) : error, url);
    } finally {
      body.destroy();
    }
  }

  private take(location: string, isSitemap: boolean, depth: number, lastModified: string | null, base: string): Found | null {
    const url = pageAddress(location, base);
    const known = isSitemap ? this.sitemaps : this.pages;
    if (url === null || known.has(url)) return null;
    const isBeyond = isSitemap ? depth >= this.bounds.maxDepth || known.size > this.bounds.maxChildren : known.size >= this.bounds.maxUrls;
    if (isBeyond) {
      this.isCut = true;
      return null;
    }
    known.add(url);
    return { kind: isSitemap ? 'sitemap' : 'page', url, lastModified };
  }
}

/** The addresses that a sitemap names. Throws SourceFailed if it cannot be read. */
export function sitemapUrls(guarded: GuardedFetch, url: string, signal: AbortSignal, bounds: Partial<SitemapBounds> = {}) {
  return new SitemapReader(guarded, url, bounds).urls(signal);
}

async function openPage(visits: Visits, url: string, since: Fingerprint | undefined): Promise<Opened> {
  const visit = await visits.visit(url, { since, isNamed: false });
  if (visit.status !== 'read') return visit;
  const { answer, fingerprint } = visit;
  const body = translatedBody(answer.body, (error) => failureOf(error, url));
  return { status: 'changed', url: answer.url, contentType: answer.headers['content-type'] ?? '', fingerprint, body };
}

function isDamaged(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
}

/** Gzip is recognised by its first two bytes, because servers send it with arbitrary names and types. The inflated bytes are bounded. */
async function* inflated(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield* slices(next.value);
  }
  if (start.length < 2 || start.readUInt16BE(0) !== GZIP) {
    yield* all();
    return;
  }
  const source = Readable.from(all(), { objectMode: false });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new FetchRefused('too_large');
      yield* slices(chunk);
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

const GZIP = 0x1f8b;
