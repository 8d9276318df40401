import { setImmediate } from 'node:timers/promises';
import type { SqliteFile } from '@parlance/sqlite';
import { OFFSETS_KEPT_MS } from '../broker.ts';
import type { Partition } from './entry.ts';
import { type EmbeddedLog, seconds } from './log.ts';
import { OFFSETS } from './schema.ts';

export interface Trimming {
  /** The longest time that an event is kept, also for a group without members. */
  readonly retentionMs: number;
  /** The shortest time that an event is kept, for groups that join soon. */
  readonly floorMs: number;
  readonly clock: TrimClock;
}

/** A wall clock and a monotonic clock, both in milliseconds. */
export interface TrimClock {
  now(): number;
  steady(): number;
}

/** The most that one unit of work removes. */
const ROWS = 500;
const BYTES = 4 * 1024 * 1024;

/**
 * Removes events that all groups have read, a bounded unit at a time. What is older than the retention goes even if a group has not
 * read it. Dead letters go after twice the retention, and offsets of groups that are away after four weeks at the earliest.
 */
export class Trimmer {
  readonly #file: SqliteFile;
  readonly #log: EmbeddedLog;
  readonly #options: Trimming;
  /** Times of the rounds of the last `floorMs`, by both clocks. */
  readonly #rounds: { readonly wall: number; readonly steady: number }[] = [];

  constructor(log: EmbeddedLog, options: Trimming) {
    this.#file = log.file;
    this.#log = log;
    this.#options = options;
    this.#cautiousNow();
  }

  /** One round. Stops early when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { retentionMs, floorMs, clock } = this.#options;
    const floor = seconds(clock.now() - floorMs);
    const cautious = this.#cautiousNow();
    const ceiling = cautious === null ? -1 : seconds(cautious - retentionMs);
    const read = this.#readByAll(ceiling);
    for (const partition of this.#log.partitions()) {
      if (!this.#mayTrim(partition, floor)) continue;
      while (!signal.aborted && (await this.#step(partition, read.get(partition.id) ?? Infinity, floor, ceiling))) await setImmediate();
    }
    if (cautious !== null && !signal.aborted) await this.#forget(cautious);
  }

  /**
   * The time for limits that drop events a group may still need. It is null in the first hour (`floorMs`), in which groups join again
   * after a restart. If the wall clock was set forward, the jump is ignored for an hour.
   */
  #cautiousNow(): number | null {
    const { floorMs, clock } = this.#options;
    const [wall, steady] = [clock.now(), clock.steady()];
    this.#rounds.push({ wall, steady });
    while (this.#rounds[1] && steady - this.#rounds[1].steady >= floorMs) this.#rounds.shift();
    const oldest = this.#rounds[0]!;
    return steady - oldest.steady < floorMs ? null : Math.min(wall, oldest.wall + steady - oldest.steady);
  }

  /** For each partition the offset up to which all groups have read, groups aside that were not seen since `ceiling`. */
  #readByAll(ceiling: number): ReadonlyMap<number, number> {
    const sql = 'SELECT partition, min(next) AS next FROM broker_places WHERE seen > ? GROUP BY partition';
    return new Map(this.#file.all<{ partition: number; next: number }>(sql, ceiling).map(({ partition, next }) => [partition, next]));
  }

  #mayTrim({ id }: Partition, floor: number): boolean {
    const sql = 'SELECT at FROM broker_log WHERE place >= ? AND place < ? ORDER BY place LIMIT 1';
    const oldest = this.#file.get<{ at: number }>(sql, id * OFFSETS, (id + 1) * OFFSETS);
    return oldest !== undefined && oldest.at <= floor;
  }

  /** Returns whether there may be more. */
  async #step({ id }: Partition, readByAll: number, floor: number, ceiling: number): Promise<boolean> {
    const first = id * OFFSETS;
    const base = await this.#file.write((transaction) => {
      const rows = transaction.all<{ place: number; at: number; bytes: number }>(
        `SELECT place, at, octet_length(event) AS bytes FROM broker_log WHERE place >= ? AND place < ? ORDER BY place LIMIT ${ROWS}`,
        first,
        first + OFFSETS,
      );
      let next: number | undefined;
      let bytes = 0;
      for (const row of rows) {
        const unread = row.place - first >= readByAll;
        if (row.at > floor || (unread && row.at > ceiling) || bytes > BYTES) break;
        next = row.place + 1;
        bytes += row.bytes;
      }
      if (next === undefined) return undefined;
      transaction.run('DELETE FROM broker_log WHERE place >= ? AND place < ?', first, next);
      transaction.run('UPDATE broker_partitions SET base = ? WHERE id = ?', next - first, id);
      return next - first;
    });
    if (base === undefined) return false;
    this.#log.trimmed(id, base);
    return true;
  }

  async #forget(now: number): Promise<void> {
    const before = now - 2 * this.#options.retentionMs;
    const offsetsBefore = Math.min(before, now - OFFSETS_KEPT_MS);
    await this.#file.write((transaction) => {
      transaction.run(
        `DELETE FROM broker_dead_letters WHERE id IN
           (SELECT id FROM broker_dead_letters WHERE failed_at < ? ORDER BY failed_at LIMIT 10)`,
        new Date(before).toISOString(),
      );
      transaction.run('DELETE FROM broker_places WHERE seen < ?', seconds(offsetsBefore));
    });
  }
}
