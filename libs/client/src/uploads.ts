import type { FileUpload } from './generated/api.ts';
import { ParlanceError } from './parlance-error.ts';
import { pauseBeforeRetry, time } from './retries.ts';
import type { TransportOptions } from './transport.ts';

export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;

/** Sends a file to its signed address. The address is the credential, so the request has no other. A repeat replaces the file. */
export async function sendFile(
  { url, method, headers }: FileUpload,
  content: FileContent,
  { fetch = globalThis.fetch.bind(globalThis), retries }: TransportOptions = {},
  signal?: AbortSignal,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    const error = await attempt(() => fetch(url, { method, headers, body: content, ...(signal && { signal }) }));
    signal?.throwIfAborted();
    if (error === null) return;
    const millis = pauseBeforeRetry(error, failures, true, retries);
    if (millis === null) throw error;
    await time.pause(millis, signal);
  }
}

async function attempt(send: () => Promise<Response>): Promise<ParlanceError | null> {
  try {
    const answer = await send();
    if (!answer.ok) return await ParlanceError.of(answer);
    await answer.arrayBuffer();
    return null;
  } catch (cause) {
    return new ParlanceError('connection_failed', 'The upload got no answer.', { cause });
  }
}
