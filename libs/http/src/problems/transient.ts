import { Refusal } from '@parlance/decider';
import { ProjectionStopped, ReadModelBuilding } from '@parlance/read-models';
import { WriteFailed } from '@parlance/sqlite';

/** Failures of the database's driver to reach it, which it names alike in all its versions. */
const unreachable = new Set(['MongoNetworkError', 'MongoNetworkTimeoutError', 'MongoServerSelectionError', 'MongoPoolClearedError']);

/** Whether a failure is transient: a dependency is unavailable, and the same work can succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  if (error instanceof Refusal) return error.kind === 'unavailable';
  if (error instanceof WriteFailed || error instanceof ProjectionStopped || error instanceof ReadModelBuilding) return true;
  return error instanceof Error && unreachable.has(error.name);
}
