import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chunk, Chunking } from '../src/chunk.ts';
import { DocumentReader, type DocumentReaderOptions } from '../src/document-reader.ts';
import type { ReadOptions } from '../src/read-options.ts';

export const CHUNKING: Chunking = {
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens: 300, overlap_percentage: 20 },
};

export const WORDS = Array.from({ length: 200 }, (_, at) => `Word ${at} is here.`).join(' ');

const allChildren = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
/** Other spec files of this worker share servers. */
const others = new Set(allChildren());

/** The processes that this spec file has started, without zombies. */
export const children = () => allChildren().filter((pid) => !others.has(pid));

/** Readers of documents in their own folder. */
export class DocumentsToRead {
  #files = 0;

  private constructor(readonly folder: string) {}

  static async open(): Promise<DocumentsToRead> {
    return new DocumentsToRead(await mkdtemp(join(tmpdir(), 'documents-')));
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  /** Runs a test with a reader that is closed afterwards. */
  async withReader(options: Partial<DocumentReaderOptions>, test: (reader: DocumentReader) => Promise<void>): Promise<void> {
    const reader = new DocumentReader({ directory: join(this.folder, 'scratch'), ...options });
    try {
      await test(reader);
    } finally {
      await reader.close();
    }
  }

  async file(name: string, content: string | Buffer) {
    const path = join(this.folder, String(++this.#files));
    await writeFile(path, content);
    return { path, name, contentType: null, sourceId: name };
  }

  async read(reader: DocumentReader, name: string, content: string | Buffer, options: Partial<ReadOptions> = {}, chunking = CHUNKING) {
    const chunks: Chunk[] = [];
    const onChunks = async (batch: readonly Chunk[]) => {
      chunks.push(...batch);
    };
    const result = await reader.read(await this.file(name, content), chunking, { account: 'ann', onChunks, ...options });
    return { ...result, all: chunks };
  }
}
