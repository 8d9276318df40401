import type { IndexedSource } from '@parlance/retrieval';
import type { Crawling } from '../domain/configuration.ts';
import type { SourceProblem } from '../domain/knowledge/source-warnings.ts';
import type { KnowledgeSources } from '../domain/knowledge/knowledge-sources.ts';

/** What identified an item's content when it was last read. */
export interface Fingerprint {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** An item that was downloaded to a file. */
export interface Download extends Fingerprint {
  readonly path: string;
  /** Hash of the content. */
  readonly hash: string;
  readonly contentType: string | null;
  readonly isWebPage: boolean;
}

/** A page, file or object of a bot's knowledge. */
export interface KnowledgeItem {
  readonly kind: IndexedSource['kind'];
  /** An ID that is the same in every run. */
  readonly id: string;
  readonly name: string;
  /**
   * Downloads the item into a new file in the directory, unless it is unchanged. `gone` if it does not exist and no source names it, such
   * as the target of a dead link. Rejects with `ItemFailed`.
   */
  read(since: Fingerprint | null, directory: string, signal: AbortSignal): Promise<Download | 'unchanged' | 'gone'>;
}

/** Thrown when an item cannot be read. The message is a sentence for the owner of the bot. */
export class ItemFailed extends Error {
  constructor(
    readonly code: SourceProblem,
    message: string,
  ) {
    super(message);
    this.name = 'ItemFailed';
  }
}

/** A source whose items cannot be listed, such as a missing sitemap. */
export interface FailedSource {
  readonly kind: IndexedSource['kind'];
  readonly name: string;
  readonly failure: { readonly code: SourceProblem; readonly message: string };
}

/** Finds the items of a bot's sources. */
export abstract class KnowledgeItems {
  abstract of(
    bot: { readonly botId: string; readonly ownerUserId: string },
    sources: KnowledgeSources,
    crawling: Crawling,
    signal: AbortSignal,
  ): AsyncIterable<KnowledgeItem | FailedSource>;
}
