/** A reply that no process has a lease on, waiting for a slot. */
export interface Owed {
  readonly conversationId: string;
  readonly replyId: string;
  readonly owner: string;
  /** Empty if no provider is called. */
  readonly provider: string;
}

/** One owner's replies by one provider, oldest first. */
interface Line {
  readonly provider: string;
  readonly owner: string;
  readonly replies: Owed[];
}

/** Replies that wait for a slot in this process. Owners take turns, so that the programs of a published API do not delay its user. One owner's replies by one provider keep their order. */
export class OwedQueue {
  /** In the order of their turns. */
  private lines = new Map<string, Line>();
  private readonly known = new Set<string>();
  /** Replies added while the rows are read, which may not include them yet. */
  private late: Owed[] | null = null;

  get size(): number {
    return this.known.size;
  }

  /** A reply that is already in the queue keeps its position. */
  add(owed: Owed): void {
    this.late?.push(owed);
    if (this.known.has(owed.replyId)) return;
    this.known.add(owed.replyId);
    const { provider, owner } = owed;
    const key = `${provider}\n${owner}`;
    const line = this.lines.get(key) ?? { provider, owner, replies: [] };
    line.replies.push(owed);
    this.lines.set(key, line);
  }

  /** Replaces the queue with the rows that are read, which drops replies that other processes have taken. */
  async refill(read: () => Promise<readonly Owed[]>): Promise<void> {
    const late: Owed[] = [];
    this.late = late;
    const all = await read().finally(() => (this.late = null));
    this.lines = new Map();
    this.known.clear();
    for (const each of [...all, ...late]) this.add(each);
  }

  /** Takes the next reply whose owner and provider have a free slot. Null if there is none. Its owner's turn then comes last. */
  next(mayHavePlace: (line: Pick<Line, 'provider' | 'owner'>) => boolean): Owed | null {
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
