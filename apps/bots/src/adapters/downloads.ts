import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a stream to a new file of the directory. Resolves with its path and the hash of its content. */
export async function download(body: Readable, directory: string, signal: AbortSignal): Promise<{ path: string; hash: string }> {
  const path = join(directory, randomUUID());
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(body, hashed, createWriteStream(path), { signal });
  return { path, hash: hash.digest('hex') };
}
