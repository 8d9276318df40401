import type { GuardedFetch } from '@parlance/guarded-fetch';
import { CrawlReader } from './crawl.ts';
import { SourceFailed } from './source-failed.ts';
import type { Fingerprint, Opened } from './source.ts';
import type { WebBounds } from './visits.ts';

export interface PageOptions {
  readonly since?: Fingerprint;
  readonly signal: AbortSignal;
  readonly bounds?: Partial<WebBounds>;
}

/** Reads one page and respects robots.txt and the page's own marks. Rejects with SourceFailed, or with the reason of the signal. */
export async function fetchPage(guarded: GuardedFetch, url: string, { since, signal, bounds = {} }: PageOptions): Promise<Opened> {
  for await (const item of new CrawlReader(guarded, { start: url, scope: 'single_page', bounds }).items(signal)) return item.open(since);
  throw new SourceFailed('not_found', `${url} has no page.`);
}
