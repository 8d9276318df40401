import type { SqliteFile } from '@parlance/sqlite';
import { DEAD_LETTER_BYTES, type DeadLetter } from '../broker.ts';
import { Entry, type Partition } from './entry.ts';
import { moveOn } from './group-offsets.ts';
import { seconds } from './log.ts';
import { unpack } from './packed.ts';

interface Row {
  readonly id: number;
  readonly topic: string;
  readonly number: number;
  readonly offset: number;
  readonly key: string;
  readonly event: string;
  readonly reason: string;
  readonly failedAt: string;
}

const bytes = ({ event }: { readonly event: string }) => Buffer.byteLength(event);

/** Dead letters in the file. A letter holds its event, because the topic is trimmed. */
export class EmbeddedLetters {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Sets a delivery aside and moves its group to `next`, in one unit: the event is in exactly one of the two places. */
  async add(group: string, entry: Entry, reason: string, next: number): Promise<void> {
    const { partition, offset, key, text } = entry;
    const now = this.#now();
    await this.#file.write((transaction) => {
      transaction.run(
        `INSERT INTO broker_dead_letters (grp, partition, "offset", reason, failed_at, key, event) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (grp, partition, "offset") DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at, redriven = 0`,
        group,
        partition.id,
        offset,
        reason,
        new Date(now).toISOString(),
        key,
        text,
      );
      moveOn(transaction, group, partition.id, next, seconds(now));
    });
  }

  read(group: string, limit: number, after = '0'): readonly DeadLetter[] {
    return this.#file
      .upTo<Row>(
        { rows: limit, bytes: DEAD_LETTER_BYTES, sizeOf: bytes },
        `SELECT d.id, p.topic, p.number, d."offset", d.key, d.event, d.reason, d.failed_at AS failedAt
           FROM broker_dead_letters d JOIN broker_partitions p ON p.id = d.partition WHERE d.grp = ? AND d.redriven = 0 AND d.id > ? ORDER BY d.id`,
        group,
        Number(after),
      )
      .map(({ id, topic, number, offset, key, event, reason, failedAt }) => ({
        id: String(id),
        place: String(id),
        group,
        topic,
        partition: number,
        offset: String(offset),
        key,
        event: unpack(event, topic, key),
        reason,
        failedAt,
      }));
  }

  count(group: string): number {
    const sql = 'SELECT count(*) AS count FROM broker_dead_letters WHERE grp = ? AND redriven = 0';
    return this.#file.get<{ count: number }>(sql, group)?.count ?? 0;
  }

  /** Each unit marks so many letters that it stays short, in the order of their ids: one that fails again meanwhile is not marked twice. */
  async redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    const chosen = ids ? 'AND id IN (SELECT value FROM json_each(?))' : 'AND ? IS NULL';
    const sql = `SELECT id, octet_length(event) AS bytes FROM broker_dead_letters WHERE grp = ? AND redriven = 0 AND id > ? ${chosen} ORDER BY id`;
    const wanted = ids ? JSON.stringify(ids.map(Number)) : null;
    let count = 0;
    for (let after = 0; ;) {
      const limit = { rows: 100, bytes: DEAD_LETTER_BYTES, sizeOf: (row: { bytes: number }) => row.bytes };
      const letters = this.#file.upTo<{ id: number; bytes: number }>(limit, sql, group, after, wanted);
      const last = letters.at(-1);
      if (!last) return count;
      after = last.id;
      count += await this.#file.write((transaction) =>
        letters.reduce(
          (sum, { id }) => sum + transaction.run('UPDATE broker_dead_letters SET redriven = 1 WHERE id = ? AND redriven = 0', id),
          0,
        ),
      );
    }
  }

  redriven(group: string, partition: Partition, bytesAtOnce: number): readonly Entry[] {
    return this.#file
      .upTo<Pick<Row, 'id' | 'offset' | 'key' | 'event'>>(
        { rows: 64, bytes: bytesAtOnce, sizeOf: bytes },
        `SELECT id, "offset", key, event FROM broker_dead_letters WHERE grp = ? AND partition = ? AND redriven = 1 ORDER BY "offset"`,
        group,
        partition.id,
      )
      .map(({ id, offset, key, event }) => new Entry(partition, offset, key, event, id));
  }

  async settle(letter: number): Promise<void> {
    await this.#file.write((transaction) => transaction.run('DELETE FROM broker_dead_letters WHERE id = ?', letter));
  }
}
