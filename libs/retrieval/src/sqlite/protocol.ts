// Runs uncompiled in threads: only erasable types.
import type {
  BuildOptions,
  ChunkPage,
  IndexDescription,
  IndexedSource,
  IndexSearch,
  NewChunk,
  NewSource,
  SearchResult,
} from '../indexes/knowledge-indexes.ts';

/** The two names of an index file. */
export interface Paths {
  readonly unfinished: string;
  readonly finished: string;
}

/** The calls that a thread accepts. Null represents a missing file. */
export interface Calls {
  search(path: string, search: IndexSearch): SearchResult | null;
  describe(path: string): Omit<IndexDescription, 'bytes'> | null;
  sources(path: string, after: string | null, limit: number): IndexedSource[] | null;
  chunksOf(path: string, sourceId: string, after: number | null, limit: number): ChunkPage | null;
  evict(path: string): void;
  footprint(): { files: number; vectorBytes: number };
  openBuilds(): number;
  begin(paths: Paths, options: BuildOptions): void;
  /** The number of chunks afterwards. */
  add(path: string, source: NewSource, chunks: readonly NewChunk[]): number;
  sourcesOfBuild(path: string, after: string | null, limit: number): IndexedSource[];
  chunksOfBuild(path: string, sourceId: string, after: number | null, limit: number): ChunkPage;
  /** Completes the file, syncs it and gives it its final name. */
  finish(paths: Paths): { sources: number; chunks: number };
  /** Removes an unfinished file. */
  drop(path: string): void;
  remove(paths: Paths): void;
}

export type CallName = keyof Calls;

export interface CallRequest {
  readonly id: number;
  readonly call: CallName;
  readonly args: readonly unknown[];
}

export type CallAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };
