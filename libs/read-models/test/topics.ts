import {
  type Delivery,
  type Following,
  type PageLimit,
  positionOf,
  PublishedEvents,
  type PublishedEvent,
  Topics,
} from '../src/published.ts';

interface Group {
  readonly following: Following;
  /** The next offset to deliver, for each partition. */
  readonly offsets: number[];
  isOver: boolean;
  delivering: Promise<unknown>;
}

export const SOURCE = 'identity';
export const TOPIC = 'parlance.identity';

/** One source, its log, and its topic: a broker in memory that delivers again whatever is rejected, and can be made to repeat itself. */
export class Neighbour extends Topics {
  readonly log: PublishedEvent[] = [];
  readonly offsets = new Map<string, number[]>();
  topic: PublishedEvent[][];
  /** Commits of the source, some of which have no public events. */
  head = 0;
  deliveries = 0;
  isAway = false;
  /** A partition that is not delivered. */
  stalled: number | null = null;
  reads: number[] = [];
  private readonly groups = new Map<string, Group>();

  constructor(count = 3) {
    super();
    this.topic = Array.from({ length: count }, () => []);
  }

  readonly published = new (class extends PublishedEvents {
    constructor(private readonly neighbour: Neighbour) {
      super();
    }
    async after(_: string, position: number, { events }: PageLimit) {
      const { log, head, isAway, reads } = this.neighbour;
      if (isAway) throw new Error('identity is unavailable');
      reads.push(position);
      // Whole commits.
      const found: PublishedEvent[] = [];
      for (const event of log) {
        if (positionOf(event.sequence) <= position) continue;
        if (found.length >= events && positionOf(event.sequence) !== positionOf(found.at(-1)!.sequence)) break;
        found.push(event);
      }
      return { events: found, position: found.length < events ? head : positionOf(found.at(-1)!.sequence), head };
    }
  })(this);

  originOf() {
    return { source: SOURCE, topic: TOPIC };
  }

  async partitions(): Promise<number> {
    return this.topic.length;
  }

  async lagging(group: string) {
    if (this.isAway) throw new Error('the broker is unavailable');
    const all = this.topic.map((events, partition) => ({
      topic: TOPIC,
      partition,
      behind: events.length - (this.offsets.get(group)?.[partition] ?? 0),
    }));
    return all.filter(({ behind }) => behind > 0);
  }

  async subscribe(following: Following) {
    const { group } = following;
    if (!this.offsets.has(group))
      this.offsets.set(
        group,
        this.topic.map(() => 0),
      );
    while (this.offsets.get(group)!.length < this.topic.length) this.offsets.get(group)!.push(0);
    const member: Group = { following, offsets: this.offsets.get(group)!, isOver: false, delivering: Promise.resolve() };
    this.groups.set(group, member);
    this.deliver();
    return {
      stop: async () => {
        member.isOver = true;
        this.groups.delete(group);
        await member.delivering;
      },
    };
  }

  /** Appends a commit to the source's log, and its events to the topic. */
  say(subject: string, ...events: readonly { id: string; type: string }[]): void {
    this.head += 1;
    const sent = events.map((event, index) => ({ ...event, subject, sequence: `${this.head}.${index}`, time: `T${this.head}` }));
    this.log.push(...sent);
    this.send(sent);
  }

  /** Sends events again, as a restarted relay does. They get new offsets. */
  send(events: readonly PublishedEvent[]): void {
    for (const event of events) this.topic[partitionOf(event.subject, this.topic.length)]!.push(event);
    this.deliver();
  }

  /** Sets a group back, as a rebalance does. */
  rewind(group: string, by: number): void {
    const offsets = this.offsets.get(group);
    offsets?.forEach((offset, partition) => (offsets[partition] = Math.max(0, offset - by)));
    this.deliver();
  }

  get isDelivered(): boolean {
    const offsets = [...this.offsets.values()];
    return offsets.length > 0 && offsets.every((of) => this.topic.every((events, partition) => (of[partition] ?? 0) >= events.length));
  }

  private deliver(): void {
    for (const group of this.groups.values()) group.delivering = group.delivering.then(() => this.deliverTo(group));
  }

  private async deliverTo(group: Group): Promise<void> {
    for (const [partition, events] of this.topic.entries()) {
      while (partition !== this.stalled && !group.isOver && group.offsets[partition]! < events.length) {
        const from = group.offsets[partition]!;
        const batch = events.slice(from, from + 1 + ((from * 7) % 5));
        this.deliveries += 1;
        const deliveries: Delivery[] = batch.map((event) => ({ topic: TOPIC, partition, event }));
        try {
          await group.following.handle(deliveries);
          group.offsets[partition] = Math.max(group.offsets[partition]!, from + batch.length);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    }
  }
}

function partitionOf(subject: string, count: number): number {
  let sum = 0;
  for (const char of subject) sum += char.codePointAt(0)!;
  return sum % count;
}
