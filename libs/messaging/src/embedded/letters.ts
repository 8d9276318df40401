import type { SqliteFile } from '@parlance/sqlite';
import { type CloudEvent, DEAD_LETTER_BYTES, type DeadLetter } from '../broker.ts';
import type { Cursor, Cursors } from './cursors.ts';
import type { Entry, Line } from './entry.ts';
import { unpack } from './packed.ts';

interface Row {
  readonly id: number;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly event: string;
  readonly reason: string;
  readonly failedAt: string;
}

const bytes = ({ event }: { readonly event: string }) => Buffer.byteLength(event);
/** Letters that release 0.3 wrote are packed. */
const eventOf = ({ event, topic, key }: Pick<Row, 'event' | 'topic' | 'key'>): CloudEvent => unpack(event, topic, key);

/** Dead letters in the file. A letter holds its event, so that it does not change when its service is upgraded. */
export class Letters {
  readonly #file: SqliteFile;
  readonly #now: () => number;
  readonly #cursors: Cursors;

  constructor(file: SqliteFile, now: () => number, cursors: Cursors) {
    this.#file = file;
    this.#now = now;
    this.#cursors = cursors;
  }

  /** Stores the letter and moves the group's cursor past its event in one unit of work, so that the event is never lost or in both places. */
  async add({ event, key, offset }: Entry, reason: string, cursor: Cursor): Promise<void> {
    const { group, source, topic, partition } = cursor;
    await this.#file.write((transaction) => {
      transaction.run(
        `INSERT INTO broker_letters (grp, source, topic, partition, "offset", reason, failed_at, key, event) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (grp, source, topic, partition, "offset")
           DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at, redriven = 0`,
        group,
        source,
        topic,
        partition,
        offset,
        reason,
        new Date(this.#now()).toISOString(),
        key,
        JSON.stringify(event),
      );
      this.#cursors.moveIn(transaction, cursor);
    });
  }

  read(group: string, limit: number, after = '0'): readonly DeadLetter[] {
    const sql = `SELECT id, topic, partition, "offset", key, event, reason, failed_at AS failedAt
                   FROM broker_letters WHERE grp = ? AND redriven = 0 AND id > ? ORDER BY id`;
    return this.#file
      .upTo<Row>({ rows: limit, bytes: DEAD_LETTER_BYTES, sizeOf: bytes }, sql, group, Number(after))
      .map(({ id, offset, ...row }) => {
        return { ...row, id: String(id), place: String(id), group, offset: String(offset), event: eventOf(row) };
      });
  }

  count(group: string): number {
    const sql = 'SELECT count(*) AS count FROM broker_letters WHERE grp = ? AND redriven = 0';
    return this.#file.get<{ count: number }>(sql, group)?.count ?? 0;
  }

  /** Marks letters in short units of work, in the order of their ids, so that one that fails again meanwhile is not marked twice. */
  async redrive(group: string, ids: readonly string[] | undefined): Promise<number> {
    const chosen = ids ? 'AND id IN (SELECT value FROM json_each(?))' : 'AND ? IS NULL';
    const sql = `SELECT id, octet_length(event) AS bytes FROM broker_letters WHERE grp = ? AND redriven = 0 AND id > ? ${chosen} ORDER BY id`;
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
          (sum, { id }) => sum + transaction.run('UPDATE broker_letters SET redriven = 1 WHERE id = ? AND redriven = 0', id),
          0,
        ),
      );
    }
  }

  redriven(group: string, { source, topic, partition }: Line, bytesAtOnce: number): readonly Entry[] {
    const sql = `SELECT id, topic, partition, "offset", key, event FROM broker_letters
                  WHERE redriven = 1 AND grp = ? AND source = ? AND topic = ? AND partition = ? ORDER BY "offset"`;
    return this.#file
      .upTo<Row>({ rows: 64, bytes: bytesAtOnce, sizeOf: bytes }, sql, group, source, topic, partition)
      .map(({ id, offset, key, ...row }) => {
        return { topic, partition, offset, key, letter: id, bytes: bytes(row), event: eventOf({ ...row, key }) };
      });
  }

  async settle(letter: number): Promise<void> {
    await this.#file.write((transaction) => transaction.run('DELETE FROM broker_letters WHERE id = ?', letter));
  }

  async forget(failedBefore: number): Promise<void> {
    await this.#file.write((transaction) =>
      transaction.run(
        'DELETE FROM broker_letters WHERE id IN (SELECT id FROM broker_letters WHERE failed_at < ? ORDER BY failed_at LIMIT 10)',
        new Date(failedBefore).toISOString(),
      ),
    );
  }
}
