import type { Readable } from 'node:stream';

/** Identifies one state of an item. Pass the values of the last run to `open`. */
export interface Fingerprint {
  readonly etag: string | null;
  /** As the server sent it. */
  readonly lastModified: string | null;
}

/** Why an item has no content for the source. It is not a failure. */
export type SkipReason = 'noindex' | 'duplicate' | 'robots' | 'gone' | 'excluded' | 'out_of_scope' | 'content_type';

export type Opened =
  | {
      readonly status: 'changed';
      /** The address after redirects. */
      readonly url: string;
      readonly contentType: string;
      readonly fingerprint: Fingerprint;
      /** Read it to its end or destroy it. Its bytes and time are bounded. Past a bound it errors with SourceFailed. */
      readonly body: Readable;
    }
  | { readonly status: 'unchanged'; readonly fingerprint: Fingerprint }
  | { readonly status: 'skipped'; readonly reason: SkipReason };

export interface SourceItem {
  /** The same in every run: the normalised URL. */
  readonly key: string;
  readonly name: string;
  /** True if the owner of the bot named this item. False if it was found by a crawl, in a sitemap or in a listing. */
  readonly isNamed: boolean;
  /** From a listing, before the item is opened. */
  readonly listed: Fingerprint | null;
  /** Opens the item once. Rejects with SourceFailed, or with the reason of the signal of `items`. */
  open(since?: Fingerprint): Promise<Opened>;
}

/** One configured source. Make a new reader for each run. */
export abstract class SourceReader {
  /** The address as configured. */
  abstract readonly url: string;

  /** Items known so far. It grows while `items` runs, and is the total once `isComplete` is true. */
  abstract readonly found: number;
  abstract readonly isComplete: boolean;

  /** True if more items exist than the source's bounds allow. The items past the bounds are left out. */
  abstract readonly isCut: boolean;

  /**
   * The items, once. Throws SourceFailed if the source itself cannot be read. Several items may be open at once. A crawl takes links from opened
   * items only, and waits for open bodies when it knows no other item.
   */
  abstract items(signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined>;
}
