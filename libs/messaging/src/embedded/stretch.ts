import type { Commit } from '@parlance/event-store';
import type { BatchLimit, Outgoing } from '../broker.ts';
import { bytesOf, type Entry, nameOf, offsetOf, partitionOf, positionOf } from './entry.ts';

/** The public events of the commits between two positions of a log, by partition. Commits are mapped once for all groups. */
export class Stretch {
  #from: number;
  #to: number;
  readonly #partitions = new Map<string, Entry[]>();
  /** The entries in the order of the log. */
  readonly #order: Entry[] = [];
  #bytes = 0;

  constructor(from: number) {
    this.#from = from;
    this.#to = from;
  }

  get to(): number {
    return this.#to;
  }

  holds(position: number): boolean {
    return position > this.#from && position <= this.#to;
  }

  /** Adds the commits that follow. Returns the new entries. */
  add(commits: readonly Commit[], publish: (commit: Commit) => readonly Outgoing[]): readonly Entry[] {
    const added = commits.flatMap((commit) =>
      publish(commit).map(({ topic, key, event }, index): Entry => {
        return { topic, partition: partitionOf(key), offset: offsetOf(commit.position, index), key, event, bytes: bytesOf(event) };
      }),
    );
    for (const entry of added) {
      const name = nameOf(entry.topic, entry.partition);
      const partition = this.#partitions.get(name);
      if (partition) partition.push(entry);
      else this.#partitions.set(name, [entry]);
      this.#order.push(entry);
      this.#bytes += entry.bytes;
    }
    this.#to = commits.at(-1)?.position ?? this.#to;
    return added;
  }

  /** Drops the oldest commits until the rest is within a limit. */
  shrink({ events, bytes }: BatchLimit): void {
    let dropped = 0;
    for (; this.#order.length - dropped > events || this.#bytes > bytes; dropped++) {
      const entry = this.#order[dropped]!;
      const name = nameOf(entry.topic, entry.partition);
      const partition = this.#partitions.get(name)!;
      partition.shift();
      if (partition.length === 0) this.#partitions.delete(name);
      this.#bytes -= entry.bytes;
      this.#from = positionOf(entry.offset);
    }
    this.#order.splice(0, dropped);
  }

  /** The wanted entries of a partition from an offset on, and the offset up to which nothing else is wanted. Stops at the entry that passes a limit. */
  take(partition: string, from: number, { events, bytes }: BatchLimit, wants: (type: string) => boolean) {
    const all = this.#partitions.get(partition) ?? [];
    let at = all.length;
    while (at > 0 && all[at - 1]!.offset >= from) at--;
    const taken: Entry[] = [];
    for (let size = 0; at < all.length; at++) {
      const entry = all[at]!;
      if (!wants(entry.event.type)) continue;
      taken.push(entry);
      size += entry.bytes;
      if (taken.length >= events || size >= bytes) return { taken, next: entry.offset + 1 };
    }
    return { taken, next: offsetOf(this.#to + 1) };
  }

  count(partition: string, from: number, wants: (type: string) => boolean): number {
    const all = this.#partitions.get(partition) ?? [];
    return all.reduce((sum, { offset, event }) => (offset >= from && wants(event.type) ? sum + 1 : sum), 0);
  }
}
