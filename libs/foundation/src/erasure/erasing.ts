import { refuse } from '@parlance/decider';

/** Counts of removed items by kind: `{ conversations: 2, messages: 14 }`. Empty if a service stores nothing about users. */
export type Removed = Readonly<Record<string, number>>;

/**
 * A service's own part in erasing a user. Identity's call and its event both trigger it, perhaps at the same time. So it must be
 * idempotent, and must count everything that was ever removed for this user.
 */
export abstract class Erasing {
  abstract erase(userId: string): Promise<Removed>;
}

/** For services that store nothing about users. */
export class KeepsNothing extends Erasing {
  override erase(): Promise<Removed> {
    return Promise.resolve({});
  }
}

/**
 * Erases the IDs that `find` returns, page by page and `atOnce` at the same time, until it returns none. Rejects with `erasure_incomplete` (unavailable) if it returns
 * an ID that was just erased: its read model has stopped, and the erasure must continue later.
 */
export async function eraseEach(
  find: () => Promise<readonly string[]>,
  erase: (id: string) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  let erased: ReadonlySet<string> = new Set();
  for (;;) {
    const ids = await find();
    if (ids.length === 0) return;
    if (ids.some((id) => erased.has(id))) throw erasureIncomplete();
    for (let from = 0; from < ids.length; from += atOnce) await Promise.all(ids.slice(from, from + atOnce).map(erase));
    erased = new Set(ids);
  }
}

export const erasureIncomplete = () =>
  refuse('unavailable', 'erasure_incomplete', 'A read model is not up to date. The erasure continues later.');
