import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { READ_BYTES, READ_COMMITS } from '@parlance/event-store';
import { type Failure, NotPrepared, ProjectionStopped } from '../errors.ts';
import { reasonOf } from '../fold.ts';
import type { ForeignProjection } from '../projection.ts';
import {
  afterPosition,
  compareSequences,
  type Delivery,
  type Moment,
  type Origin,
  positionOf,
  type PublishedEvent,
  type PublishedEvents,
  type Topics,
} from '../published.ts';
import type { ReadModels } from '../read-models.ts';
import { type Item, Line } from './line.ts';

const BATCH = { events: READ_COMMITS, bytes: READ_BYTES };
/** Enough for one commit. */
const ONE = { events: 1, bytes: 1 };
const FIRST_BACKOFF_MS = 10;
const MOST_BACKOFF_MS = 1_000;

/** Where in the logs of its sources a projection is that catches up. */
type Places = Readonly<Record<string, string>>;

export interface ForeignOptions {
  readonly models: ReadModels;
  readonly service: string;
  readonly topics: Topics;
  readonly published: PublishedEvents;
  readonly report: (failure: Failure) => void;
}

/**
 * One projection of other services' events, in one process. A new version reads the logs of its sources to their ends. There it writes
 * down, for every partition, how far it has read, and from then on it takes what the topics deliver behind those places.
 */
export class ForeignRunner {
  /** The record of the projection: places in the logs while it catches up. */
  readonly main: Line;
  readonly lines = new Map<string, Line>();
  stopped: string | null = null;
  private readonly stopping = new AbortController();
  private subscription: { stop(): Promise<void> } | null = null;
  private running: Promise<void> = Promise.resolve();
  private round = 0;
  private rebuilding: Promise<void> | undefined;
  private readonly heads = new Map<string, { read: number; head: number }>();

  constructor(
    readonly projection: ForeignProjection,
    private readonly options: ForeignOptions,
  ) {
    this.main = this.lineOf('');
  }

  /** Commits of its sources that are not read yet, while it catches up. */
  get behind(): number {
    return this.main.progress?.ready ? 0 : [...this.heads.values()].reduce((sum, { read, head }) => sum + head - read, 0);
  }

  get group(): string {
    const { name, version } = this.projection;
    return `${this.options.service}.${name}.v${version}`;
  }

  /** Begins anew from what the records say, without waiting. */
  start(): void {
    const round = (this.round += 1);
    this.stopped = null;
    this.lines.clear();
    this.running = Promise.allSettled([this.running, this.leave()]).then(() => this.run(() => round !== this.round || this.isStopping));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.leave();
  }

  /** Removes rows that no later event looks at: from these rows, and from copies of them. */
  async removeOutdated(...copies: readonly ReadModels[]): Promise<void> {
    const { models } = this.options;
    const { outdated, name } = this.projection;
    // An event that is set aside may need rows of its own time.
    if (!outdated || models.built(name) < 1 || (await models.parked(name, 1)).length > 0) return;
    const newest = await outdated.newest(models);
    if (!newest) return;
    for (const { table, key } of outdated.before(await this.complete(newest)))
      for (const each of [models, ...copies]) await each.removeBefore(table, key);
  }

  /** Removes the rows and builds them again. */
  async reset(): Promise<void> {
    this.round += 1;
    await this.running;
    await this.leave();
    await this.rebuild();
  }

  /** A second copy of the rows, from the logs of the sources. */
  async copy(models: ReadModels) {
    const copy = new ForeignRunner(this.projection, { ...this.options, models });
    await copy.readLogs();
    await copy.main.apply({ steps: [], reached: 1 });
    const catchUp = async () => {
      if (!(await copy.readLogs())) throw new ProjectionStopped(this.projection.name, copy.stopped ?? 'it was interrupted');
    };
    return { catchUp, end: () => copy.stop() };
  }

  async lineAt(line: string): Promise<Line> {
    if (line === '') return this.main;
    let known = this.lines.get(line);
    if (!known) {
      known = this.lineOf(line);
      await known.refresh();
      this.lines.set(line, known);
    }
    return known;
  }

  /**
   * Up to where nothing is missing in the rows, given the newest event that was in them before: that one, or an older one while a
   * partition lags. All count as lagging while the broker can't be asked, or has a partition that the rows know nothing of.
   */
  async complete(newest: Moment): Promise<Moment> {
    const { topics, models, published } = this.options;
    const { name } = this.projection;
    const known = await models.lines(name);
    const lagging = await topics.lagging(this.group).then(
      (all) => all.map(({ topic, partition }) => `${topic}/${partition}`),
      () => known,
    );
    const lines = lagging.every((line) => known.includes(line)) ? lagging : known;
    let least = newest;
    for (const line of lines) {
      const position = positionOf((await models.progress(name, line)).at);
      if (position >= least.position) continue;
      const source = this.origins.find(({ topic }) => line.startsWith(`${topic}/`))!.source;
      const [event] = (await published.after(source, position - 1, ONE)).events;
      least = { position, time: event?.time ?? least.time };
    }
    return least;
  }

  itemOf(event: PublishedEvent, to: string): Item {
    return { to, key: event.subject, number: 1, letter: event, changes: () => this.projection.changes(event) };
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private lineOf(line: string): Line {
    return new Line(this.options.models, this.projection, line, (cause) => this.fail(cause));
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
          if (await this.readLogs(isOver)) {
            // First: the broker keeps events for a group that it knows, or tells it what it has missed, also after a kill.
            await this.subscribe();
            await this.handOver();
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

  /** Reads the logs of all sources to their ends. Answers false when it can't go on. */
  async readLogs(isOver: () => boolean = () => this.isStopping): Promise<boolean> {
    if (this.main.at === '') await this.main.refresh();
    for (const source of new Set(this.origins.map((origin) => origin.source))) {
      for (let isEnd = false; !isEnd;) {
        const place = this.places[source] ?? afterPosition(0);
        const page = await this.options.published.after(source, positionOf(place) - 1, BATCH);
        if (isOver()) return false;
        isEnd = page.position >= page.head;
        const items = page.events
          .filter(({ type, sequence }) => this.projection.types.includes(type) && compareSequences(sequence, place) > 0)
          .map((event) => this.itemOf(event, this.placesWith(source, event.sequence)));
        const to = page.position < positionOf(place) ? place : afterPosition(page.position);
        const outcome = await this.main.take(items, { to: this.placesWith(source, to), reached: this.reached(source, page) });
        if (outcome !== 'moved') return outcome === 'contended' && !this.main.progress.ready && this.readLogs(isOver);
        await setImmediate();
      }
    }
    return true;
  }

  /** Writes down for every partition from where on it is read from its topic. */
  private async handOver(): Promise<void> {
    const lines: Record<string, string> = {};
    for (const { source, topic } of this.origins) {
      const partitions = await this.options.topics.partitions(topic);
      for (let partition = 0; partition < partitions; partition += 1) lines[`${topic}/${partition}`] = this.places[source]!;
    }
    await this.main.take([], { to: this.main.at, reached: 1, isDue: true, lines });
  }

  private get origins(): readonly Origin[] {
    const all = this.projection.types.map((type) => this.options.topics.originOf(type));
    return [...new Map(all.map((origin) => [origin.topic, origin])).values()];
  }

  /** Less than 1: it is ready with the write that hands over to the topics. */
  private reached(source: string, { position, head }: { position: number; head: number }): number {
    this.heads.set(source, { read: Math.min(position, head), head });
    const all = [...this.heads.values()];
    const sum = (of: 'read' | 'head') => all.reduce((total, one) => total + one[of], 0);
    return Math.min(0.99, sum('read') / Math.max(1, sum('head')));
  }

  private get places(): Places {
    return this.main.at === '0' ? {} : (JSON.parse(this.main.at) as Places);
  }

  private placesWith(source: string, place: string): string {
    return JSON.stringify({ ...this.places, [source]: place });
  }

  /** Stops unless every partition has a place. */
  private async knowsPartitions(): Promise<boolean> {
    const { topics, models } = this.options;
    const lines = await models.lines(this.projection.name);
    for (const { topic } of this.origins) {
      const known = lines.filter((line) => line.startsWith(`${topic}/`)).length;
      const partitions = await topics.partitions(topic);
      if (known === partitions) continue;
      const reason = `topic ${topic} has ${partitions} partitions and had ${known}: run "parlance replay ${this.options.service} ${this.projection.name} --reset"`;
      await this.main.stop(new Error(reason));
      return false;
    }
    return true;
  }

  private async subscribe(): Promise<void> {
    const names = this.origins.map(({ topic }) => topic);
    if (names.length === 0) return;
    this.subscription ??= await this.options.topics.subscribe({
      group: this.group,
      topics: names,
      batch: BATCH,
      handle: (deliveries) => this.handle(deliveries),
      // What the topics have lost is in the logs of the sources. The broker passes over the gap once the rows are gone for certain.
      onTrimmed: async () => {
        this.requireHandedOver();
        await (this.rebuilding ??= this.rebuild().finally(() => (this.rebuilding = undefined)));
      },
    });
  }

  /** What is delivered before is delivered again. */
  private requireHandedOver(): void {
    if (!this.main.progress.ready) throw new Error(`read model ${this.projection.name} is still being built`);
  }

  private async handle(deliveries: readonly Delivery[]): Promise<void> {
    const { name, types } = this.projection;
    if (this.stopped !== null) throw new ProjectionStopped(name, this.stopped);
    this.requireHandedOver();
    const [{ topic, partition }] = deliveries as [Delivery];
    try {
      const line = await this.lineAt(`${topic}/${partition}`);
      for (let outcome = null; outcome !== 'moved';) {
        if (line.stopped !== null) throw new ProjectionStopped(name, line.stopped);
        const items: Item[] = [];
        let to = line.at;
        for (const { event } of deliveries) {
          if (compareSequences(event.sequence, to) <= 0) continue;
          to = event.sequence;
          if (types.includes(event.type)) items.push(this.itemOf(event, to));
        }
        outcome = await line.take(items, { to });
      }
    } catch (error) {
      // The records are gone: another process has reset the projection.
      if (error instanceof NotPrepared && !this.isStopping && !this.rebuilding) this.start();
      throw error;
    }
  }
}
