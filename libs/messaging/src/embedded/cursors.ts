import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { type Line, offsetOf } from './entry.ts';

export const seconds = (millis: number) => Math.floor(millis / 1_000);

export interface Cursor extends Line {
  readonly group: string;
  /** The offset of the next event to handle. */
  readonly next: number;
}

export interface Joined {
  readonly next: number;
  readonly isBeyond: boolean;
}

const LINE = 'grp = ? AND source = ? AND topic = ? AND partition = ?';

/** How far groups have read the logs, in the file. */
export class Cursors {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Begins a group at an offset in each line that is new to it. Returns all its positions. One beyond `end`: the log has lost commits. */
  join(
    group: string,
    lines: readonly Line[],
    { begin, end }: { readonly begin: number; readonly end: number },
  ): Promise<readonly Joined[]> {
    const now = seconds(this.#now());
    return this.#file.write((transaction) =>
      lines.map(({ source, topic, partition }) => {
        const at = [group, source, topic, partition];
        const found = transaction.get<{ next: number }>(`SELECT next FROM broker_cursors WHERE ${LINE}`, ...at)?.next;
        if (found === undefined)
          transaction.run(
            'INSERT INTO broker_cursors (grp, source, topic, partition, next, seen) VALUES (?, ?, ?, ?, ?, ?)',
            ...at,
            begin,
            now,
          );
        else transaction.run(`UPDATE broker_cursors SET next = min(next, ?), seen = ? WHERE ${LINE}`, end, now, ...at);
        return { next: found === undefined ? begin : Math.min(found, end), isBeyond: found !== undefined && found > end };
      }),
    );
  }

  of(group: string): readonly Cursor[] {
    const sql = 'SELECT grp AS "group", source, topic, partition, next FROM broker_cursors WHERE grp = ? ORDER BY topic, partition, source';
    return this.#file.all(sql, group);
  }

  /** Moves all of them in one unit of work. */
  async move(cursors: readonly Cursor[]): Promise<void> {
    if (cursors.length > 0) await this.#file.write((transaction) => cursors.forEach((cursor) => this.moveIn(transaction, cursor)));
  }

  moveIn(transaction: Transaction, { group, source, topic, partition, next }: Cursor): void {
    transaction.run(
      `UPDATE broker_cursors SET next = ?, seen = ? WHERE ${LINE}`,
      next,
      seconds(this.#now()),
      group,
      source,
      topic,
      partition,
    );
  }

  /** Takes over the positions of 0.3, once for each log: see `schema.ts`. What its relay had not recorded as sent is delivered again. */
  async takeOver(source: string, relayedUpTo: () => Promise<number>): Promise<void> {
    const pending = 'SELECT 1 FROM broker_taken_over WHERE source = ?';
    if (!this.#file.get(pending, source)) return;
    const after = offsetOf((await relayedUpTo()) + 1);
    await this.#file.write((transaction) => {
      transaction.run('UPDATE broker_cursors SET next = min(next, ?) WHERE source = ?', after, source);
      transaction.run('DELETE FROM broker_taken_over WHERE source = ?', source);
    });
  }

  async forget(seenBefore: number): Promise<void> {
    await this.#file.write((transaction) => transaction.run('DELETE FROM broker_cursors WHERE seen < ?', seconds(seenBefore)));
  }
}
