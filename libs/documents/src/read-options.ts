import type { Chunk } from './chunk.ts';
import type { Embed } from './chunking/breakpoints.ts';
import type { ReadPages } from './drawn-page.ts';
import type { DocumentHead } from './read-document.ts';

export interface ReadOptions {
  /** Whose turn it is. Accounts that wait get the same time. */
  readonly account: string;
  /** How long the file may wait for others. Default: without a limit. */
  readonly waitMillis?: number;
  /** Gets the chunks in order, with the type and the title of the document. The next batch is made when this one is taken. */
  onChunks(batch: readonly Chunk[], document: DocumentHead): Promise<void>;
  /** Vectors for semantic chunking. Without it, sentences are compared by their words. */
  readonly embed?: Embed;
  /** Reads the pages of a PDF with a model. Only with a reader that draws pages. */
  readonly readPages?: ReadPages;
  readonly signal?: AbortSignal;
}
