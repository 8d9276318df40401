import { Refusal } from '@parlance/decider';
import { isOutage } from '@parlance/event-store';
import { StoreUnavailable } from '@parlance/object-store';
import { ProjectionStopped, ReadModelBuilding } from '@parlance/read-models';
import { WriteFailed } from '@parlance/sqlite';

/** Whether a failure is transient: a dependency is unavailable, and the same work can succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  if (error instanceof Refusal) return error.kind === 'unavailable';
  if (error instanceof WriteFailed || error instanceof ProjectionStopped || error instanceof ReadModelBuilding) return true;
  if (error instanceof StoreUnavailable) return true;
  return isOutage(error);
}
