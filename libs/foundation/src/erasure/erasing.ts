import { refuse } from '@parlance/decider';
import { isTransient } from '@parlance/http';

/** IDs in one error. */
const MOST_NAMED = 100;

/** Counts of removed items by kind: `{ conversations: 2, messages: 14 }`. Empty if a service stores nothing about users. */
export type Removed = Readonly<Record<string, number>>;

/** A service's own part in erasing a user. Identity's call and its event both trigger it, perhaps in two processes at the same time. */
export abstract class Erasing {
  /** Idempotent. */
  abstract erase(userId: string): Promise<void>;
  /** Counts everything that was ever removed for this user, by any process. */
  abstract removedOf(userId: string): Promise<Removed>;
}

/** For services that store nothing about users. */
export class KeepsNothing extends Erasing {
  override async erase(): Promise<void> {}

  override async removedOf(): Promise<Removed> {
    return {};
  }
}

/**
 * Erases the IDs that `find` returns, page by page and `atOnce` at the same time, until it returns none. An ID that cannot be erased does not stop the others; at
 * the end, it rejects with the IDs that are left. Rejects with `erasure_incomplete` (unavailable) if `find` returns an ID that was just erased: its read model
 * has stopped, and the erasure must continue later.
 */
export async function eraseEach(
  find: () => Promise<readonly string[]>,
  erase: (id: string) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const failed = new Map<string, unknown>();
  let erased: ReadonlySet<string> = new Set();
  const attempt = async (id: string) => {
    try {
      await erase(id);
    } catch (error) {
      // The others would fail as well.
      if (isTransient(error)) throw error;
      failed.set(id, error);
    }
  };
  for (;;) {
    const ids = (await find()).filter((id) => !failed.has(id));
    if (ids.length === 0) break;
    if (ids.some((id) => erased.has(id))) throw erasureIncomplete();
    for (let from = 0; from < ids.length; from += atOnce) await Promise.all(ids.slice(from, from + atOnce).map(attempt));
    erased = new Set(ids.filter((id) => !failed.has(id)));
  }
  if (failed.size > 0) throw new AggregateError(failed.values(), `not erased: ${[...failed.keys()].slice(0, MOST_NAMED).join(', ')}`);
}

/** Runs all steps of an erasure, also those after one that fails. Rejects at the end with the failures. */
export async function eraseInSteps(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  const messages = failures.map((error) => (error instanceof Error ? error.message : String(error)));
  throw new AggregateError(failures, `the erasure of a user is not complete: ${messages.join('; ')}`);
}

export const erasureIncomplete = () =>
  refuse('unavailable', 'erasure_incomplete', 'A read model is not up to date. The erasure continues later.');
