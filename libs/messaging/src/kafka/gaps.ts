import type { Admin } from 'kafkajs';
import type { Trimmed } from '../broker.ts';
import { whenReady } from './errors.ts';

/**
 * Detects that a topic dropped events before the group had read them. kafkajs continues at the oldest event without an error. Offsets have
 * no other gaps: Kafka's transaction markers also have offsets, and kafkajs counts them.
 */
export class Gaps {
  readonly #admin: Admin;
  readonly #group: string;
  readonly #topics: readonly string[];
  #next: Promise<Map<string, bigint>> = Promise.resolve(new Map());

  constructor(admin: Admin, group: string, topics: readonly string[]) {
    this.#admin = admin;
    this.#group = group;
    this.#topics = topics;
  }

  /** Called when the member has joined its group, before its first batch. */
  joined(): void {
    this.#next = this.#committed();
    this.#next.catch(() => undefined);
  }

  /** The gap between the last offset that was read and this batch. Rejects if the offsets cannot be read. */
  async before(topic: string, partition: number, first: string): Promise<Trimmed | null> {
    const next = (await this.#next).get(`${topic}/${partition}`);
    return next === undefined || BigInt(first) <= next ? null : { topic, partition, from: String(next), to: first };
  }

  /** Everything up to this offset was read, or is known to be missing. */
  async read(topic: string, partition: number, offset: bigint): Promise<void> {
    const next = await this.#next;
    if (this.#topics.includes(topic)) next.set(`${topic}/${partition}`, offset + 1n);
  }

  async #committed(): Promise<Map<string, bigint>> {
    const next = new Map<string, bigint>();
    const topics = await whenReady(() => this.#admin.fetchOffsets({ groupId: this.#group, topics: [...this.#topics] }));
    for (const { topic, partitions } of topics) {
      for (const { partition, offset } of partitions) {
        // -1: the group is new to the partition. -2: kafkajs was sent back to the oldest event, and nothing has been committed since.
        if (offset !== '-1') next.set(`${topic}/${partition}`, offset === '-2' ? 0n : BigInt(offset));
      }
    }
    return next;
  }
}
