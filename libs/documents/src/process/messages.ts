import type { Chunk, Chunking } from '../chunk.ts';
import type { DrawnPage } from '../drawn-page.ts';
import type { RefusalCode } from '../document-refused.ts';
import type { DocumentFile, DocumentHead, ReadDocument } from '../read-document.ts';

/** From the service to the process. `go` answers `size` and `chunks`, `vectors` answers `embed`, `texts` answers `pages`. */
export type Order =
  | {
      readonly type: 'read';
      readonly file: DocumentFile;
      readonly chunking: Chunking;
      readonly embeds: boolean;
      readonly readsPages: boolean;
    }
  | { readonly type: 'go' }
  | { readonly type: 'vectors'; readonly vectors: readonly Float32Array[] }
  | { readonly type: 'texts'; readonly texts: readonly string[] }
  | { readonly type: 'stop' };

/** From the process to the service. The last chunks of a document are sent with `done`, so that a small file needs one round trip. */
export type Report =
  | { readonly type: 'ready' }
  /** The bytes that are about to be parsed. */
  | { readonly type: 'size'; readonly bytes: number }
  | { readonly type: 'chunks'; readonly chunks: readonly Chunk[]; readonly document: DocumentHead }
  | { readonly type: 'embed'; readonly sentences: readonly string[] }
  | { readonly type: 'pages'; readonly pages: readonly DrawnPage[] }
  | { readonly type: 'done'; readonly chunks: readonly Chunk[]; readonly result: ReadDocument; readonly rss: number }
  | { readonly type: 'refused'; readonly code: RefusalCode; readonly message: string; readonly pages?: number; readonly rss: number }
  /** A failure that is not the document's fault, such as a missing file. */
  | { readonly type: 'failed'; readonly message: string; readonly rss: number }
  /** The document was stopped by `stop`. */
  | { readonly type: 'stopped'; readonly rss: number };
