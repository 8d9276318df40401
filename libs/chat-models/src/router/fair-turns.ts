/** The share of all turns that one user may have, so that another user's first call does not wait. */
export const SHARE_OF_A_USER = 0.75;

type Waiter = () => void;

/**
 * A bound on concurrent calls with fair turns: users with waiting calls alternate, however many calls each has, and no user takes all turns. The
 * number of waiting calls is bounded by the replies that a process writes at once.
 */
export class FairTurns {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** In the order of the users' next turns. */
  private readonly waiting = new Map<string, Set<Waiter>>();
  private readonly mostOfUser: number;

  constructor(private readonly atOnce: number) {
    this.mostOfUser = Math.max(1, Math.floor(atOnce * SHARE_OF_A_USER));
  }

  /** Resolves with a function that ends the turn. Rejects with the signal's reason if the signal is aborted first. */
  async take(userId: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.isFreeFor(userId)) this.begin(userId);
    else await this.wait(userId, signal);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.end(userId);
    };
  }

  /** Whether a call of this user would begin at once. */
  isFreeFor(userId: string): boolean {
    return this.mayRun(userId) && !this.waiting.has(userId);
  }

  get numbers(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0) };
  }

  private mayRun(userId: string): boolean {
    return this.running < this.atOnce && (this.runningOf.get(userId) ?? 0) < this.mostOfUser;
  }

  private begin(userId: string): void {
    this.running++;
    this.runningOf.set(userId, (this.runningOf.get(userId) ?? 0) + 1);
  }

  private end(userId: string): void {
    this.running--;
    const left = this.runningOf.get(userId)! - 1;
    if (left === 0) this.runningOf.delete(userId);
    else this.runningOf.set(userId, left);
    this.next();
  }

  private next(): void {
    for (const [userId, waiters] of this.waiting) {
      if (!this.mayRun(userId)) continue;
      const [first] = waiters as unknown as [Waiter];
      this.leave(userId, waiters, first);
      // The user's next call waits until the other users had their turns.
      if (this.waiting.delete(userId)) this.waiting.set(userId, waiters);
      this.begin(userId);
      first();
      return;
    }
  }

  private wait(userId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiters = this.waiting.get(userId) ?? new Set();
    this.waiting.set(userId, waiters);
    const onTurn = () => {
      signal.removeEventListener('abort', givenUp);
      resolve();
    };
    const givenUp = () => {
      this.leave(userId, waiters, onTurn);
      reject(signal.reason as Error);
    };
    waiters.add(onTurn);
    signal.addEventListener('abort', givenUp, { once: true });
    return promise;
  }

  private leave(userId: string, waiters: Set<Waiter>, waiter: Waiter): void {
    waiters.delete(waiter);
    if (waiters.size === 0 && this.waiting.get(userId) === waiters) this.waiting.delete(userId);
  }
}
