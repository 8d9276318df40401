/** A reply that no process has a lease on. */
export interface Owed {
  readonly conversationId: string;
  readonly replyId: string;
  readonly holder: string;
  /** Empty where no provider is called. */
  readonly provider: string;
}

/** The replies of one holder by one provider, oldest first. */
interface Line {
  readonly provider: string;
  readonly holder: string;
  readonly replies: Owed[];
}

/** Owed replies that wait for a place in this process. Holders take turns, so that the programs of a published API do not delay its owner; the replies of one holder by one provider keep their order. */
export class OwedQueue {
  /** In the order of their next turns. */
  private lines = new Map<string, Line>();
  private readonly known = new Set<string>();
  /** Added while the rows are read, which may not have them yet. */
  private late: Owed[] | null = null;

  get size(): number {
    return this.known.size;
  }

  /** A reply that waits already keeps its place. */
  add(owed: Owed): void {
    this.late?.push(owed);
    if (this.known.has(owed.replyId)) return;
    this.known.add(owed.replyId);
    const { provider, holder } = owed;
    const key = `${provider}\n${holder}`;
    const line = this.lines.get(key) ?? { provider, holder, replies: [] };
    line.replies.push(owed);
    this.lines.set(key, line);
  }

  /** Replaces the replies by those that are read, so that those that other processes have taken are forgotten. */
  async refill(read: () => Promise<readonly Owed[]>): Promise<void> {
    const late: Owed[] = [];
    this.late = late;
    const all = await read().finally(() => (this.late = null));
    this.lines = new Map();
    this.known.clear();
    for (const each of [...all, ...late]) this.add(each);
  }

  /** Takes the first reply whose line may have a place; null without one. The line goes to the end. */
  next(mayHavePlace: (line: Pick<Line, 'provider' | 'holder'>) => boolean): Owed | null {
    for (const [key, line] of this.lines) {
      if (!mayHavePlace(line)) continue;
      const owed = line.replies.shift()!;
      this.known.delete(owed.replyId);
      this.lines.delete(key);
      if (line.replies.length > 0) this.lines.set(key, line);
      return owed;
    }
    return null;
  }
}
