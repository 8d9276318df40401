import { Worker } from 'node:worker_threads';
import { isOfSync } from './errors.ts';

/** `passive` copies as many pages as it can while others write. `truncate` needs a moment without writers, and leaves an empty log. */
export type CheckpointMode = 'PASSIVE' | 'TRUNCATE';

export interface CheckpointRequest {
  readonly id: number;
  readonly path: string;
  readonly mode: CheckpointMode;
}

/** `busy` is true if another connection prevented the checkpoint from completing. */
export type CheckpointAnswer = { readonly id: number } & (
  | { readonly busy: boolean }
  | { readonly error: string; readonly sqliteCode: number | undefined }
);

/** The disk refused a sync of the log or of the file. */
export class SyncFailed extends Error {
  override readonly name = 'SyncFailed';
}

/**
 * Runs checkpoints of all files of this process in one worker thread, because a checkpoint syncs the database file. The thread
 * starts with the first checkpoint, so a process that writes little has none.
 */
class Checkpointer {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, { resolve(busy: boolean): void; reject(error: Error): void }>();
  private lastId = 0;

  run(path: string, mode: CheckpointMode): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const worker = (this.worker ??= this.start());
      const id = ++this.lastId;
      this.waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, path, mode } satisfies CheckpointRequest);
    });
  }

  private start(): Worker {
    const source = new URL(import.meta.url.endsWith('.ts') ? './checkpoint-thread.ts' : './checkpoint-thread.js', import.meta.url);
    // Program flags such as --input-type would prevent the thread from starting.
    const worker = new Worker(source, { name: 'sqlite checkpoints', execArgv: [] });
    worker.on('message', (answer: CheckpointAnswer) => {
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (this.waiting.size === 0) worker.unref();
      if ('error' in answer) waiter?.reject(isOfSync(answer.sqliteCode) ? new SyncFailed(answer.error) : new Error(answer.error));
      else waiter?.resolve(answer.busy);
    });
    const lose = (error: Error) => {
      this.worker = undefined;
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    worker.on('error', lose);
    worker.on('exit', () => lose(new Error('The checkpoint thread ended.')));
    worker.unref();
    return worker;
  }
}

export const checkpointer = new Checkpointer();
