// Node runs this source without compiling it in tests; see limits.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { conversationsIn } from './conversations-in.ts';
import type { Source } from './drafts.ts';
import { type FaultCode, ImportFault } from './import-fault.ts';
import { batchesOf, type Read } from './parts.ts';

export interface ImportTask {
  readonly bytes: Uint8Array;
  readonly isArchive: boolean;
  readonly source: Source | 'auto';
  readonly userId: string;
  readonly now: number;
}

/** The first answer has the source. Then each request is answered with a batch, which is null after the last one. */
export type ThreadAnswer =
  | { readonly source: Source; readonly conversations: number }
  | { readonly batch: readonly Read[] | null }
  | { readonly fault: { readonly code: FaultCode; readonly message: string } };

const { bytes, isArchive, source, userId, now } = workerData as ImportTask;
const port = parentPort!;
const send = (answer: ThreadAnswer) => port.postMessage(answer);

try {
  const found = await conversationsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isArchive, source);
  const batches = batchesOf(found, userId, now);
  port.on('message', () => {
    const { done, value } = batches.next();
    send({ batch: done ? null : value });
  });
  send({ source: found.source, conversations: found.conversations.length });
} catch (error) {
  if (!(error instanceof ImportFault)) throw error;
  send({ fault: { code: error.code, message: error.message } });
}
