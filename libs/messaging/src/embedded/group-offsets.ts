import type { SqliteFile, Transaction } from '@parlance/sqlite';
import type { Partition } from './entry.ts';
import { seconds } from './log.ts';

/** How far groups have read, in the file. */
export class GroupOffsets {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Begins a group at the oldest event of each partition that is new to it. Answers the next offset for each partition. */
  join(group: string, partitions: readonly Partition[]): Promise<ReadonlyMap<number, number>> {
    return this.#file.write((transaction) => {
      for (const { id } of partitions) {
        transaction.run(
          `INSERT INTO broker_places (grp, partition, next, seen) SELECT ?1, id, base, ?3 FROM broker_partitions WHERE id = ?2
             ON CONFLICT DO UPDATE SET seen = excluded.seen`,
          group,
          id,
          seconds(this.#now()),
        );
      }
      const rows = transaction.all<{ partition: number; next: number }>('SELECT partition, next FROM broker_places WHERE grp = ?', group);
      return new Map(rows.map(({ partition, next }) => [partition, next]));
    });
  }

  groups(): readonly string[] {
    return this.#file.all<{ grp: string }>('SELECT DISTINCT grp FROM broker_places ORDER BY grp').map(({ grp }) => grp);
  }

  standing(group: string): readonly (Partition & { readonly next: number })[] {
    return this.#file.all(
      `SELECT p.id, p.topic, p.number, g.next FROM broker_places g JOIN broker_partitions p ON p.id = g.partition
        WHERE g.grp = ? ORDER BY p.topic, p.number`,
      group,
    );
  }

  moveOn(group: string, offsets: readonly (readonly [partition: number, next: number])[]): Promise<void> {
    const now = seconds(this.#now());
    return this.#file.write((transaction) => {
      for (const [partition, next] of offsets) moveOn(transaction, group, partition, next, now);
    });
  }
}

/** Never moves back, because a late commit from before a restart of the group must not undo a newer one. */
export function moveOn(transaction: Transaction, group: string, partition: number, next: number, now: number): void {
  const sql = 'UPDATE broker_places SET next = max(next, ?), seen = ? WHERE grp = ? AND partition = ?';
  transaction.run(sql, next, now, group, partition);
}
