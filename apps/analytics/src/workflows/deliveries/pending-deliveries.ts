import type { Instant } from '@parlance/decider';
import type { Delivery } from '../../domain/delivery.ts';

const queueOf = ({ source, stream }: Delivery) => `${source} ${stream}`;

export interface PendingPage {
  readonly rows: readonly Delivery[];
  readonly isLast: boolean;
}

/** The deliveries of one webhook that have not ended: a queue for each stream, of which only the first delivery is tried. */
export class PendingDeliveries {
  private readonly queues = new Map<string, Delivery[]>();
  private readonly byId = new Map<string, Delivery>();
  /** Queues whose first delivery is being sent. */
  private readonly sending = new Set<string>();

  /** All stored deliveries up to this `n` were loaded. */
  private loadedTo = 0;
  /** Whether all stored deliveries were loaded. A webhook may have more of them than fit into memory. */
  isWhole = false;

  /** Loads stored deliveries in order until this many are in memory. */
  async load(most: number, pageAfter: (n: number) => Promise<PendingPage>): Promise<void> {
    while (!this.isWhole && this.size < most) {
      const { rows, isLast } = await pageAfter(this.loadedTo);
      for (const delivery of rows) this.add(delivery);
      this.loadedTo = rows.at(-1)?.n ?? this.loadedTo;
      this.isWhole = isLast;
    }
  }

  get size(): number {
    return this.byId.size;
  }

  get sent(): number {
    return this.sending.size;
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  add(delivery: Delivery): void {
    const queue = this.queues.get(queueOf(delivery));
    if (queue) queue.push(delivery);
    else this.queues.set(queueOf(delivery), [delivery]);
    this.byId.set(delivery.id, delivery);
  }

  /** Replaces a delivery by its changed state. A delivery that has ended is removed. */
  replace(delivery: Delivery): void {
    if (!this.byId.has(delivery.id)) return;
    if (delivery.status !== 'pending') return this.remove(delivery);
    const queue = this.queues.get(queueOf(delivery))!;
    queue[queue.findIndex(({ id }) => id === delivery.id)] = delivery;
    this.byId.set(delivery.id, delivery);
  }

  remove(delivery: Delivery): void {
    const queue = (this.queues.get(queueOf(delivery)) ?? []).filter(({ id }) => id !== delivery.id);
    if (queue.length === 0) this.queues.delete(queueOf(delivery));
    else this.queues.set(queueOf(delivery), queue);
    this.byId.delete(delivery.id);
  }

  /** The next due delivery of a stream that is not sending one. It is marked as being sent. */
  take(now: Instant): Delivery | null {
    for (const [queue, [first]] of this.queues) {
      if (!first || this.sending.has(queue) || (first.next_at ?? 0) > now) continue;
      this.sending.add(queue);
      return first;
    }
    return null;
  }

  /** Marks the delivery as no longer being sent. */
  settled(delivery: Delivery): void {
    this.sending.delete(queueOf(delivery));
  }
}
