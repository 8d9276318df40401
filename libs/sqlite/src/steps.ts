import { UnitUndone } from './errors.ts';
import type { SqlValue, Step, StepResult, Transaction } from './sqlite-file.ts';

const NO_ROWS: StepResult['rows'] = [];
const CONSTRAINT = 19;

/** Runs steps one after the other. Throws `UnitUndone` at the first that can't be done as asked. */
export function runSteps(transaction: Transaction, steps: readonly Step[]): StepResult[] {
  return steps.map((step, index) => {
    const result = runStep(transaction, step, index);
    if (step.expect !== undefined && step.expect !== result.changes) {
      throw new UnitUndone(index, 'expectation', `it met ${result.changes} rows, not ${step.expect}`);
    }
    return result;
  });
}

function runStep(transaction: Transaction, { sql, params = [], returning }: Step, index: number): StepResult {
  try {
    if (!returning) return { changes: transaction.run(sql, ...params), rows: NO_ROWS };
    const rows = transaction.all<Record<string, SqlValue>>(sql, ...params);
    return { changes: rows.length, rows };
  } catch (error) {
    const { message, errcode } = error as { message: string; errcode?: number };
    const primary = (errcode ?? 0) & 0xff;
    // Failures of the file end the whole group.
    if ([5, 7, 8, 9, 10, 11, 13].includes(primary)) throw error;
    throw new UnitUndone(index, primary === CONSTRAINT ? 'constraint' : 'error', message, errcode);
  }
}
