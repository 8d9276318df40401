import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { FileClosed, FileUnusable, NewerSchema, UnitUndone, WriteFailed } from './errors.ts';
import { type Schema, SqliteFile, type SqlValue, type Step, type StepResult } from './sqlite-file.ts';
import type { Answer, Failure, Message, Outcome, Request, Unit } from './writer.ts';

interface Waiter {
  resolve(results: readonly StepResult[]): void;
  reject(reason: Error): void;
}

const NO_ROWS: StepResult['rows'] = [];
const STATEMENTS_KEPT = 1_000;
/** One that the thread is at work on, and one that waits for it, so that it never waits for us. */
const MESSAGES_UNDER_WAY = 2;

function resultOf(outcome: Outcome): StepResult {
  return typeof outcome === 'number' ? { changes: outcome, rows: NO_ROWS } : { changes: outcome.length, rows: outcome };
}

function errorOf(failure: Failure): Error {
  switch (failure.kind) {
    case 'undone':
      return new UnitUndone(failure.index, failure.reason, failure.detail, failure.code);
    case 'newer':
      return new NewerSchema(failure.module, failure.found, failure.known);
    case 'failed':
      return new WriteFailed(failure.detail, failure.code);
  }
}

/** Writes through a worker thread, reads on the spot. The thread keeps the process alive only while something waits for it. */
class ThreadedSqliteFile extends SqliteFile {
  private readonly waiters = new Map<number, Waiter>();
  private readonly statements = new Map<string, StatementSync>();
  private readonly ended: Promise<void>;
  private turn: Unit[] = [];
  private underWay = 0;
  private lastId = 0;
  private lost: WriteFailed | undefined;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly worker: Worker,
    private readonly reader: DatabaseSync,
  ) {
    super();
    worker.on('message', (message: Message) => {
      if (message.kind !== 'answers') return;
      this.underWay -= message.served;
      this.sendWhenFree();
      this.settle(message.answers);
    });
    worker.on('error', (error: Error) => this.lose(error.message));
    this.ended = new Promise((resolve) =>
      worker.on('exit', () => {
        this.lose('the writing thread ended');
        resolve();
      }),
    );
    worker.unref();
  }

  migrate(schema: Schema): Promise<void> {
    return this.ask((id) => {
      this.sendTurn();
      this.send({ kind: 'migrate', id, schema });
    }).then(() => undefined);
  }

  write(steps: readonly Step[]): Promise<readonly StepResult[]> {
    return this.ask((id) => {
      // All writes of one turn of the event loop cross to the thread in one message, and those that come while it is busy wait
      // for the next one: a message costs as much as ten writes.
      if (this.turn.length === 0) setImmediate(() => this.sendWhenFree());
      this.turn.push({ id, steps });
    });
  }

  get<Row>(sql: string, ...params: SqlValue[]): Row | undefined {
    return this.prepared(sql).get(...params) as Row | undefined;
  }

  all<Row>(sql: string, ...params: SqlValue[]): Row[] {
    return this.prepared(sql).all(...params) as Row[];
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.sendTurn();
    // Closed first, so that the thread's connection is the last one, which leaves a single file behind.
    this.reader.close();
    if (!this.lost) {
      this.worker.ref();
      this.worker.postMessage({ kind: 'close' } satisfies Request);
    }
    await this.ended;
  }

  private ask(send: (id: number) => void): Promise<readonly StepResult[]> {
    return new Promise((resolve, reject) => {
      if (this.closing) return reject(new FileClosed(this.path));
      if (this.lost) return reject(this.lost);
      const id = ++this.lastId;
      if (this.waiters.size === 0) this.worker.ref();
      this.waiters.set(id, { resolve, reject });
      send(id);
    });
  }

  private sendWhenFree(): void {
    if (this.underWay < MESSAGES_UNDER_WAY) this.sendTurn();
  }

  private sendTurn(): void {
    const units = this.turn;
    this.turn = [];
    if (units.length === 0 || this.lost) return;
    try {
      this.send({ kind: 'units', units });
    } catch {
      // A parameter that can't cross between threads (a function, say) is the fault of one unit, not of its neighbours.
      for (const unit of units) this.sendAlone(unit);
    }
  }

  private sendAlone(unit: Unit): void {
    try {
      this.send({ kind: 'units', units: [unit] });
    } catch (error) {
      const detail = (error as Error).message;
      this.settle([{ id: unit.id, failure: { kind: 'undone', index: 0, reason: 'error', detail, code: undefined } }]);
    }
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
    this.underWay++;
  }

  private settle(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const waiter = this.waiters.get(answer.id);
      this.waiters.delete(answer.id);
      if ('failure' in answer) waiter?.reject(errorOf(answer.failure));
      else waiter?.resolve(answer.outcomes.map(resultOf));
    }
    if (this.waiters.size === 0 && !this.closing) this.worker.unref();
  }

  private lose(detail: string): void {
    this.lost ??= new WriteFailed(detail);
    for (const waiter of this.waiters.values()) waiter.reject(this.lost);
    this.waiters.clear();
  }

  private prepared(sql: string): StatementSync {
    if (!this.reader.isOpen) throw new FileClosed(this.path);
    let statement = this.statements.get(sql);
    if (!statement) {
      if (this.statements.size === STATEMENTS_KEPT) this.statements.clear();
      statement = this.reader.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (message: Message) => {
      worker.off('error', reject);
      if (message.kind === 'unopened') reject(new Error(message.detail));
      else resolve();
    });
  });
}

/** Opens or makes a file. Rejects with `FileUnusable`. */
export async function openSqliteFile(path: string): Promise<SqliteFile> {
  const source = new URL(import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js', import.meta.url);
  // The program's own flags are not for this thread: some of them (--input-type) make Node refuse to start it.
  const worker = new Worker(source, { workerData: { path }, name: 'sqlite writer', execArgv: [] });
  try {
    await opened(worker);
    // Reads see one committed state each and hold no transaction between calls, so they never keep the log from being reused.
    const reader = new DatabaseSync(path, { timeout: 5_000 });
    reader.exec('PRAGMA query_only=ON; PRAGMA synchronous=FULL');
    return new ThreadedSqliteFile(path, worker, reader);
  } catch (error) {
    await worker.terminate();
    throw new FileUnusable(path, error);
  }
}
