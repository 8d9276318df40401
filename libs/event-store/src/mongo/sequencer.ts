import { setTimeout as pause } from 'node:timers/promises';
import { type ClientBulkWriteModel, type ClientSession, type MongoClient, MongoClientBulkWriteError } from 'mongodb';
import { StoreClosed } from '../event-store.ts';
import type { Growth } from '../growth.ts';
import { type Collections, durable, placeOf, type TailDocument } from './documents.ts';
import { before, chained, type Pending } from './order.ts';
import { MongoPositions, remember } from './positions.ts';

/** How often an idle process looks whether another one has added to the log: this is its load on the database. */
const IDLE_POLL_MILLIS = 500;
/** The same while a caller waits for a position, and for some time after another process added to the log. */
const BUSY_POLL_MILLIS = 100;
const BUSY_FOR_MILLIS = 5_000;
/** How often to look for commits that another process left without positions. */
const SCAN_MILLIS = 10_000;
const LARGEST_BATCH = 2_000;

/** Documents by the names of their collections: all ids are texts. */
type Ids = Record<string, { _id: string }>;

/**
 * Gives commits their positions, behind the appends and without a leader: every process may try, at any time.
 *
 * There is one tail document: the newest batch, which commits it holds, and the position of the first. A round
 *   (a) reads the tail, batch n;
 *   (b) writes the positions of n's commits into them, where they are pending still;
 *   (c) chooses pending commits, and keeps those whose predecessor in the stream has its position or stands before it here;
 *   (d) replaces the tail by batch n + 1 = those, on the condition that it is still n: of all processes one succeeds, the
 *       others begin again; this write decides the order, everything else can be repeated at will;
 *   (e) writes the positions of n + 1 into its commits: the same as (b).
 * (d) and (e) are one command: an ordered bulk write, which ends at (d) when the condition does not hold. A process whose own batch is
 * still the tail begins with (c).
 *
 * A commit is in one batch only. (c) chooses a commit for one of two reasons:
 *   - A scan has shown it pending after every commit of n had lost its mark (b), and likewise n was made after those of n - 1 had;
 *     so nothing of an earlier batch is seen pending. "After" holds across servers, since all rounds run in a causally consistent
 *     session with majority reads and writes.
 *   - This process appended it, and knew the tail without a gap since before that append began: it has seen or made every batch since, and
 *     put it into none. `continuity` counts the gaps.
 * The condition (d) excludes that another batch came in between. Every commit is in some batch: a commit that this process may not
 * choose by itself is found by a scan, and the oldest pending commit of a stream can always be placed. Positions have no gaps: a batch
 * begins where the one before it ends, and only the newest can lack positions that are decided but not written, for a process may die
 * between (d) and (e). Readers stop at the first one missing, and the next round of any process supplies it (b).
 */
export class MongoSequencer {
  /** Every position up to this one can be read. */
  settled = 0;
  /** See above. An append passes the value from before it was sent. */
  continuity = 0;
  /** The newest batch that this process knows. It is settled. */
  private tail: TailDocument | undefined;
  /** Another process may have made a newer batch. */
  private stale = true;
  /** There may be pending commits that are not in `own`. */
  private strays = true;
  private readonly own = new Map<string, Pending>();
  private failed: { readonly batch: number; readonly error: Error } | undefined;
  private limit = LARGEST_BATCH;
  private running: Promise<void> | undefined;
  private again = false;
  private busyUntil = 0;
  private scanDue = performance.now() + SCAN_MILLIS;
  private timer: NodeJS.Timeout | undefined;
  private readonly session: ClientSession;
  private readonly positions = new MongoPositions();
  /** The newest version of a stream that is known to have a position. */
  private readonly placed = new Map<string, number>();

  constructor(
    private readonly collections: Collections,
    private readonly client: MongoClient,
    private readonly growth: Growth,
    private readonly onError: (error: unknown) => void,
  ) {
    this.session = client.startSession({ causalConsistency: true });
    this.nudge();
  }

  /** Called after an append of this process, with the `continuity` from before it. */
  appended(commit: Pending, continuity: number): void {
    this.positions.expect(commit._id);
    if (continuity === this.continuity) this.own.set(commit._id, commit);
    else this.strays = true;
    this.nudge();
  }

  /** Called when an append failed: it may have been written all the same. */
  suspect(): void {
    this.strays = true;
  }

  /** Called with commits that were read with their positions. */
  seen(stream: string, version: number, position: number): void {
    if ((this.placed.get(stream) ?? 0) < version) remember(this.placed, stream, version);
    if (position > this.settled) this.refresh();
  }

  async positionOf(id: string): Promise<number> {
    const known = this.positions.known(id);
    if (known) return known;
    if (this.growth.ended) throw new StoreClosed();
    const position = this.positions.wait(id);
    if (known === undefined) {
      this.strays = true;
      this.refresh();
    }
    return position;
  }

  async head(): Promise<number> {
    const tail = await this.newerTail();
    if (!tail) return this.settled;
    const pending = await this.pendingOf(tail);
    const missing = tail.commits.findIndex((id) => pending.has(id));
    return tail.first + (missing === -1 ? tail.commits.length : missing) - 1;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    this.positions.end();
    await this.session.endSession();
  }

  /** Looks at what other processes have done as well. */
  private refresh(): void {
    this.stale = true;
    this.nudge();
  }

  private poll(): void {
    clearTimeout(this.timer);
    if (this.growth.ended) return;
    const busy = this.positions.awaited() || performance.now() < this.busyUntil;
    this.timer = setTimeout(() => this.refresh(), busy ? BUSY_POLL_MILLIS : IDLE_POLL_MILLIS).unref();
  }

  private nudge(): void {
    this.again = true;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
      // A nudge may come between the last look at it and here.
      if (this.again && !this.growth.ended) this.nudge();
      else this.poll();
    });
  }

  private async work(): Promise<void> {
    while (this.again && !this.growth.ended) {
      this.again = false;
      try {
        await this.round();
      } catch (error) {
        // The next round starts from what the database says, after the pause of a poll.
        this.loseContinuity();
        this.onError(error);
      }
    }
  }

  private async round(): Promise<void> {
    const tail = this.stale || !this.tail ? await this.catchUp() : this.tail;
    const { failed } = this;
    this.failed = undefined;
    if (failed?.batch === tail.batch) throw failed.error;
    const scans = this.strays || performance.now() > this.scanDue;
    const pending = scans ? await this.scan() : [...this.own.values()].slice(0, LARGEST_BATCH);
    const commits = await this.inOrder(pending);
    if (commits.length > 0) await this.propose(tail, commits);
    const left = pending.length > commits.length;
    // What is left waits for a predecessor: one that only a scan shows, or one that is not there yet.
    if (left && !scans) this.strays = true;
    this.again ||= left ? commits.length > 0 || !scans : this.own.size > 0;
  }

  /** (d) and (e). */
  private async propose(tail: TailDocument, commits: readonly string[]): Promise<void> {
    const next: TailDocument = { _id: 'tail', batch: tail.batch + 1, first: tail.first + tail.commits.length, commits };
    const { batch, first } = next;
    const { tail: tails, commits: log } = this.collections;
    // The upsert makes the condition an error: where the tail is another batch, it is an insert of an id that exists.
    const name = 'updateOne';
    const models: ClientBulkWriteModel<Ids>[] = [
      {
        namespace: tails.namespace,
        name,
        filter: { _id: 'tail', batch: tail.batch },
        update: { $set: { batch, first, commits } },
        upsert: true,
      },
      ...positionsOf(next).map(({ updateOne }) => ({ namespace: log.namespace, name, ...updateOne }) as const),
    ];
    // A session of its own: a write needs no promise about what it sees, and not all servers take one with this command.
    const session = this.client.startSession();
    try {
      await this.client.bulkWrite<Ids>(models, { session, ordered: true, writeConcern: durable });
      this.settle(next);
    } catch (error) {
      if (!(error instanceof MongoClientBulkWriteError)) throw error;
      // Mostly another process was first. If the next look shows the same batch, it was something else.
      this.loseContinuity();
      this.failed = { batch: tail.batch, error };
      this.again = true;
      await pause(Math.random() * 5);
    } finally {
      if (session.operationTime) this.session.advanceOperationTime(session.operationTime);
      await session.endSession();
    }
  }

  /** (a) and (b), and the news for those who wait. */
  private async catchUp(): Promise<TailDocument> {
    this.stale = false;
    const tail = await this.newerTail(this.session);
    if (tail) {
      if (this.tail) this.busyUntil = performance.now() + BUSY_FOR_MILLIS;
      this.loseContinuity();
      const pending = await this.pendingOf(tail, this.session);
      const writes = positionsOf(tail).filter(({ updateOne }) => pending.has(updateOne.filter._id));
      if (writes.length > 0) await this.collections.commits.bulkWrite(writes, { session: this.session, ordered: false });
      this.settle(tail);
      this.stale = false;
    }
    const ids = this.positions.waitedFor();
    if (ids.length > 0) {
      const filter = { _id: { $in: ids }, position: { $lte: this.settled } };
      const found = await this.collections.commits.find(filter, { session: this.session, projection: { position: 1 } }).toArray();
      for (const { _id, position } of found) this.positions.give(_id, position!);
      if (found.length < ids.length) this.strays = true;
    }
    return this.tail!;
  }

  private settle(tail: TailDocument): void {
    this.tail = tail;
    this.settled = tail.first + tail.commits.length - 1;
    this.limit = LARGEST_BATCH;
    for (const [index, id] of tail.commits.entries()) {
      const { stream, version } = placeOf(id);
      remember(this.placed, stream, version);
      this.own.delete(id);
      this.positions.give(id, tail.first + index);
    }
    this.growth.wake();
  }

  /** The next round looks at the database before it decides anything. */
  private loseContinuity(): void {
    this.continuity++;
    this.own.clear();
    this.stale = true;
    this.strays = true;
  }

  /** All pending commits, oldest first, and those of this process among them. */
  private async scan(): Promise<readonly Pending[]> {
    this.strays = false;
    this.scanDue = performance.now() + SCAN_MILLIS;
    const { limit } = this;
    const found = await this.collections.commits
      .find(
        { pending: { $exists: true } },
        { session: this.session, sort: { pending: 1 }, limit, projection: { stream: 1, version: 1, pending: 1 } },
      )
      .toArray();
    if (found.length === limit) {
      // There is more. If all of this page wait for predecessors beyond it (clocks far apart), a larger page has them.
      this.strays = true;
      this.limit *= 2;
    }
    const pending = new Map<string, Pending>(this.own);
    for (const commit of found) pending.set(commit._id, commit);
    return [...pending.values()].sort((one, other) => (one.pending! < other.pending! ? -1 : 1));
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

  /** Null when the tail is still the one that this process knows. Its list of commits is sent only when it is new. */
  private async newerTail(session?: ClientSession): Promise<TailDocument | null> {
    const { tail } = this;
    const filter = { _id: 'tail' as const, ...(tail && { batch: { $ne: tail.batch } }) };
    const found = await this.collections.tail.findOne(filter, { ...(session && { session }) });
    if (!found && !tail) throw new Error('the tail of the log is missing from the database');
    return found;
  }

  private async pendingOf(tail: TailDocument, session?: ClientSession): Promise<ReadonlySet<string>> {
    if (tail.commits.length === 0) return new Set();
    const filter = { _id: { $in: tail.commits }, pending: { $exists: true } };
    const found = await this.collections.commits.find(filter, { ...(session && { session }), projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }
}

function positionsOf({ first, commits }: TailDocument) {
  return commits.map((_id, index) => ({
    updateOne: { filter: { _id }, update: { $set: { position: first + index }, $unset: { pending: '' as const } } },
  }));
}
