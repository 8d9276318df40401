import { refuse } from '@parlance/decider';

/** How much of what was removed, by what it is: `{ conversations: 2, messages: 14 }`. Empty where a service keeps nothing of users'. */
export type Removed = Readonly<Record<string, number>>;

/**
 * What a service does of its own when a user is erased. Identity asks for it, and its event asks for it again, perhaps at
 * the same time: so it is idempotent, and the counts are of all that was ever removed of this user, whichever service came first.
 */
export abstract class Erasing {
  abstract erase(userId: string): Promise<Removed>;
}

/** For services that keep nothing of a user's. */
export class KeepsNothing extends Erasing {
  override erase(): Promise<Removed> {
    return Promise.resolve({});
  }
}

/**
 * Erases what `find` gives, a page of ids at a time, until it gives none. Rejects with `erasure_incomplete` (unavailable) when it still
 * gives what was just erased: the read model that it asks stands still, and the erasure has to be continued later.
 */
export async function eraseEach(find: () => Promise<readonly string[]>, erase: (id: string) => Promise<unknown>): Promise<void> {
  let erased: ReadonlySet<string> = new Set();
  for (;;) {
    const ids = await find();
    if (ids.length === 0) return;
    if (ids.some((id) => erased.has(id))) throw erasureIncomplete();
    for (const id of ids) await erase(id);
    erased = new Set(ids);
  }
}

export const erasureIncomplete = () => refuse('unavailable', 'erasure_incomplete', 'A read model is behind. The erasure continues later.');
