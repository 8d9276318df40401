import { refuse } from '@parlance/decider';
import { Awaited } from './awaited.ts';
import type { RevocationRecords } from './records.ts';
import type { WatcherRegistry } from './registry.ts';
import { CLOCKS_APART_MS, OVER_THE_NETWORK, type Terms } from './terms.ts';
import { Bell, firstOf, SystemTime, type Time } from './time.ts';

/** A watcher's poll. */
export interface Poll {
  readonly watcher: string;
  /** The position of the previous answer; null in the first poll. */
  readonly seen: number | null;
  /** How long the answer may wait for changes. */
  readonly wait: number;
}

export interface RevocationEntry {
  readonly key: string;
  readonly revoked: boolean;
  readonly until: number;
}

/** The changes since `seen`, or all revocations in the first answer, at least up to `position`. */
export interface RevocationNews {
  readonly position: number;
  readonly entries: readonly RevocationEntry[];
}

/** The pause before the next check if the log has grown but the rows have not. */
const SETTLE_MS = 25;
/** How often to read the positions that watchers have reported to other replicas. */
const LOOK_MS = 25;
/** How long to wait for the rows to include a position. */
const PATIENCE_MS = 5_000;

/**
 * The owner's side of the protocol. Sends revocations to watchers, and lets the revoking caller wait until all watchers have seen them. Any number
 * of replicas can share the records and the registry.
 */
export class RevocationFeed {
  private readonly news = new Bell();
  private readonly notes = new Bell();
  private closed = false;

  constructor(
    private readonly records: RevocationRecords,
    private readonly watchers: WatcherRegistry,
    private readonly time: Time = new SystemTime(),
    private readonly terms: Terms = OVER_THE_NETWORK,
  ) {}

  /** Answers as soon as there are changes, otherwise when the wait is over. */
  async poll({ watcher, seen, wait }: Poll): Promise<RevocationNews> {
    // The poll is noted before the rows are read. A revocation that does not find the note was therefore written before that read.
    await this.watchers.note(watcher, seen ?? 0);
    this.notes.ring();
    const end = this.time.steady() + Math.min(wait, this.terms.idleWaitMs);
    for (;;) {
      const { rung } = this.news;
      const news = await this.newsSince(seen);
      const left = end - this.time.steady();
      if (seen === null) return news;
      const isEarlier = news.position < seen;
      // The watcher got everything up to `seen` from another replica, whose rows were ahead of these. Otherwise the log was replaced by an older one.
      const isBehind = isEarlier && (await this.records.storedHead()) >= seen;
      if (news.entries.length > 0 || (isEarlier && !isBehind) || left <= 0 || this.closed)
        return isBehind ? { ...news, position: seen } : news;
      if (!(await this.mayHaveChanged(news.position, rung, left))) return news;
    }
  }

  /** Returns which of these keys are revoked, read from the rows. For watchers without a valid copy. */
  async revokedOf(keys: readonly string[]): Promise<readonly string[]> {
    return (await this.records.of(keys)).filter(({ revoked }) => revoked).map(({ key }) => key);
  }

  /**
   * Resolves when no watcher uses a copy older than the position: within milliseconds if all watchers respond, after a lease if one is lost. Rejects
   * with `unavailable` if the rows do not reach the position.
   */
  async seenByAll(position: number): Promise<void> {
    await this.included(position);
    this.news.ring();
    const awaited = new Awaited(position, this.terms.leaseMs);
    for (;;) {
      const { rung } = this.notes;
      const watchers = await this.watchers.all();
      const { settled, silent } = awaited.look(watchers, this.time.steady());
      await Promise.all(silent.map(({ watcher, beat }) => this.watchers.drop(watcher, beat)));
      if (settled) return;
      await firstOf(this.time, LOOK_MS, (signal) => this.notes.after(rung, signal));
    }
  }

  /** For a server that is about to stop: answers all waiting requests, and further requests at once. */
  close(): void {
    this.closed = true;
    this.news.ring();
  }

  private async newsSince(seen: number | null): Promise<RevocationNews> {
    // The position is read before the rows, because the rows may be newer than the reported position, but never older.
    const position = await this.records.reached();
    const outlived = this.time.ofDay() - CLOCKS_APART_MS;
    const rows = seen === null ? await this.records.holding(outlived) : await this.records.since(seen);
    const entries = rows.filter((row) => !row.revoked || row.until >= outlived);
    return { position, entries: entries.map(({ key, revoked, until }) => ({ key, revoked, until })) };
  }

  /** Waits until there may be changes. False if the wait is over: the answer may then be as old as its poll. */
  private async mayHaveChanged(position: number, rung: number, left: number): Promise<boolean> {
    const end = this.time.steady() + left;
    const ring = (signal: AbortSignal) => this.news.after(rung, signal);
    if ((await this.records.head()) > position) await firstOf(this.time, Math.min(left, SETTLE_MS), ring);
    else await firstOf(this.time, left, ring, (signal) => this.records.grown(position, signal));
    return this.time.steady() < end;
  }

  private async included(position: number): Promise<void> {
    const end = this.time.steady() + PATIENCE_MS;
    while ((await this.records.reached()) < position) {
      if (this.time.steady() > end) {
        const detail = 'The change is recorded but takes effect with a delay. Try again.';
        throw refuse('unavailable', 'revocation_pending', detail, { retry_after: 1 });
      }
      await this.time.sleep(SETTLE_MS);
    }
  }
}
