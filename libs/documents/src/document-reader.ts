import { stat } from 'node:fs/promises';
import type { Chunking } from './chunk.ts';
import { checkChunking } from './chunking/validation.ts';
import { MAX_SENT_BYTES, SMALL_FILE_BYTES } from './limits.ts';
import { ReadingProcess } from './process/reading-process.ts';
import type { ReadOptions } from './read-options.ts';
import { DocumentReaderFailed, notOpened, ProcessLost, TurnOver } from './reader-failures.ts';
import type { DocumentFile, ReadDocument } from './read-document.ts';
import { type Turn, Turns } from './turns.ts';

export interface DocumentReaderOptions {
  /** Each process has a folder in it, with the file that it reads. */
  readonly directory: string;
  /** How many documents are read concurrently. With two or more, one process is reserved for small files. Default 2. */
  readonly processes?: number;
  /** The memory of one process. Default 512. */
  readonly memoryMebibytes?: number;
  /** The longest time for one document, without waiting and without the time of `onChunks` and `embed`. Small documents have less. Default 30,000. */
  readonly timeoutMillis?: number;
  /** An idle process is ended after this time. Default 60,000. */
  readonly idleMillis?: number;
  /** Whether its processes may draw PDF pages for a model, which needs native code. Default false. */
  readonly drawsPages?: boolean;
}

interface Idle {
  readonly process: ReadingProcess;
  readonly timer: NodeJS.Timeout;
}

async function sizeOf(file: DocumentFile): Promise<number> {
  if ('bytes' in file) return file.bytes.byteLength;
  const { size } = await stat(file.path).catch((error: NodeJS.ErrnoException) => Promise.reject(notOpened(error)));
  return size;
}

/** Splits files into chunks in separate processes, so that no file can block or crash the service. */
export class DocumentReader {
  private readonly options: Required<DocumentReaderOptions>;
  private readonly idle: Idle[] = [];
  private readonly running = new Set<ReadingProcess>();
  private readonly closing = new AbortController();
  private readonly turns: Turns;

  constructor(options: DocumentReaderOptions) {
    this.options = { processes: 2, memoryMebibytes: 512, timeoutMillis: 30_000, idleMillis: 60_000, drawsPages: false, ...options };
    this.turns = new Turns(this.options.processes);
  }

  /**
   * Reads one document. Calls beyond `processes` wait for their account's turn. Rejects with `DocumentRefused` if the file cannot be read, with
   * `DocumentReaderBusy` if it waits longer than `waitMillis`, with `DocumentReaderNotStarted` if a process cannot be started, with `DocumentReaderFailed` if the file cannot be
   * opened or the reader is closed, with the signal's reason, with `RangeError` above `MAX_SENT_BYTES` or with `readPages` on a reader that draws
   * no pages, or with the error of `onChunks` or `embed`. Some chunks may have been delivered before it rejects.
   */
  async read(file: DocumentFile, chunking: Chunking, options: ReadOptions): Promise<ReadDocument> {
    checkChunking(chunking);
    if ('bytes' in file && file.bytes.byteLength > MAX_SENT_BYTES) throw new RangeError('a larger file is read by its path');
    if (options.readPages && !this.options.drawsPages) throw new RangeError('this reader draws no pages');
    const signal = options.signal === undefined ? this.closing.signal : AbortSignal.any([options.signal, this.closing.signal]);
    const bytes = await sizeOf(file);
    let isLarge = bytes > SMALL_FILE_BYTES;
    let waitMillis = options.waitMillis;
    for (;;) {
      const since = performance.now();
      const turn = await this.turns.next({ account: options.account, bytes, isLarge, signal, waitMillis });
      if (waitMillis !== undefined) waitMillis -= performance.now() - since;
      try {
        return await this.readNow(file, chunking, { ...options, signal }, turn);
      } catch (error) {
        if (!(error instanceof TurnOver)) throw error;
        isLarge = true;
      } finally {
        turn.end();
      }
    }
  }

  private async readNow(file: DocumentFile, chunking: Chunking, options: ReadOptions, turn: Turn): Promise<ReadDocument> {
    try {
      return await this.readIn(await this.take(), file, chunking, options, turn);
    } catch (error) {
      // The system ended the process while it was idle. A new process is never lost in this way, so one retry is enough.
      if (!(error instanceof ProcessLost)) throw error;
      return this.readIn(await this.open(), file, chunking, options, turn);
    }
  }

  private async readIn(reading: ReadingProcess, ...of: Parameters<ReadingProcess['read']>): Promise<ReadDocument> {
    try {
      return await reading.read(...of);
    } finally {
      await this.giveBack(reading);
    }
  }

  private async take(): Promise<ReadingProcess> {
    for (let idle = this.idle.pop(); idle !== undefined; idle = this.idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.process.isUsable) return idle.process;
      await this.end(idle.process);
    }
    return this.open();
  }

  private async open(): Promise<ReadingProcess> {
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

  /** Ends all processes. Running reads reject. Resolves when the processes have ended. */
  async close(): Promise<void> {
    this.closing.abort(new DocumentReaderFailed('The reader of documents was closed.'));
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.running].map((reading) => this.end(reading)));
  }
}
