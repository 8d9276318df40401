import type { Commit } from '@parlance/event-store';
import { headOf } from '@parlance/event-store/sqlite';
import type { SqliteFile, Transaction } from '@parlance/sqlite';
import { changesOf, reasonOf, sizeOf } from '../fold.ts';
import type { Projection } from '../projection.ts';
import { MOST_PARKED } from '../read-models.ts';
import { records } from './records.ts';
import { RowChanges, type Rows } from './rows.ts';

const MARKED = `id || iif(EXISTS (SELECT 1 FROM read_model_parked parked WHERE parked.id = progress.id), '!', '')`;
const idsOf = (id: string) => `(SELECT group_concat(${id}, ' ') FROM read_model_progress progress WHERE live = 1)`;
/**
 * The ids of live versions, with a `!` after each that has keys set aside. One short text, because each append reads it. Measured with 11
 * live versions: 2.5 µs, and 4.6 µs if keys of each are looked for although no version has any.
 */
const LIVE = `SELECT iif(EXISTS (SELECT 1 FROM read_model_parked), ${idsOf(MARKED)}, ${idsOf('id')}) AS live`;
/** Limits for the latest appends, which are kept for projections that are about to become live. */
const RECENT_COMMITS = 128;
const RECENT_BYTES = 4 * 1024 * 1024;

interface Carried {
  readonly projection: Projection;
  readonly rows: Rows;
  readonly onBehind: () => void;
}

interface Recent {
  readonly commit: Commit;
  readonly size: number;
}

/** The live projections of a file. Their rows are written in the transaction of each append, so they need no checkpoint. */
export class Live {
  private readonly carried = new Map<string, Carried>();
  private known: { text: string; now: readonly (Carried & { id: string; hasParked: boolean })[] } = { text: '', now: [] };
  private recent: Recent[] = [];
  private recentBytes = 0;

  static of(file: SqliteFile): Live {
    let live = files.get(file);
    if (!live) files.set(file, (live = new Live()));
    return live;
  }

  /** Allows these rows to become live. */
  carry(projection: Projection, rows: Rows, onBehind: () => void): void {
    this.carried.set(rows.declared.id, { projection, rows, onBehind });
    this.known = { text: '', now: [] };
  }

  release(id: string): void {
    this.carried.delete(id);
    this.known = { text: '', now: [] };
  }

  mayCarry(id: string): boolean {
    return this.carried.has(id);
  }

  /** For the event store: runs in the transaction of every append. */
  readonly beside = (transaction: Transaction, commit: Commit): void => {
    const live = transaction.get<{ live: string | null }>(LIVE)!.live ?? '';
    if (live !== this.known.text) this.know(live);
    for (const { id, projection, rows, hasParked, onBehind } of this.known.now) {
      if (hasParked && records.isParked(transaction, id, commit.stream)) continue;
      const error = this.write(transaction, projection, rows, commit);
      if (error !== undefined) fail(transaction, id, projection, commit, error, onBehind);
    }
    if (this.known.now.length < this.carried.size) this.remember(commit);
    else if (this.recent.length > 0) [this.recent, this.recentBytes] = [[], 0];
  };

  /** Applies the appends that rows at the position `at` do not include. Returns whether they then include the whole log. */
  join(transaction: Transaction, id: string, at: number): boolean {
    const carried = this.carried.get(id);
    if (!carried) return false;
    const head = headOf(transaction);
    const missing = this.recent.map(({ commit }) => commit).filter(({ position }) => position > at && position <= head);
    if (missing.length !== head - at) return false;
    transaction.run('SAVEPOINT joining');
    const isDone = missing.every(
      (commit) =>
        records.isParked(transaction, id, commit.stream) || this.write(transaction, carried.projection, carried.rows, commit) === undefined,
    );
    if (!isDone) transaction.run('ROLLBACK TO joining');
    transaction.run('RELEASE joining');
    return isDone;
  }

  /** Returns the reason if the rows could not be written. In that case none of them was. */
  private write(transaction: Transaction, projection: Projection, rows: Rows, commit: Commit): unknown {
    let inSavepoint = false;
    try {
      const changes = new RowChanges(rows, transaction);
      for (const change of changesOf(projection, commit)) changes.make(change);
      if (changes.size > 1) {
        transaction.run('SAVEPOINT beside');
        inSavepoint = true;
      }
      changes.flush();
      if (inSavepoint) transaction.run('RELEASE beside');
      return undefined;
    } catch (error) {
      // If the file fails, these writes or the record of the failure fail too, and so does the append.
      if (inSavepoint) {
        transaction.run('ROLLBACK TO beside');
        transaction.run('RELEASE beside');
      }
      return error ?? new Error('a function threw nothing');
    }
  }

  private know(text: string): void {
    const now = [];
    for (const name of text === '' ? [] : text.split(' ')) {
      const hasParked = name.endsWith('!');
      const id = hasParked ? name.slice(0, -1) : name;
      const carried = this.carried.get(id);
      if (carried) now.push({ ...carried, id, hasParked });
    }
    this.known = { text, now };
  }

  private remember(commit: Commit): void {
    // The append of an earlier commit of this position was rolled back.
    while (this.recent.length > 0 && this.recent.at(-1)!.commit.position >= commit.position) this.recentBytes -= this.recent.pop()!.size;
    const size = sizeOf(commit.events);
    this.recent.push({ commit, size });
    this.recentBytes += size;
    while (this.recent.length > RECENT_COMMITS || this.recentBytes > RECENT_BYTES) this.recentBytes -= this.recent.shift()!.size;
  }
}

const files = new WeakMap<SqliteFile, Live>();

function fail(
  transaction: Transaction,
  id: string,
  { onError }: Projection,
  { stream, version, position }: Commit,
  error: unknown,
  onBehind: () => void,
): void {
  const reason = reasonOf(error);
  if (onError === 'park' && records.parked(transaction, id, MOST_PARKED).length < MOST_PARKED) {
    records.park(transaction, id, '', { key: stream, number: version, reason });
    return;
  }
  records.move(transaction, { id, line: '', at: String(position - 1), ready: 1, live: 0, stopped: reason });
  onBehind();
}

/** Rows that were live when the file was last used include the whole log. They get a checkpoint again. */
export function settle(transaction: Transaction): void {
  const live = transaction.all<{ id: string }>('SELECT id FROM read_model_progress WHERE live = 1');
  if (live.length === 0) return;
  const head = String(headOf(transaction));
  transaction.run('UPDATE read_model_progress SET live = 0, at = ?, revision = revision + 1 WHERE live = 1', head);
}
