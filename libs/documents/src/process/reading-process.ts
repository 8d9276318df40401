import type { ChildProcess } from 'node:child_process';
import type { Chunk, Chunking } from '../chunk.ts';
import type { Embed } from '../chunking/breakpoints.ts';
import type { ReadPages } from '../drawn-page.ts';
import { DocumentRefused } from '../document-refused.ts';
import type { DocumentFile, ReadDocument } from '../read-document.ts';
import type { Order, Report } from './messages.ts';
import { OwnFolder } from './own-folder.ts';
import { startReading } from './start.ts';
import { residentBytes } from './memory.ts';

const MIB = 1024 * 1024;

/** How often the memory of a busy process is read. A process fills about 1 GB in a second. */
const WATCH_MILLIS = 20;

/** The memory at which the process is ended, as a part of the limit. The rest is what it may take between two looks. */
const MEMORY_SHARE = 0.85;

/** A process that keeps more than this part of the limit after a document is not used for another. */
const KEPT_SHARE = 0.5;

/** A process that has not started in this time is given up. It starts in 0.5 s. */
const START_MILLIS = 60_000;

/** Thrown when the process that reads documents can't be started, or a file can't be opened. Another try may succeed. */
export class DocumentReaderFailed extends Error {
  override readonly name = 'DocumentReaderFailed';
}

const notOpened = ({ code }: NodeJS.ErrnoException) => new DocumentReaderFailed(`The file could not be opened (${code}).`);

export interface ProcessOptions {
  readonly memoryMebibytes: number;
  readonly timeoutMillis: number;
  readonly drawsPages: boolean;
}

export interface ReadOptions {
  /** Gets the chunks in order, with the type and the title of the document. The next batch is made when this one is taken. */
  onChunks(batch: readonly Chunk[], document: Pick<ReadDocument, 'type' | 'title'>): Promise<void>;
  /** Vectors for semantic chunking. Without it, sentences are compared by their words. */
  readonly embed?: Embed;
  /** Reads the pages of a PDF with a model. Only with a reader that draws pages. */
  readonly readPages?: ReadPages;
  readonly signal?: AbortSignal;
}

/** Why the process was ended, if this side did it. */
type Ending = 'memory' | 'timeout' | 'aborted' | 'start';

const memoryExceeded = (limit: number) =>
  new DocumentRefused(
    'memory_exceeded',
    `Reading this file needs more than ${limit} MiB of memory. Split it into several files, or save it in a simpler form such as TXT.`,
  );

/** One process, which reads one document at a time. */
export class ReadingProcess {
  private readonly options: ProcessOptions;
  private readonly folder: OwnFolder;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly started: Promise<void>;
  private ending: Ending | undefined;
  private hasEnded = false;
  private isLarge = false;
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
      // Without a pid there was no start, and no exit comes.
      this.child.once('error', () => this.child.pid === undefined && end());
    });
    this.started = this.start();
    this.started.catch(() => {});
  }

  /** Starts a process with a folder of its own in `parent`. */
  static async open(options: ProcessOptions, parent: string): Promise<ReadingProcess> {
    return new ReadingProcess(options, await OwnFolder.open(parent));
  }

  /** False if the process has ended or keeps too much memory. It must then be closed. */
  get isUsable(): boolean {
    return !this.hasEnded && this.ending === undefined && !this.isLarge && this.child.connected;
  }

  private async start(): Promise<void> {
    const timer = setTimeout(() => this.end('start'), START_MILLIS);
    try {
      const report = await this.next();
      if (report?.type !== 'ready') throw new DocumentReaderFailed('The process that reads documents could not be started.');
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

  /** Lets the service end while this process is idle. */
  private hold(isBusy: boolean): void {
    if (isBusy) this.child.ref();
    else this.child.unref();
    if (isBusy) this.child.channel?.ref();
    else this.child.channel?.unref();
  }

  /** Rejects with `DocumentRefused`, `DocumentReaderFailed`, the reason of the signal, or what `onChunks` or `embed` rejected with. */
  async read(file: DocumentFile, chunking: Chunking, options: ReadOptions): Promise<ReadDocument> {
    this.hold(true);
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
      // Only the time in which the process works counts, not that of `onChunks` and `embed`.
      let left = this.options.timeoutMillis;
      for (;;) {
        const since = performance.now();
        const report = await this.work(order, left);
        left -= performance.now() - since;
        if (report.type === 'chunks') {
          await this.orStop(() => onChunks(report.chunks, report.document));
          order = { type: 'go' };
        } else if (report.type === 'embed') {
          order = { type: 'vectors', vectors: await this.orStop(() => embed!(report.sentences)) };
        } else if (report.type === 'pages') {
          order = { type: 'texts', texts: await this.orStop(() => readPages!(report.pages)) };
          // Drawing takes time for each page, and a PDF may have many.
          left = this.options.timeoutMillis;
        } else return await this.finish(report, onChunks);
        options.signal?.throwIfAborted();
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', abort);
      if ('path' in file) await this.folder.empty();
      this.hold(false);
    }
  }

  private async readable(file: DocumentFile): Promise<DocumentFile> {
    if (!('path' in file)) return file;
    return { ...file, path: await this.folder.put(file.path).catch((error: NodeJS.ErrnoException) => Promise.reject(notOpened(error))) };
  }

  private async finish(report: Report, onChunks: ReadOptions['onChunks']): Promise<ReadDocument> {
    if ('rss' in report) this.isLarge = report.rss > this.options.memoryMebibytes * KEPT_SHARE * MIB;
    if (report.type === 'refused') throw new DocumentRefused(report.code, report.message);
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

  /** Gives an order and waits for the next report, while memory and time are watched. */
  private async work(order: Order, timeoutMillis: number): Promise<Report> {
    const { memoryMebibytes } = this.options;
    const limit = memoryMebibytes * MEMORY_SHARE * MIB;
    const timer = setTimeout(() => this.end('timeout'), Math.max(0, timeoutMillis));
    const watch = setInterval(() => {
      if ((residentBytes(this.child.pid!) ?? 0) > limit) this.end('memory');
    }, WATCH_MILLIS);
    try {
      const reported = this.next();
      if (this.child.connected) this.child.send(order, () => {});
      const report = await reported;
      if (report === undefined) throw this.refusal();
      return report;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
    }
  }

  private refusal(): Error {
    const { memoryMebibytes, timeoutMillis } = this.options;
    const { signalCode, exitCode } = this.child;
    if (this.ending === 'timeout')
      return new DocumentRefused(
        'timeout',
        `Reading this file took longer than ${timeoutMillis / 1000} seconds. Split it into several files, or save it in a simpler form such as TXT.`,
      );
    // V8 aborts when its heap is full. A kill from outside is that of the system, or of the thread in the process that watches memory.
    if (this.ending === 'memory' || signalCode === 'SIGABRT' || signalCode === 'SIGKILL' || signalCode === 'SIGTRAP' || exitCode === 134)
      return memoryExceeded(memoryMebibytes);
    return new DocumentRefused(
      'crashed',
      'The process that reads files ended while it read this file. Save the file again in its program and upload the new file.',
    );
  }

  /** Ends the process and resolves when it has ended. */
  async close(): Promise<void> {
    this.hold(true);
    if (!this.hasEnded) this.end('aborted');
    await this.ended;
    await this.folder.remove();
  }
}
