import { type Schema, type SqliteFile, type Step, UnitUndone } from '@parlance/sqlite';
import { type DeadLetter, Fenced, type Outgoing } from '../broker.ts';

const schema: Schema = {
  module: 'broker',
  steps: [
    `CREATE TABLE broker_partitions (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, number INTEGER NOT NULL, UNIQUE (topic, number))`,
    `CREATE TABLE broker_events (partition INTEGER NOT NULL, "offset" INTEGER NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL,
       PRIMARY KEY (partition, "offset"))`,
    `CREATE TABLE broker_publishers (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE broker_places (grp TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (grp, partition)) WITHOUT ROWID`,
    `CREATE TABLE broker_dead_letters (id INTEGER PRIMARY KEY AUTOINCREMENT, grp TEXT NOT NULL, partition INTEGER NOT NULL, "offset" INTEGER NOT NULL,
       reason TEXT NOT NULL, failed_at TEXT NOT NULL, redriven INTEGER NOT NULL DEFAULT 0, UNIQUE (grp, partition, "offset"))`,
  ],
};

export interface Partition {
  readonly id: number;
  readonly topic: string;
  readonly number: number;
}

export interface Entry {
  readonly offset: number;
  readonly key: string;
  readonly event: string;
  /** Set on what came out of the dead letters. */
  readonly letter?: number;
}

/** What the embedded broker keeps in its file, and nothing of who listens. */
export class EmbeddedLog {
  readonly #file: SqliteFile;
  readonly #perTopic: number;
  readonly #topics = new Map<string, readonly Partition[]>();

  private constructor(file: SqliteFile, perTopic: number) {
    this.#file = file;
    this.#perTopic = perTopic;
  }

  static async open(file: SqliteFile, partitions: number): Promise<EmbeddedLog> {
    await file.migrate(schema);
    return new EmbeddedLog(file, partitions);
  }

  /** A topic keeps the number of partitions it was made with, else its keys would change places. */
  async partitionsOf(topic: string): Promise<readonly Partition[]> {
    const known = this.#topics.get(topic);
    if (known) return known;
    const select = 'SELECT id, topic, number FROM broker_partitions WHERE topic = ? ORDER BY number';
    if (this.#file.all(select, topic).length === 0) {
      const sql = 'INSERT OR IGNORE INTO broker_partitions (topic, number) VALUES (?, ?)';
      await this.#file.write(Array.from({ length: this.#perTopic }, (_, number) => ({ sql, params: [topic, number] })));
    }
    const made = this.#file.all<Partition>(select, topic);
    this.#topics.set(topic, made);
    return made;
  }

  async openPublisher(name: string): Promise<number> {
    const [result] = await this.#file.write([
      {
        sql: 'INSERT INTO broker_publishers (name, epoch) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1 RETURNING epoch',
        params: [name],
        returning: true,
      },
    ]);
    return Number(result?.rows[0]?.['epoch']);
  }

  /** Answers the ids of the partitions that grew. Rejects with `Fenced` when the publisher's name has a newer epoch. */
  async append(publisher: string, epoch: number, messages: readonly Outgoing[]): Promise<ReadonlySet<number>> {
    const grown = new Set<number>();
    const steps: Step[] = [
      { sql: 'UPDATE broker_publishers SET epoch = epoch WHERE name = ? AND epoch = ?', params: [publisher, epoch], expect: 1 },
    ];
    for (const { topic, key, event } of messages) {
      const { id } = partitionOf(key, this.#topics.get(topic) ?? (await this.partitionsOf(topic)));
      grown.add(id);
      // The writer gives the offset: writes are one after another there, so offsets have neither gaps nor doubles.
      steps.push({
        sql: 'INSERT INTO broker_events (partition, "offset", key, event) SELECT ?, coalesce(max("offset"), -1) + 1, ?, ? FROM broker_events WHERE partition = ?',
        params: [id, key, JSON.stringify(event), id],
      });
    }
    try {
      await this.#file.write(steps);
    } catch (error) {
      throw error instanceof UnitUndone && error.index === 0 && error.reason === 'expectation' ? new Fenced(publisher) : error;
    }
    return grown;
  }

  read(partition: number, from: number, limit: number): readonly Entry[] {
    return this.#file.all<Entry>(
      'SELECT "offset", key, event FROM broker_events WHERE partition = ? AND "offset" >= ? ORDER BY "offset" LIMIT ?',
      partition,
      from,
      limit,
    );
  }

  /** The offset that the next event will get. */
  end(partition: number): number {
    const sql = 'SELECT coalesce(max("offset"), -1) + 1 AS "end" FROM broker_events WHERE partition = ?';
    return this.#file.get<{ end: number }>(sql, partition)?.end ?? 0;
  }

  /** Begins a group at the start of partitions that are new to it, and answers where it stands in each. */
  async places(group: string, partitions: readonly Partition[]): Promise<ReadonlyMap<number, number>> {
    const sql = 'INSERT OR IGNORE INTO broker_places (grp, partition, next) VALUES (?, ?, 0)';
    await this.#file.write(partitions.map(({ id }) => ({ sql, params: [group, id] })));
    const rows = this.#file.all<{ partition: number; next: number }>('SELECT partition, next FROM broker_places WHERE grp = ?', group);
    return new Map(rows.map((row) => [row.partition, row.next]));
  }

  /** Where a group stands according to the file, partition by partition. */
  standing(group: string): readonly (Partition & { readonly next: number })[] {
    return this.#file.all(
      `SELECT p.id, p.topic, p.number, g.next FROM broker_places g JOIN broker_partitions p ON p.id = g.partition
        WHERE g.grp = ? ORDER BY p.topic, p.number`,
      group,
    );
  }

  async moveOn(group: string, places: Iterable<readonly [partition: number, next: number]>): Promise<void> {
    await this.#file.write([...places].map(([partition, next]) => moveOn(group, partition, next)));
  }

  /** Sets a delivery aside and moves its group past it, in one unit: it is in exactly one of the two places. */
  async bury(group: string, partition: number, entry: Entry, reason: string, next: number): Promise<void> {
    await this.#file.write([
      {
        sql: `INSERT INTO broker_dead_letters (grp, partition, "offset", reason, failed_at) VALUES (?, ?, ?, ?, ?)
              ON CONFLICT (grp, partition, "offset") DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at, redriven = 0`,
        params: [group, partition, entry.offset, reason, new Date().toISOString()],
      },
      moveOn(group, partition, next),
    ]);
  }

  deadLetters(group: string, limit: number): readonly DeadLetter[] {
    const rows = this.#file.all<Entry & { letter: number; topic: string; number: number; reason: string; failedAt: string }>(
      `SELECT d.id AS letter, p.topic, p.number, d."offset", e.key, e.event, d.reason, d.failed_at AS failedAt
         FROM broker_dead_letters d JOIN broker_partitions p ON p.id = d.partition
         JOIN broker_events e ON e.partition = d.partition AND e."offset" = d."offset"
        WHERE d.grp = ? AND d.redriven = 0 ORDER BY d.id LIMIT ?`,
      group,
      limit,
    );
    return rows.map(({ letter, topic, number, offset, key, event, reason, failedAt }) => ({
      id: String(letter),
      group,
      topic,
      partition: number,
      offset: String(offset),
      key,
      event: JSON.parse(event),
      reason,
      failedAt,
    }));
  }

  async redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    const sql = 'UPDATE broker_dead_letters SET redriven = 1 WHERE grp = ? AND redriven = 0';
    const steps = ids ? ids.map((id) => ({ sql: `${sql} AND id = ?`, params: [group, Number(id)] })) : [{ sql, params: [group] }];
    if (steps.length === 0) return 0;
    return (await this.#file.write(steps)).reduce((sum, { changes }) => sum + changes, 0);
  }

  redriven(group: string, partition: number, limit: number): readonly Entry[] {
    return this.#file.all<Entry>(
      `SELECT d.id AS letter, e."offset", e.key, e.event FROM broker_dead_letters d
         JOIN broker_events e ON e.partition = d.partition AND e."offset" = d."offset"
        WHERE d.grp = ? AND d.partition = ? AND d.redriven = 1 ORDER BY d."offset" LIMIT ?`,
      group,
      partition,
      limit,
    );
  }

  async settle(letter: number): Promise<void> {
    await this.#file.write([{ sql: 'DELETE FROM broker_dead_letters WHERE id = ?', params: [letter] }]);
  }
}

/** Never back: a commit that was on its way when its group started anew must not undo what came after. */
function moveOn(group: string, partition: number, next: number): Step {
  return {
    sql: 'UPDATE broker_places SET next = max(next, ?) WHERE grp = ? AND partition = ?',
    params: [next, group, partition],
  };
}

/** FNV-1a over the key's code units: it need only be even, and the same for ever. */
function partitionOf(key: string, partitions: readonly Partition[]): Partition {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  // The low bits of FNV are its weakest.
  return partitions[((hash >>> 16) ^ (hash & 0xffff)) % partitions.length] as Partition;
}
