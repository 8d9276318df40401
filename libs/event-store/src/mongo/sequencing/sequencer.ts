import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { StoreClosed } from '../../event-store.ts';
import type { Growth } from '../../growth.ts';
import type { Batches } from './batches.ts';
import { placeOf, type TailDocument } from '../documents.ts';
import type { Pending } from './order.ts';
import { PendingCommits } from './pending-commits.ts';
import { PlacedStreams } from './placed-streams.ts';
import { PollPace } from './poll-pace.ts';
import { MongoPositions } from './positions.ts';

/** How often to search for commits that another process has left without positions. */
const SCAN_MILLIS = 10_000;

/**
 * Assigns positions to commits, after the appends and without a leader: every process may try at any time.
 *
 * There is one tail document with the newest batch: its number, its commits, and the position of the first. A round
 *   (a) reads the tail, batch n;
 *   (b) writes the positions of batch n into those of its commits that are still pending;
 *   (c) chooses pending commits, and keeps those whose predecessor in the stream has a position or precedes them in the choice;
 *   (d) replaces the tail by batch n + 1 with these commits, on the condition that the tail is still n. One process succeeds, the others begin
 *       again. This write decides the order; everything else can be repeated;
 *   (e) writes the positions of batch n + 1 into its commits, like (b).
 * (d) and (e) are one command: an ordered bulk write, which ends at (d) if the condition does not hold. A process whose own batch is still the
 * tail begins with (c).
 *
 * A commit is in only one batch. (c) chooses a commit for one of two reasons:
 *   - A scan has found the commit pending after every commit of batch n got its position (b). Batch n itself was made after every commit of
 *     batch n - 1 had got its position, so a scan finds no commit of an earlier batch. "After" is also true across servers, because all rounds
 *     run in a causally consistent session with majority reads and writes.
 *   - This process has appended the commit, and since before that append it has made every batch itself, only from commits of this kind. So the
 *     commit is in none of these batches. `continuity` changes with every batch of another process.
 * The condition in (d) excludes that another batch came in between. Every commit gets into a batch: a scan finds a commit that this process may
 * not choose for the second reason, and the oldest pending commit of a stream can always be placed. Positions have no gaps: a batch begins where
 * the previous one ends. Only the newest batch can have positions that are decided but not written, because a process may die between (d) and
 * (e). Readers stop at the first missing position, and the next round of any process writes it (b).
 */
export class MongoSequencer {
  /** All positions up to this one can be read. */
  settled = 0;
  /** See the description of the class. An append passes the value from before it was sent. */
  continuity = 0;
  /** The newest batch that this process knows. It is settled. */
  private tail: TailDocument | undefined;
  /** The number of the newest batch that this process has proposed. */
  private proposed = 0;
  /** When the log last grew, as far as this process knows. */
  grewAt = -Infinity;
  /** True if another process may have made a newer batch. */
  private stale = true;
  /** True if there may be pending commits that only a scan finds. */
  private strays = true;
  private failed: { readonly batch: number; readonly error: Error } | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private scanDue = performance.now() + SCAN_MILLIS;
  private timer: NodeJS.Timeout | undefined;
  private readonly positions = new MongoPositions();
  private readonly pending: PendingCommits;
  private readonly placed: PlacedStreams;
  private readonly pace: PollPace;

  constructor(
    private readonly batches: Batches,
    private readonly growth: Growth,
    private readonly onError: (error: unknown) => void,
    /** Whether `heard` is called at once when another process has made a batch. */
    isWatched: () => boolean = () => false,
  ) {
    this.pending = new PendingCommits(batches);
    this.placed = new PlacedStreams(batches);
    this.pace = new PollPace(isWatched);
    this.nudge();
  }

  /** Called after an append of this process, with the `continuity` from before it. */
  appended(commit: Pending, continuity: number): void {
    this.positions.expect(commit._id);
    if (continuity === this.continuity) this.pending.addOwn(commit);
    else this.strays = true;
    this.nudge();
  }

  /** Called when an append has failed, because it may have been written anyway. */
  suspect(): void {
    this.strays = true;
  }

  /** Called when a process has made a batch. Null if its number is not known. */
  heard(batch: number | null): void {
    if (batch === null || batch > Math.max(this.tail?.batch ?? 0, this.proposed)) this.refresh();
  }

  /** Called with commits that were read with their positions. */
  seen(stream: string, version: number, position: number): void {
    this.placed.seen(stream, version);
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

  /** The end of the log as far as this process knows. Null before its first round. */
  get noticed(): number | null {
    return this.tail ? this.settled : null;
  }

  async head(): Promise<number> {
    const tail = await this.batches.newer(this.tail, {});
    if (!tail) return this.settled;
    const unwritten = await this.batches.unwritten(tail, {});
    const missing = tail.commits.findIndex((id) => unwritten.has(id));
    return tail.first + (missing === -1 ? tail.commits.length : missing) - 1;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    this.positions.end();
    await this.batches.end();
  }

  /** Also reads the positions that other processes have assigned. */
  private refresh(): void {
    this.stale = true;
    this.nudge();
  }

  private poll(): void {
    clearTimeout(this.timer);
    if (this.growth.ended) return;
    this.timer = setTimeout(() => this.refresh(), this.pace.millis(this.positions.awaited())).unref();
  }

  private nudge(): void {
    this.again = true;
    this.running ??= this.work().finally(() => {
      this.running = undefined;
      // `nudge` may be called between the last check and this line.
      if (this.again && !this.growth.ended) this.nudge();
      else this.poll();
    });
  }

  private async work(): Promise<void> {
    while (this.again && !this.growth.ended) {
      // The appends of one group are answered in one turn of the event loop, and share a batch.
      await setImmediate();
      this.again = false;
      try {
        await this.round();
        this.pace.hasFailed = false;
      } catch (error) {
        this.pace.hasFailed = true;
        // The next round starts from the state of the database, after the pause of a poll.
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
    const pending = scans ? await this.scan() : this.pending.ofProcess();
    const commits = await this.placed.inOrder(pending);
    if (commits.length > 0) await this.propose(tail, commits);
    const hasRemaining = pending.length > commits.length;
    // The remaining commits wait for a predecessor that only a scan finds, or that does not exist yet.
    if (hasRemaining && !scans) this.strays = true;
    this.again ||= hasRemaining ? commits.length > 0 || !scans : this.pending.hasOwn;
  }

  /** (d) and (e). */
  private async propose(tail: TailDocument, commits: readonly string[]): Promise<void> {
    const next: TailDocument = { _id: 'tail', batch: tail.batch + 1, first: tail.first + tail.commits.length, commits };
    this.proposed = next.batch;
    const error = await this.batches.decide(tail, next);
    if (!error) return this.settle(next);
    // Usually another process was first. If the next read shows the same batch, there was another error.
    this.loseContinuity();
    this.failed = { batch: tail.batch, error };
    this.again = true;
    await pause(Math.random() * 5);
  }

  /** (a) and (b), and resolves waits for positions. */
  private async catchUp(): Promise<TailDocument> {
    this.stale = false;
    const tail = await this.batches.newer(this.tail);
    if (tail) {
      if (this.tail) this.pace.speedUp();
      this.loseContinuity();
      await this.batches.write(tail, await this.batches.unwritten(tail));
      this.settle(tail);
      this.stale = false;
    }
    const awaited = this.positions.waitedFor();
    const found = await this.batches.positions(awaited, this.settled);
    for (const [id, position] of found) this.positions.give(id, position);
    if (found.size < awaited.length) this.strays = true;
    return this.tail!;
  }

  private settle(tail: TailDocument): void {
    this.tail = tail;
    this.settled = tail.first + tail.commits.length - 1;
    this.grewAt = performance.now();
    this.pending.batchMade();
    let strangers = 0;
    for (const [index, id] of tail.commits.entries()) {
      const { stream, version } = placeOf(id);
      this.placed.place(stream, version);
      if (!this.pending.placed(id)) strangers++;
      this.positions.give(id, tail.first + index);
    }
    // A scan may have shown an append of this process that is not answered yet.
    if (strangers > 0) this.continuity++;
    this.growth.wake();
  }

  /** Makes the next round read the database before it decides anything. */
  private loseContinuity(): void {
    this.continuity++;
    this.pending.forgetOwn();
    this.stale = true;
    this.strays = true;
  }

  private async scan(): Promise<readonly Pending[]> {
    this.strays = false;
    this.scanDue = performance.now() + SCAN_MILLIS;
    const { commits, isWhole } = await this.pending.scan();
    if (!isWhole) this.strays = true;
    return commits;
  }
}
