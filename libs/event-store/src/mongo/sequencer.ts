import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, MongoClient } from 'mongodb';
import { StoreClosed } from '../event-store.ts';
import type { Growth } from '../growth.ts';
import { type Collections, placeOf, type TailDocument } from './documents.ts';
import { before, chained, type Pending } from './order.ts';
import { MongoPositions, remember } from './positions.ts';

const POLL_MILLIS = 250;
const LARGEST_BATCH = 2_000;

/**
 * Gives commits their positions, behind the appends and without a leader: every process may try, whenever it likes.
 *
 * There is one tail document: the newest batch, which commits it holds, and the position of the first. A round
 *   (a) reads the tail, batch n;
 *   (b) writes the positions of n's commits into them, where they are pending still;
 *   (c) reads pending commits, and keeps those whose predecessor in the stream has its position or stands before it here
 *       (a scan is no snapshot: it may show version 8 and miss 7);
 *   (d) replaces the tail by batch n + 1 = those, on the condition that it is still n: of all processes one succeeds, the
 *       others begin again; this write decides the order, everything else can be repeated at will;
 *   (e) writes the positions of n + 1 into its commits: the same as (b).
 *
 * A commit is in one batch only: batch n + 1 is made by a process that saw pending commits (c) after every commit of n had lost
 * its mark (b), and likewise n was made after those of n - 1 had; so nothing of an earlier batch is seen pending, and the
 * condition (d) excludes that another batch came in between. "After" holds across servers, since all rounds run in a causally
 * consistent session with majority reads and writes. Every commit is in some batch: it stays pending until it is, and the oldest
 * pending commit of a stream can always be placed. Positions have no gaps: a batch begins where the one before it ends, and only
 * the newest can lack positions that are decided but not written, for a process may die between (d) and (e). Readers stop at the
 * first one missing, and the next round of anybody supplies it (b).
 */
export class MongoSequencer {
  /** Every position up to this one can be read. */
  settled = 0;
  private settledBatch = -1;
  /** The tail as this process left it, to begin a round at (c). Another's newer tail makes (d) fail, no worse. */
  private tail: TailDocument | undefined;
  private limit = LARGEST_BATCH;
  private running: Promise<void> | undefined;
  private again = false;
  private readonly session: ClientSession;
  private readonly timer: NodeJS.Timeout;
  private readonly positions = new MongoPositions();
  /** The newest version of a stream that is known to have a position. */
  private readonly placed = new Map<string, number>();

  constructor(
    private readonly collections: Collections,
    client: MongoClient,
    private readonly growth: Growth,
    private readonly onError: (error: unknown) => void,
  ) {
    this.session = client.startSession({ causalConsistency: true });
    this.timer = setInterval(() => this.refresh(), POLL_MILLIS).unref();
  }

  /** Tells of an append made here: its position is due. */
  appended(id: string): void {
    this.positions.expect(id);
    this.nudge();
  }

  async positionOf(id: string): Promise<number> {
    const known = this.positions.known(id);
    if (known) return known;
    if (this.growth.ended) throw new StoreClosed();
    const position = this.positions.wait(id);
    if (known === undefined) this.refresh();
    return position;
  }

  async head(): Promise<number> {
    const tail = await this.loadTail();
    if (tail.batch === this.settledBatch) return this.settled;
    const pending = await this.pendingOf(tail);
    const missing = tail.commits.findIndex((id) => pending.has(id));
    return tail.first + (missing === -1 ? tail.commits.length : missing) - 1;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    this.positions.end();
    await this.session.endSession();
  }

  /** Looks at what other processes have done as well. */
  refresh(): void {
    this.tail = undefined;
    this.nudge();
  }

  private nudge(): void {
    this.again = true;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
      // A nudge may come between the last look at it and here.
      if (this.again && !this.growth.ended) this.nudge();
    });
  }

  private async work(): Promise<void> {
    while (this.again && !this.growth.ended) {
      this.again = false;
      try {
        await this.round();
      } catch (error) {
        // The next round starts from what the database says, in a quarter of a second at the latest.
        this.tail = undefined;
        this.onError(error);
      }
    }
  }

  private async round(): Promise<void> {
    const remembered = this.tail;
    const tail = remembered ?? (await this.catchUp());
    const pending = await this.collections.commits
      .find(
        { pending: { $exists: true } },
        { session: this.session, sort: { pending: 1 }, limit: this.limit, projection: { stream: 1, version: 1 } },
      )
      .toArray();
    const commits = await this.inOrder(pending);
    if (commits.length === 0) {
      // A page of commits whose predecessors all lie beyond it (clocks far apart): a larger page has them.
      if (pending.length === this.limit) {
        this.limit *= 2;
        this.again = true;
      }
      if (remembered) await this.catchUp();
      return;
    }
    const next: TailDocument = { _id: 'tail', batch: tail.batch + 1, first: tail.first + tail.commits.length, commits };
    const { batch, first } = next;
    const { matchedCount } = await this.collections.tail.updateOne(
      { _id: 'tail', batch: tail.batch },
      { $set: { batch, first, commits } },
      { session: this.session },
    );
    if (matchedCount === 1) {
      await this.settle(next, new Set(commits));
    } else {
      this.tail = undefined;
      await pause(Math.random() * 5);
    }
    this.again ||= matchedCount === 0 || pending.length > commits.length;
  }

  /** (a) and (b), and the news for those who wait. */
  private async catchUp(): Promise<TailDocument> {
    const tail = await this.loadTail(this.session);
    if (tail.batch !== this.settledBatch) await this.settle(tail, await this.pendingOf(tail, this.session));
    this.tail = tail;
    const ids = this.positions.waitedFor();
    if (ids.length > 0) {
      const filter = { _id: { $in: ids }, position: { $lte: this.settled } };
      const found = await this.collections.commits.find(filter, { session: this.session, projection: { position: 1 } }).toArray();
      for (const { _id, position } of found) this.positions.give(_id, position!);
    }
    return tail;
  }

  private async settle(tail: TailDocument, pending: ReadonlySet<string>): Promise<void> {
    const writes = tail.commits.flatMap((_id, index) =>
      pending.has(_id)
        ? [{ updateOne: { filter: { _id }, update: { $set: { position: tail.first + index }, $unset: { pending: '' as const } } } }]
        : [],
    );
    if (writes.length > 0) await this.collections.commits.bulkWrite(writes, { session: this.session, ordered: false });
    this.tail = tail;
    this.settledBatch = tail.batch;
    this.settled = tail.first + tail.commits.length - 1;
    this.limit = LARGEST_BATCH;
    for (const [index, id] of tail.commits.entries()) {
      const { stream, version } = placeOf(id);
      remember(this.placed, stream, version);
      this.positions.give(id, tail.first + index);
    }
    this.growth.wake();
  }

  /** Those pending that can be placed now, in the order to place them in. */
  private async inOrder(pending: readonly Pending[]): Promise<string[]> {
    const here = new Set(pending.map(({ _id }) => _id));
    const unsure = pending.filter((commit) => {
      const { stream, version } = commit;
      return version > 1 && !here.has(before(commit)) && (this.placed.get(stream) ?? 0) < version - 1;
    });
    const ready = await this.positioned(unsure.map(before));
    return chained(pending, new Set(unsure.filter((commit) => !ready.has(before(commit))).map(({ _id }) => _id)));
  }

  private async positioned(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const filter = { _id: { $in: ids }, position: { $exists: true } };
    const found = await this.collections.commits.find(filter, { session: this.session, projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  private async loadTail(session?: ClientSession): Promise<TailDocument> {
    const tail = await this.collections.tail.findOne({ _id: 'tail' }, { ...(session && { session }) });
    if (!tail) throw new Error('the tail of the log is missing from the database');
    return tail;
  }

  private async pendingOf(tail: TailDocument, session?: ClientSession): Promise<ReadonlySet<string>> {
    const filter = { _id: { $in: tail.commits }, pending: { $exists: true } };
    const found = await this.collections.commits.find(filter, { ...(session && { session }), projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }
}
