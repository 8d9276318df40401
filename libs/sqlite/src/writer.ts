// The thread that owns the only writing connection of a file. It takes everything that waits, runs it in one transaction with
// one fsync, and answers it in one message. Node runs this source as it is: only `node:` imports, only erasable types.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { UndoneReason } from './errors.ts';
import type { Schema, SqlValue, Step } from './sqlite-file.ts';

export interface Unit {
  readonly id: number;
  readonly steps: readonly Step[];
}

export type Request = { kind: 'units'; units: readonly Unit[] } | { kind: 'migrate'; id: number; schema: Schema } | { kind: 'close' };

/** What a step came to: the rows it gave, or for one that gives none how many it changed. Bare, since these are copied between threads. */
export type Outcome = number | Readonly<Record<string, SqlValue>>[];

export type Failure =
  | { kind: 'undone'; index: number; reason: UndoneReason; detail: string; code: number | undefined }
  | { kind: 'newer'; module: string; found: number; known: number }
  | { kind: 'failed'; detail: string; code: number | undefined };

export type Answer = { id: number; outcomes: Outcome[] } | { id: number; failure: Failure };

/** `served` counts the requests behind a message of answers. */
export type Message = { kind: 'opened' } | { kind: 'unopened'; detail: string } | { kind: 'answers'; served: number; answers: Answer[] };

interface SqliteError {
  readonly message: string;
  readonly errcode?: number;
}

const port = parentPort!;
const statements = new Map<string, StatementSync>();
const CONSTRAINT = 19;
/** Primary result codes that tell of the file and not of the statement: busy, out of memory, read-only, interrupted, I/O error, corrupt, full. */
const OF_THE_FILE = new Set([5, 7, 8, 9, 10, 11, 13]);
/** Statement texts are constants or built from few parts; past this many something builds them from data. */
const STATEMENTS_KEPT = 1_000;

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode=WAL').get() as { journal_mode: string };
  if (mode !== 'wal') throw new Error(`the journal mode is ${mode} here, not wal`);
  // Not the default for WAL in every build: with NORMAL a power cut takes back what was acknowledged.
  db.exec('PRAGMA synchronous=FULL');
  return db;
}

function prepared(db: DatabaseSync, sql: string): StatementSync {
  let statement = statements.get(sql);
  if (!statement) {
    if (statements.size === STATEMENTS_KEPT) statements.clear();
    statement = db.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

/** The primary result code is the lowest byte of the extended one. */
function primary({ errcode }: SqliteError): number | undefined {
  return errcode === undefined ? undefined : errcode & 0xff;
}

function failed(error: unknown): Failure {
  const { message, errcode } = error as SqliteError;
  return { kind: 'failed', detail: message, code: errcode };
}

function undone(index: number, error: unknown): Failure {
  const { message, errcode } = error as SqliteError;
  const reason = primary(error as SqliteError) === CONSTRAINT ? 'constraint' : 'error';
  return { kind: 'undone', index, reason, detail: message, code: errcode };
}

/** Runs one unit inside the open transaction. A unit that fails is rolled back alone. */
function run(db: DatabaseSync, { id, steps }: Unit): Answer {
  const outcomes: Outcome[] = [];
  let failure: Failure | undefined;
  prepared(db, 'SAVEPOINT unit').run();
  for (const [index, { sql, params, expect, returning }] of steps.entries()) {
    try {
      const statement = prepared(db, sql);
      const given = params ?? [];
      const outcome = returning ? (statement.all(...given) as Record<string, SqlValue>[]) : Number(statement.run(...given).changes);
      const count = typeof outcome === 'number' ? outcome : outcome.length;
      if (expect !== undefined && expect !== count) {
        failure = { kind: 'undone', index, reason: 'expectation', detail: `it met ${count} rows, not ${expect}`, code: undefined };
      }
      outcomes.push(outcome);
    } catch (error) {
      // A full disk or an I/O error is nobody's fault: it ends the whole group (SQLite may have rolled all of it back already).
      if (!db.isTransaction || OF_THE_FILE.has(primary(error as SqliteError) ?? 0)) throw error;
      failure = undone(index, error);
    }
    if (failure) break;
  }
  if (failure) prepared(db, 'ROLLBACK TO unit').run();
  prepared(db, 'RELEASE unit').run();
  return failure ? { id, failure } : { id, outcomes };
}

/** Gives what `work` answers once it is on disk; whatever goes wrong before that leaves no transaction open. */
function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  prepared(db, 'BEGIN IMMEDIATE').run();
  try {
    const result = work();
    prepared(db, 'COMMIT').run();
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function runGroup(db: DatabaseSync, units: readonly Unit[]): Answer[] {
  try {
    return inTransaction(db, () => units.map((unit) => run(db, unit)));
  } catch (error) {
    const failure = failed(error);
    return units.map(({ id }) => ({ id, failure }));
  }
}

function migrate(db: DatabaseSync, id: number, { module, steps }: Schema): Answer {
  try {
    return inTransaction(db, (): Answer => {
      db.exec(
        'CREATE TABLE IF NOT EXISTS schema_steps (module TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (module, step)) WITHOUT ROWID',
      );
      const { found } = db.prepare('SELECT count(*) AS found FROM schema_steps WHERE module = ?').get(module) as { found: number };
      if (found > steps.length) return { id, failure: { kind: 'newer', module, found, known: steps.length } };
      for (const [index, step] of steps.slice(found).entries()) {
        db.exec(step);
        db.prepare('INSERT INTO schema_steps VALUES (?, ?)').run(module, found + index + 1);
      }
      return { id, outcomes: [] };
    });
  } catch (error) {
    return { id, failure: failed(error) };
  }
}

function serve(db: DatabaseSync, requests: readonly Request[]): void {
  const answers: Answer[] = [];
  let group: Unit[] = [];
  const endGroup = () => {
    if (group.length > 0) answers.push(...runGroup(db, group));
    group = [];
  };
  let closing = false;
  for (const request of requests) {
    if (request.kind === 'units') {
      group = group.concat(request.units);
      continue;
    }
    endGroup();
    if (request.kind === 'migrate') answers.push(migrate(db, request.id, request.schema));
    else closing = true;
  }
  endGroup();
  port.postMessage({ kind: 'answers', served: requests.length, answers } satisfies Message);
  if (!closing) return;
  // The last connection to close also moves the log into the file and removes it; without the listener the thread ends.
  db.close();
  port.close();
}

function start(path: string): void {
  let db: DatabaseSync;
  try {
    db = open(path);
  } catch (error) {
    port.postMessage({ kind: 'unopened', detail: (error as SqliteError).message } satisfies Message);
    return;
  }
  port.on('message', (first: Request) => {
    const requests = [first];
    // What arrived while the last group was on its way to disk becomes the next group, however many messages it came in.
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) requests.push(next.message as Request);
    serve(db, requests);
  });
  port.postMessage({ kind: 'opened' } satisfies Message);
}

start((workerData as { path: string }).path);
