import type { ChildProcess } from 'node:child_process';
import type { Chunking } from '../chunk.ts';
import { DocumentRefused } from '../document-refused.ts';
import type { DocumentFile, ReadDocument } from '../read-document.ts';
import { SLICE_MILLIS, SMALL_PARSED_BYTES, WORK_MILLIS, WORK_MILLIS_PER_MEBIBYTE } from '../limits.ts';
import type { Turn } from '../turns.ts';
import type { ReadOptions } from '../read-options.ts';
import { DocumentReaderFailed, DocumentReaderNotStarted, notOpened, ProcessLost, TurnOver } from '../reader-failures.ts';
import { type Ending, endingOf } from './endings.ts';
import type { Order, Report } from './messages.ts';
import { OwnFolder } from './own-folder.ts';
import { startReading } from './start.ts';
import { StartOutput } from './start-output.ts';
import { residentBytes, workedMillis } from './usage.ts';

const MIB = 1024 * 1024;

/** How often the memory of a busy process is checked. A process can fill about 1 GB per second. */
const WATCH_MILLIS = 20;

/** The memory at which the process is ended, as a share of the limit. The rest is what it may allocate between two checks. */
const MEMORY_SHARE = 0.85;

/** A process that retains more than this share of the limit after a document is not reused. */
const KEPT_SHARE = 0.5;

/** A process that has not started within this time is abandoned. It normally starts in 0.5 s. */
const START_MILLIS = 60_000;

export interface ProcessOptions {
  readonly memoryMebibytes: number;
  readonly timeoutMillis: number;
  readonly drawsPages: boolean;
}

/** The document that is being read. */
interface Reading {
  readonly turn: Turn;
  /** The process's work time before this document. */
  before: number;
  /** The allowed work time for the document's size. */
  limitMillis: number;
  /** False once part of the document was delivered, because a restart would deliver it again. */
  canRestart: boolean;
  /** Whether the process has read other documents before and reported nothing about this one. */
  isUntouched: boolean;
}

/** A process that reads one document at a time. */
export class ReadingProcess {
  private readonly options: ProcessOptions;
  private readonly folder: OwnFolder;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly started: Promise<void>;
  private ending: Ending | undefined;
  private hasEnded = false;
  private isLarge = false;
  private isUsed = false;
  private onReport: ((report: Report | undefined) => void) | undefined;

  private constructor(options: ProcessOptions, folder: OwnFolder) {
    this.options = options;
    this.folder = folder;
    this.child = startReading({ ...options, directory: folder.path }, options.memoryMebibytes * MEMORY_SHARE * MIB);
    this.child.on('message', (report: Report) => this.onReport?.(report));
    this.child.on('error', () => this.child.kill('SIGKILL'));
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        this.onReport?.(undefined);
        resolve();
      };
      this.child.once('exit', end);
      // Without a pid the process did not start, and no exit event follows.
      this.child.once('error', () => this.child.pid === undefined && end());
    });
    this.started = this.start();
    this.started.catch(() => {});
  }

  /** Starts a process with its own folder in `parent`. */
  static async open(options: ProcessOptions, parent: string): Promise<ReadingProcess> {
    return new ReadingProcess(options, await OwnFolder.open(parent));
  }

  /** False if the process has ended or retains too much memory. It must then be closed. */
  get isUsable(): boolean {
    return !this.hasEnded && this.ending === undefined && !this.isLarge && this.child.connected;
  }

  private async start(): Promise<void> {
    const timer = setTimeout(() => this.end('start'), START_MILLIS);
    const output = new StartOutput(this.child);
    try {
      const report = await this.next();
      if (report?.type !== 'ready') throw new DocumentReaderNotStarted(await output.cause());
      output.ignore();
    } finally {
      clearTimeout(timer);
    }
  }

  private next(): Promise<Report | undefined> {
    if (this.hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.onReport = (report) => {
        this.onReport = undefined;
        resolve(report);
      };
    });
  }

  private end(reason: Ending): void {
    this.ending ??= reason;
    this.child.kill('SIGKILL');
  }

  /** While the process is idle, it does not keep the service running. */
  private keepServiceRunning(isBusy: boolean): void {
    if (isBusy) this.child.ref();
    else this.child.unref();
    if (isBusy) this.child.channel?.ref();
    else this.child.channel?.unref();
  }

  /**
   * Rejects with `DocumentRefused`, `DocumentReaderNotStarted`, `DocumentReaderFailed`, `TurnOver`, `ProcessLost`, the signal's reason, or the error of `onChunks` or
   * `embed`.
   */
  async read(file: DocumentFile, chunking: Chunking, options: ReadOptions, turn: Turn): Promise<ReadDocument> {
    this.keepServiceRunning(true);
    const abort = () => this.end('aborted');
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      options.signal?.throwIfAborted();
      await this.started;
      const { onChunks, embed, readPages } = options;
      let order: Order = {
        type: 'read',
        file: await this.readable(file),
        chunking,
        embeds: embed !== undefined,
        readsPages: readPages !== undefined,
      };
      const { timeoutMillis } = this.options;
      const reading: Reading = { turn, before: this.worked(), limitMillis: this.limitOf(0), canRestart: true, isUntouched: this.isUsed };
      this.isUsed = true;
      // Only the process's own work counts, not the time of `onChunks` and `embed`.
      let left = timeoutMillis;
      for (;;) {
        const since = performance.now();
        const report = await this.work(order, left, reading);
        left -= performance.now() - since;
        reading.canRestart &&= report.type === 'size';
        reading.isUntouched = false;
        if (report.type === 'size') {
          await this.orStop(async () => this.setSize(reading, report.bytes));
          order = { type: 'go' };
        } else if (report.type === 'chunks') {
          await this.orStop(() => onChunks(report.chunks, report.document));
          order = { type: 'go' };
        } else if (report.type === 'embed') {
          order = { type: 'vectors', vectors: await this.orStop(() => embed!(report.sentences)) };
        } else if (report.type === 'pages') {
          order = { type: 'texts', texts: await this.orStop(() => readPages!(report.pages)) };
          // Drawing takes time per page, and a PDF may have many pages.
          left = timeoutMillis;
          reading.before = this.worked();
        } else return await this.finish(report, onChunks);
        options.signal?.throwIfAborted();
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', abort);
      if ('path' in file) await this.folder.empty();
      this.keepServiceRunning(false);
    }
  }

  private async readable(file: DocumentFile): Promise<DocumentFile> {
    if (!('path' in file)) return file;
    return { ...file, path: await this.folder.put(file.path).catch((error: NodeJS.ErrnoException) => Promise.reject(notOpened(error))) };
  }

  /** Throws `TurnOver`. */
  private setSize(reading: Reading, bytes: number): void {
    reading.limitMillis = this.limitOf(bytes);
    if (bytes > SMALL_PARSED_BYTES && !reading.turn.mayBeLarge()) throw new TurnOver();
  }

  private worked(): number {
    return workedMillis(this.child.pid!);
  }

  /** The allowed work time for a document of this size. Drawn pages get the full time, because a small file may have complex pages. */
  private limitOf(bytes: number): number {
    const { timeoutMillis, drawsPages } = this.options;
    return drawsPages ? timeoutMillis : Math.min(timeoutMillis, WORK_MILLIS + (bytes / MIB) * WORK_MILLIS_PER_MEBIBYTE);
  }

  private async finish(report: Report, onChunks: ReadOptions['onChunks']): Promise<ReadDocument> {
    if ('rss' in report) this.isLarge = report.rss > this.options.memoryMebibytes * KEPT_SHARE * MIB;
    if (report.type === 'refused') throw new DocumentRefused(report.code, report.message, report.pages);
    if (report.type !== 'done')
      throw new DocumentReaderFailed(`The file could not be read (${report.type === 'failed' ? report.message : report.type}).`);
    if (report.chunks.length > 0) await onChunks(report.chunks, report.result);
    return report.result;
  }

  /** Runs a callback of the caller. If it fails, the process drops the document and can read another. */
  private async orStop<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const report = await this.work({ type: 'stop' }, this.options.timeoutMillis);
      if ('rss' in report) this.isLarge = report.rss > this.options.memoryMebibytes * KEPT_SHARE * MIB;
      throw error;
    }
  }

  /** Sends an order and waits for the next report, while memory and time are checked. */
  private async work(order: Order, timeoutMillis: number, reading?: Reading): Promise<Report> {
    const { memoryMebibytes } = this.options;
    const limit = memoryMebibytes * MEMORY_SHARE * MIB;
    const timer = setTimeout(() => this.end('timeout'), Math.max(0, timeoutMillis));
    const watch = setInterval(() => {
      if ((residentBytes(this.child.pid!) ?? 0) > limit) this.end('memory');
      if (reading) this.checkTime(reading);
    }, WATCH_MILLIS);
    try {
      const reported = this.next();
      if (this.child.connected) this.child.send(order, () => {});
      const report = await reported;
      if (report === undefined && reading?.isUntouched && this.ending === undefined) throw new ProcessLost();
      if (report === undefined) throw endingOf(this.ending, this.child, this.options.memoryMebibytes);
      return report;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
    }
  }

  private checkTime({ turn, before, limitMillis, canRestart }: Reading): void {
    const worked = this.worked() - before;
    if (worked > limitMillis) this.end('timeout');
    else if (worked > SLICE_MILLIS && canRestart && !turn.mayBeLarge()) this.end('turn');
  }

  /** Ends the process and resolves when it has ended. */
  async close(): Promise<void> {
    this.keepServiceRunning(true);
    if (!this.hasEnded) this.end('aborted');
    await this.ended;
    await this.folder.remove();
  }
}
