import type { Lag, SubscribeOptions, Subscription } from '../broker.ts';
import type { Cursors } from './cursors.ts';
import { type Entry, type Line, nameOf, offsetOf } from './entry.ts';
import { Lane, type LaneContext, type Member } from './lane.ts';
import type { Source } from './source.ts';

export interface GroupContext extends Omit<LaneContext, 'group' | 'member'> {
  readonly cursors: Cursors;
  readonly sources: ReadonlyMap<string, Source>;
}

/** How long a few events wait for later ones, if the group's members allow it. */
const GATHER_MS = 60;
/** Waiting gains nothing if there are already this many events. */
const MANY = 64;

const keyOf = ({ source, topic, partition }: Line) => `${source} ${nameOf(topic, partition)}`;

/** A group's members in this process, and its lanes: one for each partition of each log with one of the group's topics. */
export class Group {
  readonly #name: string;
  readonly #shared: GroupContext;
  readonly #context: LaneContext;
  readonly #lanes = new Map<string, Lane>();
  /** The lanes of each log, by the names of their partitions. */
  readonly #lanesOf = new Map<Source, Map<string, Lane>>();
  readonly #members: Member[] = [];
  readonly #subscriptions = new Set<Subscription>();
  /** Lanes with events that wait for later ones. */
  readonly #gathering = new Set<Lane>();
  #gathered = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Lanes that may be busy. */
  readonly #woken = new Set<Lane>();

  constructor(name: string, shared: GroupContext) {
    this.#name = name;
    this.#shared = shared;
    this.#context = { ...shared, group: name, member: (line) => this.#memberFor(line) };
  }

  async join({
    topics,
    types,
    batch = { events: 1, bytes: 0 },
    mayGather = false,
    handle,
    onTrimmed,
  }: SubscribeOptions): Promise<Subscription> {
    const leaving = new AbortController();
    const wanted = types && new Set(types);
    const member: Member = {
      topics: new Set(topics),
      batch,
      mayGather,
      handle,
      leaving: leaving.signal,
      inHand: new Set(),
      wants: wanted ? (type) => wanted.has(type) : () => true,
      ...(onTrimmed && { onTrimmed }),
    };
    // The cursors of all logs must be on disk before the logs are read.
    for (const source of this.#shared.sources.values()) await this.#follow(source, topics);
    this.#members.push(member);
    this.#wake();
    let stopped: Promise<void> | undefined;
    const subscription = {
      stop: () => (stopped ??= this.#leave(member, leaving).finally(() => this.#subscriptions.delete(subscription))),
      flush: () => this.#flush(),
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Reads the log of a service that has started. */
  async follow(source: Source): Promise<void> {
    await this.#follow(source, [...new Set(this.#members.flatMap(({ topics }) => [...topics]))]);
    this.#wake();
  }

  async #follow(source: Source, topics: readonly string[]): Promise<void> {
    const lines = source.linesOf(topics).filter((line) => !this.#lanes.has(keyOf(line)));
    if (lines.length === 0) return;
    const places = await this.#shared.cursors.join(this.#name, lines, source);
    for (const [at, line] of lines.entries()) {
      const { next, isBeyond } = places[at]!;
      if (isBeyond) this.#shared.report('a log ends before the position of a group', { group: this.#name, ...line });
      if (!this.#lanes.has(keyOf(line))) this.#add(new Lane(line, source, next, this.#context));
    }
  }

  #add(lane: Lane): void {
    const { source, line } = lane;
    this.#lanes.set(keyOf(line), lane);
    let lanes = this.#lanesOf.get(source);
    if (!lanes) this.#lanesOf.set(source, (lanes = new Map()));
    lanes.set(nameOf(line.topic, line.partition), lane);
  }

  async #leave(member: Member, leaving: AbortController): Promise<void> {
    this.#members.splice(this.#members.indexOf(member), 1);
    this.#deliver();
    leaving.abort();
    await Promise.allSettled(member.inHand);
    await this.#shared.moved.write();
    this.#wake();
  }

  /** Members share the partitions of a topic evenly. When one joins or leaves, the shares change from the next delivery on. */
  #memberFor({ topic, partition }: Line): Member | undefined {
    const listening = this.#members.length === 1 ? this.#members : this.#members.filter(({ topics }) => topics.has(topic));
    const member = listening[partition % listening.length];
    return member?.topics.has(topic) ? member : undefined;
  }

  /** Handles new commits of a log after a position: wakes the lanes whose events are wanted, and advances the other lanes. */
  arrived(source: Source, entries: readonly Entry[], after: number): void {
    const lanes = this.#lanesOf.get(source);
    if (!lanes) return;
    const wanted = new Set<Lane | undefined>();
    for (const { topic, partition, event } of entries) {
      if (!this.#members.some((member) => member.topics.has(topic) && member.wants(event.type))) continue;
      wanted.add(lanes.get(nameOf(topic, partition)));
      this.#gathered++;
    }
    const mayGather = this.#gathered < MANY && this.#members.every((member) => member.mayGather);
    const [from, to] = [offsetOf(after + 1), offsetOf(source.head + 1)];
    for (const lane of lanes.values()) {
      if (wanted.has(lane)) this.#gathering.add(lane);
      else if (!this.#gathering.has(lane)) lane.pass(from, to);
    }
    if (!mayGather) this.#deliver();
    else if (this.#gathering.size > 0) this.#timer ??= setTimeout(() => this.#deliver(), GATHER_MS).unref();
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = 0;
    for (const lane of this.#gathering) {
      this.#woken.add(lane);
      lane.wake();
    }
    this.#gathering.clear();
  }

  /** Undefined if nothing waits or is being delivered, so that reads do not have to create a promise. */
  #flush(): Promise<void> | undefined {
    this.#deliver();
    for (const lane of this.#woken) if (!lane.isBusy) this.#woken.delete(lane);
    if (this.#woken.size === 0) return undefined;
    return Promise.all(Array.from(this.#woken, (lane) => lane.caughtUp())).then(() => undefined);
  }

  #wake(): void {
    for (const lane of this.#lanes.values()) lane.wake();
  }

  wakeForRedriven(): void {
    for (const lane of this.#lanes.values()) lane.wakeForRedriven();
  }

  /** Records that the partitions have a listener, including those without new events. */
  noteSeen(): void {
    for (const lane of this.#lanes.values()) if (this.#memberFor(lane.line)) this.#shared.moved.add(lane, 'passed');
  }

  lag(): readonly Lag[] {
    const { cursors, sources } = this.#shared;
    const lags = new Map<string, Lag>();
    for (const cursor of cursors.of(this.#name)) {
      const { topic, partition } = cursor;
      const behind = this.#lanes.get(keyOf(cursor))?.behind ?? sources.get(cursor.source)?.behind(cursor, cursor.next) ?? 0;
      const name = nameOf(topic, partition);
      lags.set(name, { topic, partition, behind: behind + (lags.get(name)?.behind ?? 0) });
    }
    return [...lags.values()];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((each) => each.stop()));
  }
}
