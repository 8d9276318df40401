import { Refusal } from '@parlance/decider';
import { ProjectionStopped, ReadModelBuilding } from '@parlance/read-models';
import { WriteFailed } from '@parlance/sqlite';

/** Errors by which every version of the database driver reports that the database is unreachable. */
const unreachable = new Set(['MongoNetworkError', 'MongoNetworkTimeoutError', 'MongoServerSelectionError', 'MongoPoolClearedError']);

/** Whether a failure is transient: a dependency is unavailable, and the same work can succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  if (error instanceof Refusal) return error.kind === 'unavailable';
  if (error instanceof WriteFailed || error instanceof ProjectionStopped || error instanceof ReadModelBuilding) return true;
  return error instanceof Error && unreachable.has(error.name);
}
