import type { DatabaseSync } from 'node:sqlite';
import { WriteFailed } from './errors.ts';
import type { UnitOfWork } from './sqlite-file.ts';
import type { Statements } from './statements.ts';

/** A unit of work that waits for its transaction. */
export interface Unit {
  readonly work: UnitOfWork<unknown>;
  /** Whether the unit may sort whole tables, for example for a new index. These may not fit in memory. */
  readonly sortsInFile: boolean;
  /** When it was added to the queue, in milliseconds of a monotonic clock. */
  readonly since: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The result or the error of a unit. The caller gets it when the group is on disk. */
export type Outcome = { readonly unit: Unit; readonly result: unknown } | { readonly unit: Unit; readonly error: unknown };

export interface Group {
  readonly outcomes: readonly Outcome[];
  /** False if every unit threw. Then there is nothing to sync. */
  readonly written: boolean;
  /** The reason why the file refused all units. */
  readonly failure?: WriteFailed;
}

/** Beyond either limit, the rest of the queue waits for the next group, so that the event loop is free in between. */
export const GROUP_UNITS = 256;
/** Processor time of this thread. Wall time would end groups early on a busy machine, where large groups help the most. */
const GROUP_CPU_MICROS = 10_000;
/** Primary result codes about the file, not the statement: busy, out of memory, read-only, interrupted, I/O error, corrupt, full. */
const FILE_FAILURES = new Set([5, 7, 8, 9, 10, 11, 13]);

interface SqliteError {
  readonly message: string;
  readonly errcode?: number;
}

function isFileFailure(error: unknown): error is SqliteError {
  const { errcode } = error as SqliteError;
  return errcode !== undefined && FILE_FAILURES.has(errcode & 0xff);
}

/** Thrown if SQLite itself has rolled back the group's transaction, or refused to commit it. */
class GroupFailed extends Error {}

/**
 * Removes units from the front of the queue and runs them in one transaction. A unit that throws is rolled back alone. If the file itself fails, all
 * units of the group fail with `WriteFailed`.
 */
export function runGroup(database: DatabaseSync, statements: Statements, queue: Unit[]): Group {
  const units: Unit[] = [];
  const sortsInFile = queue[0]!.sortsInFile;
  try {
    // Set before the transaction, because SQLite may refuse it inside one.
    if (sortsInFile) database.exec('PRAGMA temp_store=FILE');
    statements.run('BEGIN IMMEDIATE');
    const outcomes: Outcome[] = [];
    let written = false;
    const limit = sortsInFile ? 1 : GROUP_UNITS;
    const start = process.threadCpuUsage();
    do {
      const unit = queue[units.length]!;
      units.push(unit);
      const outcome: Outcome = written ? run(database, statements, unit) : runFirst(database, statements, unit);
      written ||= 'result' in outcome;
      outcomes.push(outcome);
    } while (units.length < limit && queue[units.length]?.sortsInFile === false && cpuMicrosSince(start) < GROUP_CPU_MICROS);
    statements.run(written ? 'COMMIT' : 'ROLLBACK');
    return { outcomes, written };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const { message, errcode } = (error instanceof GroupFailed ? error.cause : error) as SqliteError;
    const failure = new WriteFailed(message, errcode);
    if (units.length === 0) for (const unit of queue) units.push(unit);
    return { outcomes: units.map((unit) => ({ unit, error: failure })), written: false, failure };
  } finally {
    if (sortsInFile) database.exec('PRAGMA temp_store=MEMORY');
    queue.splice(0, units.length);
  }
}

function cpuMicrosSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

/** Runs a unit in a transaction without writes. If it fails, the transaction is undone. So it needs no savepoint, for which SQLite copies each page that changes. */
function runFirst(database: DatabaseSync, statements: Statements, unit: Unit): Outcome {
  try {
    return { unit, result: unit.work(statements) };
  } catch (error) {
    if (!database.isTransaction || isFileFailure(error)) throw new GroupFailed('', { cause: error });
    statements.run('ROLLBACK');
    statements.run('BEGIN IMMEDIATE');
    return { unit, error };
  }
}

function run(database: DatabaseSync, statements: Statements, unit: Unit): Outcome {
  statements.run('SAVEPOINT unit');
  try {
    const result = unit.work(statements);
    statements.run('RELEASE unit');
    return { unit, result };
  } catch (error) {
    if (!database.isTransaction || isFileFailure(error)) throw new GroupFailed('', { cause: error });
    statements.run('ROLLBACK TO unit');
    statements.run('RELEASE unit');
    return { unit, error };
  }
}
