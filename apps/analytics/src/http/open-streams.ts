import { refuse } from '@parlance/decider';

/** Counts the event streams of one kind in this process. */
export class OpenStreams {
  private readonly ofUsers = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfUser: number,
  ) {}

  /** Throws the refusal `too_many_streams` (unavailable). */
  async during(userId: string, stream: () => Promise<void>): Promise<void> {
    const own = this.ofUsers.get(userId) ?? 0;
    if (this.count >= this.most || own >= this.mostOfUser)
      throw refuse('unavailable', 'too_many_streams', 'Too many event streams are open. Try again in a minute.', { retry_after: 60 });
    this.count += 1;
    this.ofUsers.set(userId, own + 1);
    try {
      await stream();
    } finally {
      this.count -= 1;
      const left = this.ofUsers.get(userId)! - 1;
      if (left > 0) this.ofUsers.set(userId, left);
      else this.ofUsers.delete(userId);
    }
  }
}
