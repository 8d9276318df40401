import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, NotPrepared, ProjectionStopped } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { ForeignProjection } from '../projection.ts';
import {
  compareSequences,
  type Delivery,
  type FollowedTopics,
  type Moment,
  type PublishedEvent,
  type PublishedEvents,
  type Topics,
} from '../published.ts';
import type { ReadModels } from '../read-models.ts';
import { completeUpTo } from './complete.ts';
import { type Item, ProgressTracker } from './progress-tracker.ts';
import { removeOutdated } from './remove-outdated.ts';
import { repartitioned } from './partitions.ts';
import { BATCH, SourceLogs } from './source-logs.ts';

const FIRST_BACKOFF_MS = 10;
const MOST_BACKOFF_MS = 1_000;

export interface ForeignOptions {
  readonly models: ReadModels;
  readonly service: string;
  readonly topics: Topics;
  readonly published: PublishedEvents;
  readonly report: (failure: Failure) => void;
}

/**
 * One projection of other services' events, in one process. A new version first reads the logs of its sources to their ends. Then it
 * records, for every partition, how far it has read, and from then on handles the events that the topics deliver after these positions.
 */
export class ForeignRunner {
  /** The main progress record: positions in the logs while the projection catches up. */
  readonly main: ProgressTracker;
  readonly trackers = new Map<string, ProgressTracker>();
  stopped: string | null = null;
  private readonly stopping = new AbortController();
  private subscription: FollowedTopics | null = null;
  private running: Promise<void> = Promise.resolve();
  private round = 0;
  private rebuilding: Promise<void> | undefined;
  readonly logs: SourceLogs;

  constructor(
    readonly projection: ForeignProjection,
    private readonly options: ForeignOptions,
  ) {
    this.main = this.trackerOf('');
    const { topics, published } = options;
    this.logs = new SourceLogs({ projection, main: this.main, topics, published, itemOf: (event, to) => this.itemOf(event, to) });
  }

  /** The number of commits of its sources that are not read yet, while it catches up. */
  get behind(): number {
    return this.main.progress?.ready ? 0 : this.logs.heads.behind;
  }

  get group(): string {
    const { name, version } = this.projection;
    const generation = this.options.models.generation(name);
    return `${this.options.service}.${name}.v${version}${generation === 0 ? '' : `.${generation}`}`;
  }

  /** Starts again from the stored records, without waiting. */
  start(): void {
    const round = (this.round += 1);
    this.stopped = null;
    this.trackers.clear();
    this.running = Promise.allSettled([this.running, this.leave()]).then(() => this.run(() => round !== this.round || this.isStopping));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.leave();
  }

  /** Removes rows that no later event reads, from these rows and from copies of them. */
  async removeOutdated(...copies: readonly ReadModels[]): Promise<void> {
    const { models } = this.options;
    await removeOutdated(this.projection, models, (newest) => this.complete(newest), [models, ...copies]);
  }

  /** Removes the rows and builds them again. */
  async reset(): Promise<void> {
    this.round += 1;
    await this.running;
    await this.leave();
    await this.rebuild();
  }

  /** Runs `change` while nothing is being read or written, then starts again from the stored records. */
  async between(change: () => Promise<void>): Promise<void> {
    this.round += 1;
    await this.running;
    await this.leave();
    await change().finally(() => this.start());
  }

  /** A runner of the same projection on other rows. */
  on(models: ReadModels): ForeignRunner {
    return new ForeignRunner(this.projection, { ...this.options, models });
  }

  async trackerAt(line: string): Promise<ProgressTracker> {
    if (line === '') return this.main;
    let known = this.trackers.get(line);
    if (!known) {
      known = this.trackerOf(line);
      await known.refresh();
      this.trackers.set(line, known);
    }
    return known;
  }

  /** See `completeUpTo`. */
  complete(newest: Moment): Promise<Moment> {
    return completeUpTo({ ...this.options, name: this.projection.name, group: this.group, origins: this.logs.origins }, newest);
  }

  itemOf(event: PublishedEvent, to: string): Item {
    return { to, key: event.subject, number: 1, letter: event, changes: () => this.projection.changes(event) };
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private trackerOf(line: string): ProgressTracker {
    return new ProgressTracker(this.options.models, this.projection, line, (cause) => this.fail(cause));
  }

  private fail(error: unknown): void {
    this.stopped = reasonOf(error);
    this.options.report({ projection: this.projection.name, error, stopped: true });
    // Not awaited: it waits for the delivery that failed.
    void this.leave().catch((cause: unknown) => this.options.report({ projection: this.projection.name, error: cause, stopped: true }));
  }

  private async leave(): Promise<void> {
    const { subscription } = this;
    this.subscription = null;
    this.options.models.pendingFlushes.delete(this.projection.name);
    await subscription?.stop();
  }

  private async rebuild(): Promise<void> {
    const { models } = this.options;
    await models.drop(this.projection.name);
    await models.prepare([this.projection]);
    this.start();
  }

  private async run(isOver: () => boolean): Promise<void> {
    for (let backoff = FIRST_BACKOFF_MS; !isOver() && this.stopped === null; backoff = Math.min(backoff * 2, MOST_BACKOFF_MS)) {
      try {
        await this.main.refresh();
        while (!this.main.progress.ready) {
          if (await this.logs.read(isOver)) {
            // First: the broker keeps events for a group that it knows, or reports what it has missed, even after a kill.
            await this.subscribe();
            await this.logs.handOver();
          }
          if (isOver() || this.stopped !== null) return;
        }
        if (await this.knowsPartitions()) await this.subscribe();
        if (isOver()) await this.leave();
        return;
      } catch (error) {
        this.options.report({ projection: this.projection.name, error, stopped: false });
        await delay(backoff, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** Reads the logs of all sources to their ends. Returns false when it can't continue. */
  readLogs(): Promise<boolean> {
    return this.logs.read(() => this.isStopping);
  }

  /** Stops the projection unless every partition has a position. */
  private async knowsPartitions(): Promise<boolean> {
    const { topics, models } = this.options;
    const names = this.logs.origins.map(({ topic }) => topic);
    const changed = await repartitioned(topics, names, [...(await models.lines(this.projection.name)).keys()]);
    if (changed !== null) {
      const replay = `parlance replay ${this.options.service} ${this.projection.name} --reset`;
      await this.main.stop(new Error(`${changed}: run "${replay}"`));
      return false;
    }
    return true;
  }

  private async subscribe(): Promise<void> {
    const names = this.logs.origins.map(({ topic }) => topic);
    if (names.length === 0) return;
    const { models } = this.options;
    const { name } = this.projection;
    this.subscription ??= await this.options.topics.subscribe({
      group: this.group,
      topics: names,
      types: this.projection.types,
      batch: BATCH,
      mayGather: !models.isShared,
      handle: (deliveries) => this.handle(deliveries),
      // The logs of the sources still contain what the topics have dropped. The broker skips the gap only when this resolves, when the old
      // rows are gone.
      onTrimmed: async () => {
        this.requireHandedOver();
        await (this.rebuilding ??= this.rebuild().finally(() => (this.rebuilding = undefined)));
      },
    });
    models.pendingFlushes.set(name, () => this.subscription?.flush?.());
  }

  /** Rejects deliveries until the logs are read; they are delivered again later. */
  private requireHandedOver(): void {
    if (!this.main.progress.ready) throw new Error(`read model ${this.projection.name} is still being built`);
  }

  private async handle(deliveries: readonly Delivery[]): Promise<void> {
    const { name, types } = this.projection;
    if (this.stopped !== null) throw new ProjectionStopped(name, this.stopped);
    this.requireHandedOver();
    const [{ topic, partition }] = deliveries as [Delivery];
    try {
      const tracker = await this.trackerAt(`${topic}/${partition}`);
      for (let outcome = null; outcome !== 'moved';) {
        if (tracker.stopped !== null) throw new ProjectionStopped(name, tracker.stopped);
        const items: Item[] = [];
        let to = tracker.at;
        for (const { event } of deliveries) {
          if (compareSequences(event.sequence, to) <= 0) continue;
          to = event.sequence;
          if (types.includes(event.type)) items.push(this.itemOf(event, to));
        }
        outcome = await tracker.take(items, { to });
      }
    } catch (error) {
      // The records are gone: another process has reset the projection.
      if (error instanceof NotPrepared && !this.isStopping && !this.rebuilding) this.start();
      throw error;
    }
  }
}
