import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { type BatchLimit, Fenced, type Outgoing } from '../broker.ts';
import { Entry, type Partition } from './entry.ts';
import { pack } from './packed.ts';
import { OFFSETS, schema } from './schema.ts';
import { Tail } from './tail.ts';

interface Row {
  readonly place: number;
  readonly key: string;
  readonly event: string;
}

export const seconds = (millis: number) => Math.floor(millis / 1_000);

/** The topics of the embedded broker, in its file. */
export class EmbeddedLog {
  readonly #perTopic: number;
  readonly #now: () => number;
  readonly #topics = new Map<string, Partition[]>();
  readonly #bases = new Map<number, number>();
  readonly #tail = new Tail();

  private constructor(
    readonly file: SqliteFile,
    perTopic: number,
    now: () => number,
  ) {
    this.#perTopic = perTopic;
    this.#now = now;
    const sql = 'SELECT id, topic, number, base FROM broker_partitions ORDER BY topic, number';
    for (const { base, ...partition } of file.all<Partition & { base: number }>(sql)) {
      this.#topics.set(partition.topic, [...(this.#topics.get(partition.topic) ?? []), partition]);
      this.#bases.set(partition.id, base);
    }
  }

  static async open(file: SqliteFile, partitions: number, now: () => number): Promise<EmbeddedLog> {
    await file.migrate(schema);
    return new EmbeddedLog(file, partitions, now);
  }

  /** Makes a topic that does not exist. It keeps its number of partitions, because another number would move keys. */
  async partitionsOf(topic: string): Promise<readonly Partition[]> {
    const known = this.#topics.get(topic);
    if (known) return known;
    const made = await this.file.write((transaction) => {
      for (let number = 0; number < this.#perTopic; number++)
        transaction.run('INSERT OR IGNORE INTO broker_partitions (topic, number) VALUES (?, ?)', topic, number);
      return transaction.all<Partition>('SELECT id, topic, number FROM broker_partitions WHERE topic = ? ORDER BY number', topic);
    });
    this.#topics.set(topic, made);
    return made;
  }

  partitions(): readonly Partition[] {
    return [...this.#topics.values()].flat();
  }

  openPublisher(name: string): Promise<number> {
    return this.file.write((transaction) => {
      const sql = 'INSERT INTO broker_publishers (name, epoch) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1';
      transaction.run(sql, name);
      return epochOf(transaction, name);
    });
  }

  /** Answers the ids of the partitions that grew. Rejects with `Fenced` when the publisher's name has a newer epoch. */
  async append(publisher: string, epoch: number, messages: readonly Outgoing[]): Promise<ReadonlySet<number>> {
    for (const { topic } of messages) if (!this.#topics.has(topic)) await this.partitionsOf(topic);
    const rows = messages.map(({ topic, key, event }) => {
      const partition = partitionOf(key, this.#topics.get(topic) as readonly Partition[]);
      return { partition, key, text: pack(event, topic, key) };
    });
    const entries = await this.file.write((transaction) => {
      if (epochOf(transaction, publisher) !== epoch) throw new Fenced(publisher);
      const ends = new Map<number, number>();
      const at = seconds(this.#now());
      return rows.map(({ partition, key, text }) => {
        const offset = ends.get(partition.id) ?? this.#end(transaction, partition.id);
        ends.set(partition.id, offset + 1);
        const sql = 'INSERT INTO broker_log (place, at, key, event) VALUES (?, ?, ?, ?)';
        transaction.run(sql, partition.id * OFFSETS + offset, at, key, text);
        return new Entry(partition, offset, key, text);
      });
    });
    for (const entry of entries) this.#tail.add(entry);
    return new Set(entries.map(({ partition }) => partition.id));
  }

  /** The next entries from an offset on. Stops at the entry that passes a limit. */
  read(partition: Partition, from: number, limit: BatchLimit): readonly Entry[] {
    const shared = this.#tail.read(partition.id, from, limit);
    if (shared) return shared;
    const first = partition.id * OFFSETS;
    return this.file
      .upTo<Row>(
        { rows: limit.events, bytes: limit.bytes, sizeOf: ({ event }) => Buffer.byteLength(event) },
        'SELECT place, key, event FROM broker_log WHERE place >= ? AND place < ? ORDER BY place',
        first + from,
        first + OFFSETS,
      )
      .map(({ place, key, event }) => new Entry(partition, place - first, key, event));
  }

  /** The oldest offset that the partition may still have. */
  base(partition: number): number {
    return this.#bases.get(partition) ?? 0;
  }

  /** Called by the trimming. */
  trimmed(partition: number, base: number): void {
    this.#bases.set(partition, base);
  }

  /** The offset that the next event will get. */
  end(partition: number): number {
    return this.#end(this.file, partition);
  }

  #end(from: Pick<Transaction, 'get'>, partition: number): number {
    const first = partition * OFFSETS;
    const sql = 'SELECT max(place) AS last FROM broker_log WHERE place >= ? AND place < ?';
    const last = from.get<{ last: number | null }>(sql, first, first + OFFSETS)?.last ?? null;
    if (last !== null) return last - first + 1;
    // From the file, because the transaction may be the one that has just removed all events.
    return from.get<{ base: number }>('SELECT base FROM broker_partitions WHERE id = ?', partition)?.base ?? 0;
  }
}

function epochOf(transaction: Transaction, publisher: string): number {
  return transaction.get<{ epoch: number }>('SELECT epoch FROM broker_publishers WHERE name = ?', publisher)?.epoch ?? 0;
}

/** FNV-1a over the key's code units. It has to be even, and must never change. */
function partitionOf(key: string, partitions: readonly Partition[]): Partition {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  // The low bits of FNV are its weakest.
  return partitions[((hash >>> 16) ^ (hash & 0xffff)) % partitions.length] as Partition;
}
