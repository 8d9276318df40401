/** How much of what was removed, by what it is: `{ conversations: 2, messages: 14 }`. Empty where a service keeps nothing of users'. */
export type Removed = Readonly<Record<string, number>>;

/**
 * What a service does of its own when a user is erased. Identity asks for it, and its event asks for it again, perhaps at
 * the same time: so it is idempotent, and the counts are of all that was ever removed of this user, whoever came first.
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
