import { Worker } from 'node:worker_threads';
import { BuildLost, DuplicateChunk, IndexDamaged, IndexFinished, WrongDimensions } from '../indexes/errors.ts';
import type { CallAnswer, CallName, CallRequest, Calls } from './protocol.ts';

/** Thrown by a call whose thread ended, for example for lack of memory. The next call restarts the thread. */
export class ThreadEnded extends Error {
  constructor(cause?: unknown) {
    super('a thread of the knowledge indexes ended', { cause });
    this.name = 'ThreadEnded';
  }
}

/** How long a thread waits for the next call before it ends. It has about 5 MB, and the vectors that it keeps. */
export const IDLE_MILLIS = 5 * 60_000;

/** One worker thread. It starts with the first call, ends when it is idle, and does not keep the process alive. */
export class IndexThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly name: string,
    private readonly vectorBytes: number,
    private readonly idleMillis: number,
  ) {}

  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  call<N extends CallName>(call: N, ...args: Parameters<Calls[N]>): Promise<ReturnType<Calls[N]>> {
    return new Promise((resolve, reject) => {
      const worker = (this.worker ??= this.start());
      const id = ++this.lastId;
      clearTimeout(this.idle);
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      worker.ref();
      worker.postMessage({ id, call, args } satisfies CallRequest);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    await this.worker?.terminate();
  }

  private start(): Worker {
    const source = new URL(import.meta.url.endsWith('.ts') ? './index-thread.ts' : './index-thread.js', import.meta.url);
    // Program flags such as --input-type would prevent the thread from starting.
    const worker = new Worker(source, { name: this.name, execArgv: [], workerData: { vectorBytes: this.vectorBytes } });
    worker.on('message', (answer: CallAnswer) => {
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (this.waiting.size === 0) this.rest(worker);
      if ('error' in answer) waiter?.reject(errorOf(answer.error));
      else waiter?.resolve(answer.result);
    });
    const lose = (cause?: unknown) => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      clearTimeout(this.idle);
      for (const { reject } of this.waiting.values()) reject(new ThreadEnded(cause));
      this.waiting.clear();
    };
    worker.on('error', lose);
    worker.on('exit', () => lose());
    worker.unref();
    return worker;
  }

  private rest(worker: Worker): void {
    worker.unref();
    this.idle = setTimeout(() => void this.endIdle(worker), this.idleMillis).unref();
  }

  /** Unless a build is open, which would be lost. */
  private async endIdle(worker: Worker): Promise<void> {
    const builds = await this.call('openBuilds').catch(() => 1);
    if (builds > 0 || this.waiting.size > 0 || this.worker !== worker) return;
    clearTimeout(this.idle);
    this.worker = undefined;
    await worker.terminate();
  }
}

const nameless = { botId: '', generation: '' };

/** Errors lose their class when they are sent between threads. */
function errorOf({ name, message }: { name: string; message: string }): Error {
  if (name === 'WrongDimensions') return new WrongDimensions(message);
  if (name === 'DuplicateChunk') return Object.assign(new DuplicateChunk(''), { message });
  if (name === 'IndexDamaged') return Object.assign(new IndexDamaged(nameless), { message });
  if (name === 'BuildLost') return Object.assign(new BuildLost(nameless), { message });
  if (name === 'IndexFinished') return Object.assign(new IndexFinished(nameless), { message });
  return new Error(message);
}
