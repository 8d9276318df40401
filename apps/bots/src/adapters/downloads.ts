import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

/** Writes a stream to a new file in the directory. Resolves with its path and the hash of its content. */
export async function download(body: Readable, directory: string, signal: AbortSignal): Promise<{ path: string; hash: string }> {
  const path = join(directory, randomUUID());
  const hash = createHash('sha256');
  addAbortSignal(signal, body);
  // Throws an error that arrives before the first read.
  body.on('error', () => undefined);
  try {
    // Not a stream pipeline, which costs more than copying a small file.
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        hash.update(chunk);
        for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
      }
    } finally {
      await file.close();
    }
  } finally {
    body.destroy();
  }
  return { path, hash: hash.digest('hex') };
}
