import { closeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type CheckpointMode, checkpointer, SyncFailed } from './checkpointer.ts';
import { FileClosed, isOfSync, WriteFailed } from './errors.ts';
import type { holdDescriptor } from './file-descriptor.ts';
import { hasFrames } from './log-length.ts';
import { migrateIn } from './migrate.ts';
import { type ReadLimit, type Schema, SqliteFile, type SqlValue, type UnitOfWork } from './sqlite-file.ts';
import { Statements } from './statements.ts';
import { GROUP_UNITS, type Outcome, runGroup, type Unit } from './unit-group.ts';

export interface Connections {
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
  /** Descriptor of the write-ahead log, to sync it and to determine its length. */
  readonly log: number;
  /** Descriptor of the file itself, to sync it. It is released after the connections are closed. */
  readonly file: ReturnType<typeof holdDescriptor>;
}

export interface FileListener {
  onSyncFailed(error: Error): void;
  onMoveFailed(error: Error): void;
  onWriteFailed(error: Error): void;
}

/** A log with more frames than this is moved into the file. Larger logs mean fewer copies of pages that change often. */
const LOG_FRAMES = 2_000;

/** How many units are answered per turn of the event loop. Code that follows an answer runs in the same turn, so large groups are answered over several turns. */
const ANSWERS_A_TURN = 16;

/**
 * Runs units of work on the calling thread, a group at a time: one transaction, then one sync of the log in libuv's thread pool, then the answers.
 * Units that arrive meanwhile form the next group. While a group is committed but not synced, the reading connection keeps the snapshot from before
 * the group.
 */
export class QueuedSqliteFile extends SqliteFile {
  private readonly writing: Statements;
  private readonly reading: Statements;
  private readonly queue: Unit[] = [];
  private written = 0;
  /** Whether the last group left units in the queue. */
  private isBehind = false;
  /** True while a group is being synced, or a checkpoint has exclusive use of the file. */
  private taken = false;
  private scheduled = false;
  private lost: WriteFailed | undefined;
  private closing: Promise<void> | undefined;
  private checkpointing: Promise<boolean> | undefined;
  private shortening: Promise<void> | undefined;
  /** The log is moved into the file when it has this many frames. */
  private logLimit = LOG_FRAMES;
  private readonly waitingForFile: (() => void)[] = [];

  constructor(
    private readonly path: string,
    private readonly connections: Connections,
    private readonly sync: (fd: number) => Promise<void>,
    private readonly listener: FileListener,
    private readonly now: () => number,
  ) {
    super();
    this.writing = new Statements(connections.writer);
    this.reading = new Statements(connections.reader);
  }

  changes(): number {
    return this.written;
  }

  migrate(schema: Schema): Promise<void> {
    return this.enqueue((transaction) => migrateIn(transaction, (sql) => this.connections.writer.exec(sql), schema), true);
  }

  write<Result>(work: UnitOfWork<Result>): Promise<Result> {
    return this.enqueue(work);
  }

  writesWait(): number {
    const oldest = this.isBehind || this.queue.length > GROUP_UNITS ? this.queue[0] : undefined;
    return oldest ? this.now() - oldest.since : 0;
  }

  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined {
    return this.read().get<Row>(sql, ...params);
  }

  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[] {
    return this.read().all<Row>(sql, ...params);
  }

  upTo<Row>(limit: ReadLimit<Row>, sql: string, ...params: readonly SqlValue[]): Row[] {
    return this.read().upTo(limit, sql, ...params);
  }

  checkpoint(): Promise<boolean> {
    if (this.closing) return Promise.reject(new FileClosed(this.path));
    return (this.checkpointing ??= this.truncateLog().finally(() => (this.checkpointing = undefined)));
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private read(): Statements {
    if (!this.connections.reader.isOpen) throw new FileClosed(this.path);
    return this.reading;
  }

  private enqueue<Result>(work: UnitOfWork<Result>, sortsInFile = false): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.closing) return reject(new FileClosed(this.path));
      if (this.lost) return reject(this.lost);
      this.queue.push({ work, sortsInFile, since: this.now(), resolve: resolve as (result: unknown) => void, reject });
      this.schedule();
    });
  }

  /** Writes of one turn of the event loop share a group. */
  private schedule(): void {
    if (this.scheduled || this.taken || this.queue.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (!this.taken && this.queue.length > 0) this.runNext();
    });
  }

  private runNext(): void {
    this.taken = true;
    this.keepSnapshot();
    const { outcomes, written, failure } = runGroup(this.connections.writer, this.writing, this.queue);
    this.isBehind = this.queue.length > 0;
    if (failure) this.listener.onWriteFailed(failure);
    // SQLite itself syncs the header of a log that is used from its beginning again.
    if (failure && isOfSync(failure.sqliteCode)) this.refuse(`the log of ${this.path} could not be synced: ${failure.detail}`);
    if (!written) return this.finish(outcomes, false);
    this.sync(this.connections.log).then(
      () => this.finish(outcomes, true),
      (error: Error) => this.lose(error),
    );
  }

  private finish(outcomes: readonly Outcome[], isWritten: boolean): void {
    this.reading.run('COMMIT');
    if (isWritten) this.written++;
    this.answer(outcomes, 0);
  }

  /** Answers the units over several turns. The next group begins after the last answer, so that writes that follow the answers share it. */
  private answer(outcomes: readonly Outcome[], from: number): void {
    const to = from + ANSWERS_A_TURN;
    for (const outcome of outcomes.slice(from, to)) {
      if ('result' in outcome) outcome.unit.resolve(outcome.result);
      else outcome.unit.reject(outcome.error);
    }
    if (to < outcomes.length) {
      setImmediate(() => this.answer(outcomes, to));
      return;
    }
    this.release();
    if (!this.closing && !this.shortening && !this.checkpointing) this.shorten();
  }

  /**
   * Lets the next group reuse the log from its beginning, unless another connection reads it. In that case the log grows before the next attempt,
   * because each attempt delays the groups. The log is not truncated, because syncing a growing file takes four times as long.
   */
  private shorten(): void {
    const { log } = this.connections;
    if (hasFrames(log, this.logLimit)) {
      this.logLimit += LOG_FRAMES;
      this.shortening = this.moveLog('PASSIVE').then(
        () => (this.shortening = undefined),
        (error: Error) => {
          this.shortening = undefined;
          if (!this.lost) this.listener.onMoveFailed(error);
        },
      );
    } else if (this.logLimit > LOG_FRAMES && !hasFrames(log, LOG_FRAMES)) this.logLimit = LOG_FRAMES;
  }

  private async truncateLog(): Promise<boolean> {
    await this.shortening;
    return this.moveLog('TRUNCATE');
  }

  /**
   * Called if it is unknown whether the group is on disk. Its units are neither resolved nor rejected, because either could be wrong. Their callers
   * lose the connection when the process ends.
   */
  private lose(error: Error): void {
    this.refuse(`the log of ${this.path} could not be synced: ${error.message}`);
    this.release();
  }

  private refuse(detail: string): void {
    this.lost = new WriteFailed(detail);
    this.listener.onSyncFailed(this.lost);
    for (const unit of this.queue.splice(0)) unit.reject(this.lost);
  }

  /** A read transaction begins with its first read. */
  private keepSnapshot(): void {
    this.reading.run('BEGIN');
    this.reading.get('SELECT 1 FROM sqlite_schema LIMIT 1');
  }

  private release(): void {
    this.taken = false;
    const next = this.waitingForFile.shift();
    if (next) {
      this.taken = true;
      next();
    } else this.schedule();
  }

  /** Resolves when no group is running. No group starts before `release`. */
  private async take(): Promise<void> {
    if (!this.taken) this.taken = true;
    else await new Promise<void>((resolve) => this.waitingForFile.push(resolve));
  }

  /**
   * Moves the log into the file. Most pages are copied and synced while groups continue; SQLite itself syncs the file only when everything is copied.
   * The rest is copied and synced while no group runs. Only one move runs at a time, because the system reports a failed sync only once per
   * descriptor, and another move would miss it.
   */
  private async moveLog(rest: CheckpointMode): Promise<boolean> {
    if (this.lost) throw this.lost;
    try {
      await checkpointer.run(this.path, 'PASSIVE');
      await this.sync(this.connections.file.fd).catch((error: Error) => {
        throw new SyncFailed(error.message);
      });
      await this.take();
      try {
        // The sync of a group has failed meanwhile, so the log must stay as it is.
        if (this.lost) throw this.lost;
        return !(await checkpointer.run(this.path, rest));
      } finally {
        this.release();
      }
    } catch (error) {
      // The kernel may have dropped pages, and the next sync would not report this. The log still has all pages, so it must stay as it is.
      if (error instanceof SyncFailed && !this.lost) this.refuse(`${this.path} could not be synced: ${error.message}`);
      throw error;
    }
  }

  private async end(): Promise<void> {
    while (this.queue.length > 0 || this.scheduled || this.checkpointing || this.shortening) {
      await this.checkpointing?.catch(() => undefined);
      await this.shortening;
      await this.take();
      // Lets waiting groups be written first.
      this.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.take();
    const { writer, reader, log, file } = this.connections;
    reader.close();
    closeSync(log);
    // The last connection to close moves the log into the file and removes it. After a failed sync it stays open, so that the log stays too.
    if (this.lost) return;
    writer.exec('PRAGMA synchronous=FULL');
    writer.close();
    file.release();
  }
}
