/** A reply that no process has a lease on, waiting for a slot. */
export interface QueuedReply {
  readonly conversationId: string;
  readonly replyId: string;
  readonly owner: string;
  /** Empty if no provider is called. */
  readonly provider: string;
}

/** One owner's replies by one provider, oldest first. */
interface OwnerQueue {
  readonly provider: string;
  readonly owner: string;
  readonly replies: QueuedReply[];
}

/**
 * Replies that wait for a slot in this process. Owners take turns, so that the programs of a published API do not delay its user. One owner's
 * replies from one provider keep their order.
 */
export class ReplyQueue {
  /** The queues in the order of their turns. */
  private queues = new Map<string, OwnerQueue>();
  private readonly known = new Set<string>();
  /** Replies added while the rows are read, which may not include them yet. */
  private late: QueuedReply[] | null = null;

  get size(): number {
    return this.known.size;
  }

  /** A reply that is already in the queue keeps its position. */
  add(reply: QueuedReply): void {
    this.late?.push(reply);
    if (this.known.has(reply.replyId)) return;
    this.known.add(reply.replyId);
    const { provider, owner } = reply;
    const key = `${provider}\n${owner}`;
    const queue = this.queues.get(key) ?? { provider, owner, replies: [] };
    queue.replies.push(reply);
    this.queues.set(key, queue);
  }

  /** Replaces the queue with the rows that are read, which drops replies that other processes have taken. */
  async refill(read: () => Promise<readonly QueuedReply[]>): Promise<void> {
    const late: QueuedReply[] = [];
    this.late = late;
    const all = await read().finally(() => (this.late = null));
    this.queues = new Map();
    this.known.clear();
    for (const each of [...all, ...late]) this.add(each);
  }

  /** Takes the next reply whose owner and provider have a free slot. Null if there is none. Its owner's turn then comes last. */
  next(mayHaveSlot: (queue: Pick<OwnerQueue, 'provider' | 'owner'>) => boolean): QueuedReply | null {
    for (const [key, queue] of this.queues) {
      if (!mayHaveSlot(queue)) continue;
      const reply = queue.replies.shift()!;
      this.known.delete(reply.replyId);
      this.queues.delete(key);
      if (queue.replies.length > 0) this.queues.set(key, queue);
      return reply;
    }
    return null;
  }
}
