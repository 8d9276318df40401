import { randomUUID } from 'node:crypto';
import { appendFile, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from '@parlance/documents';

export interface Batch {
  readonly chunks: readonly Chunk[];
  readonly title: string | null;
}

/**
 * Buffers the chunks of one source until the source is read completely, because an index cannot remove anything. Most sources have one
 * batch, which stays in memory. Further batches are written to a file.
 */
export class HeldChunks {
  private first: Batch | null = null;
  private readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, randomUUID());
  }

  async add(batch: Batch): Promise<void> {
    if (this.first === null) this.first = batch;
    else await appendFile(this.path, `${JSON.stringify(batch)}\n`, { mode: 0o600 });
  }

  /** All batches, in order. */
  async *batches(): AsyncGenerator<Batch> {
    if (this.first === null) return;
    yield this.first;
    const file = await open(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (file) for await (const line of file.readLines()) yield JSON.parse(line) as Batch;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
