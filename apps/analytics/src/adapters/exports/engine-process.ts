import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { EngineLimits, Order, Report } from './messages.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

/** How often the memory of a busy process is checked. */
const WATCH_MILLIS = 20;
/** The engine limits its own memory. The rest of the process, and memory that the engine does not count, may use this much more. */
const MORE_MEBIBYTES = 384;
/** A process that has not started within this time is abandoned. It usually starts in 0.4 s. */
const START_MILLIS = 60_000;

/** Thrown when the engine failed or was killed before it finished an order. `because` is the reason if this process killed it. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';

  constructor(
    message: string,
    readonly because: 'memory' | 'timeout' | null = null,
  ) {
    super(message);
  }
}

export interface EngineOptions extends EngineLimits {
  /** The working directory. File names are relative to it. */
  readonly directory: string;
  /** Whether the directory is removed when the process has ended. */
  readonly ownsDirectory: boolean;
}

/** One process with the SQL engine, for one order. It can be killed at any time without harm. */
export class EngineProcess {
  readonly directory: string;
  private readonly ownsDirectory: boolean;
  private readonly child: ChildProcess;
  private readonly reports: Report[] = [];
  private readonly ended: Promise<void>;
  private readonly limit: number;
  private because: 'memory' | 'timeout' | null = null;
  private hasEnded = false;
  private wake: (() => void) | undefined;

  constructor({ directory, ownsDirectory, memoryMebibytes, threads }: EngineOptions) {
    this.directory = directory;
    this.ownsDirectory = ownsDirectory;
    this.limit = (memoryMebibytes + MORE_MEBIBYTES) * MIB;
    const isSource = import.meta.url.endsWith('.ts');
    const main = fileURLToPath(new URL(isSource ? './engine-main.ts' : './engine-main.js', import.meta.url));
    this.child = spawn(
      process.execPath,
      ['--max-old-space-size=128', '--no-warnings', main, JSON.stringify({ memoryMebibytes, threads } satisfies EngineLimits)],
      // The environment is empty, because the process needs none of the installation's keys.
      { cwd: directory, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' },
    );
    this.child.on('message', (report: Report) => {
      this.reports.push(report);
      this.wake?.();
    });
    this.child.on('error', () => this.child.kill('SIGKILL'));
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        this.wake?.();
        resolve();
      };
      this.child.once('exit', end);
      // Without a PID the process did not start, and no exit event follows.
      this.child.once('error', () => this.child.pid === undefined && end());
    });
  }

  get isUsable(): boolean {
    return !this.hasEnded && this.child.connected;
  }

  /** Allows the service to exit while this process waits for an order. */
  rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  /** Rejects with `EngineFailed`. The process is killed afterwards, whatever the outcome. */
  async run(order: Order, timeoutMillis: number, signal?: AbortSignal): Promise<Exclude<Report, { type: 'ready' }>> {
    this.child.ref();
    this.child.channel?.ref();
    const abort = () => this.child.kill('SIGKILL');
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      await this.next(START_MILLIS);
      this.child.send(order, () => {});
      return (await this.next(timeoutMillis)) as Exclude<Report, { type: 'ready' }>;
    } finally {
      signal?.removeEventListener('abort', abort);
      await this.close();
    }
  }

  private async next(timeoutMillis: number): Promise<Report> {
    const timer = setTimeout(() => this.end('timeout'), timeoutMillis);
    const watch = setInterval(() => {
      if (residentBytes(this.child.pid!) > this.limit) this.end('memory');
    }, WATCH_MILLIS);
    try {
      while (this.reports.length === 0 && !this.hasEnded) await new Promise<void>((resolve) => (this.wake = resolve));
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
    }
    const report = this.reports.shift();
    if (report) return report;
    // The operating system may kill a process that uses too much memory.
    const isMemory = this.because === null && ['SIGKILL', 'SIGABRT'].includes(this.child.signalCode ?? '');
    throw new EngineFailed('The process of the SQL engine has ended.', isMemory ? 'memory' : this.because);
  }

  private end(because: 'memory' | 'timeout'): void {
    this.because ??= because;
    this.child.kill('SIGKILL');
  }

  /** Ends the process and resolves when it has ended. */
  async close(): Promise<void> {
    this.child.ref();
    this.child.kill('SIGKILL');
    await this.ended;
    if (this.ownsDirectory) await rm(this.directory, { recursive: true, force: true });
  }
}

/** 0 on systems without /proc. The kernel generates the file when it is read, in 15 microseconds, so it is read synchronously. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
