import type { Chunk } from './chunk.ts';
import type { Embed } from './chunking/breakpoints.ts';
import type { ReadPages } from './drawn-page.ts';
import type { DocumentHead } from './read-document.ts';

export interface ReadOptions {
  /** The account whose turn is used. Waiting accounts get equal time. */
  readonly account: string;
  /** How long the file may wait for others. By default there is no limit. */
  readonly waitMillis?: number;
  /** Receives the chunks in order, with the type and the title of the document. The next batch is made after this one resolves. */
  onChunks(batch: readonly Chunk[], document: DocumentHead): Promise<void>;
  /** Returns vectors for semantic chunking. Without it, sentences are compared by their words. */
  readonly embed?: Embed;
  /** Reads the pages of a PDF with a model. Only for a reader that draws pages. */
  readonly readPages?: ReadPages;
  readonly signal?: AbortSignal;
}
