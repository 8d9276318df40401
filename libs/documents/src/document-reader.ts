import type { Chunking } from './chunk.ts';
import { checkChunking } from './chunking/validation.ts';
import { MAX_SENT_BYTES } from './limits.ts';
import { DocumentReaderFailed, type ReadOptions, ReadingProcess } from './process/reading-process.ts';
import type { DocumentFile, ReadDocument } from './read-document.ts';

export interface DocumentReaderOptions {
  /** Each process has a folder in it, with the file that it reads. */
  readonly directory: string;
  /** How many documents are read at the same time. Default 1. */
  readonly processes?: number;
  /** The memory of one process. Default 512. */
  readonly memoryMebibytes?: number;
  /** The time for one document, without the time of `onChunks` and `embed`. Default 30,000. */
  readonly timeoutMillis?: number;
  /** A process without work is ended after this time. Default 60,000. */
  readonly idleMillis?: number;
  /** Whether its processes may draw pages of PDFs for a model, which needs native code. Default false. */
  readonly drawsPages?: boolean;
}

interface Idle {
  readonly process: ReadingProcess;
  readonly timer: NodeJS.Timeout;
}

/** Turns files into chunks in processes of their own, so that no file can block or end the service. */
export class DocumentReader {
  private readonly options: Required<DocumentReaderOptions>;
  private readonly idle: Idle[] = [];
  private readonly running = new Set<ReadingProcess>();
  private readonly waiting: (() => void)[] = [];
  private readonly closing = new AbortController();
  private busy = 0;

  constructor(options: DocumentReaderOptions) {
    this.options = { processes: 1, memoryMebibytes: 512, timeoutMillis: 30_000, idleMillis: 60_000, drawsPages: false, ...options };
  }

  /**
   * Reads one document. Calls beyond `processes` wait in order. Rejects with `DocumentRefused` if the file can't be read,
   * with `DocumentReaderFailed` if a process can't be started, the file can't be opened or the reader is closed, with the reason of the
   * signal, with `RangeError` above `MAX_SENT_BYTES` or with `readPages` for a reader that draws no pages, or with what `onChunks` or `embed` rejected with. Chunks may have been handed over before it rejects.
   */
  async read(file: DocumentFile, chunking: Chunking, options: ReadOptions): Promise<ReadDocument> {
    checkChunking(chunking);
    if ('bytes' in file && file.bytes.byteLength > MAX_SENT_BYTES) throw new RangeError('a larger file is read by its path');
    if (options.readPages && !this.options.drawsPages) throw new RangeError('this reader draws no pages');
    const signal = options.signal === undefined ? this.closing.signal : AbortSignal.any([options.signal, this.closing.signal]);
    await this.slot(signal);
    try {
      const reading = await this.take();
      try {
        return await reading.read(file, chunking, { ...options, signal });
      } finally {
        await this.giveBack(reading);
      }
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  private async slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.busy >= this.options.processes || this.waiting.length > 0) {
      await new Promise<void>((resolve, reject) => {
        const abort = () => {
          this.waiting.splice(this.waiting.indexOf(go), 1);
          reject(signal.reason as Error);
        };
        const go = () => {
          signal.removeEventListener('abort', abort);
          resolve();
          // Counted before the caller goes on, so that no later call takes the place.
          this.busy++;
        };
        this.waiting.push(go);
        signal.addEventListener('abort', abort, { once: true });
      });
    } else this.busy++;
  }

  private async take(): Promise<ReadingProcess> {
    for (let idle = this.idle.pop(); idle !== undefined; idle = this.idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.process.isUsable) return idle.process;
      await this.end(idle.process);
    }
    const started = await ReadingProcess.open(this.options, this.options.directory);
    this.running.add(started);
    if (!this.closing.signal.aborted) return started;
    await this.end(started);
    throw this.closing.signal.reason as Error;
  }

  private async giveBack(reading: ReadingProcess): Promise<void> {
    if (this.closing.signal.aborted || !reading.isUsable) return this.end(reading);
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex(({ process }) => process === reading),
        1,
      );
      void this.end(reading);
    }, this.options.idleMillis);
    timer.unref();
    this.idle.push({ process: reading, timer });
  }

  private async end(reading: ReadingProcess): Promise<void> {
    await reading.close();
    this.running.delete(reading);
  }

  /** Ends all processes. Reads in progress reject. Resolves when the processes have ended. */
  async close(): Promise<void> {
    this.closing.abort(new DocumentReaderFailed('The reader of documents was closed.'));
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.running].map((reading) => this.end(reading)));
  }
}
