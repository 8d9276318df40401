import { availableParallelism } from 'node:os';
import { refuse } from '@parlance/decider';
import { hash, verify } from '@node-rs/argon2';

/** How many checks may wait. At 20 hashes a second for each core, that is a few seconds. */
const MOST_WAITING = 200;

/**
 * Argon2id with the library's defaults, on worker threads. At most one hash per core runs at a time: each takes 20 MB and a
 * thread that file access and DNS also need.
 */
export class Passwords {
  protected readonly atOnce: number = availableParallelism();
  protected readonly mostWaiting: number = MOST_WAITING;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** The hash for addresses without a user, so that an unknown address takes as long as a wrong password. */
  private readonly standIn = hash('no user has this password');

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password));
  }

  /** False for null: a user without a password. */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const against = passwordHash ?? (await this.standIn);
    const matches = await this.inTurn(() => verify(against, password));
    return matches && passwordHash !== null;
  }

  /** Throws the refusal `busy` (unavailable) if too many checks are waiting. */
  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.atOnce) {
      if (this.waiting.length >= this.mostWaiting)
        throw refuse('unavailable', 'busy', 'Too many users are signing in at this moment. Try again.', { retry_after: 2 });
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await work();
    } finally {
      // The oldest waiting check runs next.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
