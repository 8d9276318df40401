import { randomUUID } from 'node:crypto';
import { type Commit, type EventStore, READ_BYTES, READ_COMMITS } from '@parlance/event-store';
import type { Broker, Outgoing, Publisher } from '../broker.ts';
import type { Outbox } from './outbox.ts';
import type { RelayCheckpoints, RelayLease } from './relay-checkpoints.ts';
import { delayAfter, pause } from '../retry.ts';

export interface RelayOptions {
  /** The same in every replica of a service. Of the relays with one name, only one sends at a time. */
  readonly name: string;
  readonly store: EventStore;
  readonly broker: Broker;
  readonly checkpoints: RelayCheckpoints;
  /** The public events of a commit, in order. A private event has none. Public events have the IDs of the recorded events. */
  readonly publish: (commit: Commit) => readonly Outgoing[];
  /** Called with each error that is retried. `Fenced` is not an error: another relay has taken over. */
  readonly onError?: (error: unknown) => void;
  /**
   * The owner of the lease. Default: a random name. If there is only one process, a constant name lets its successor continue at once after
   * a crash.
   */
  readonly owner?: string;
  /** How long a crashed relay blocks its successor. */
  readonly leaseMs?: number;
  /** If several releases run at the same time, the newest one publishes. Default: 0. */
  readonly release?: number;
}

/** The longest time until a commit of another replica is noticed, if the store does not notice it at once. */
const LOOK_EVERY_MS = 250;
/** The shortest time between two writes of the checkpoint. After a crash, events of that time are sent again. */
const SAVE_EVERY_MS = 200;
const backoff = { attempts: 0, firstDelayMs: 50, maxDelayMs: 5_000 };
/** How long a stopping relay continues to send what was committed before. */
const DRAIN_MS = 2_000;
/** After this many consecutive failures, other replicas get time to claim the lease. */
const FAILURES_IN_PLACE = 3;

/** Relays without the lease try to claim it four times per lease, until the log has not grown for this many leases and all of it is sent. */
const RESTS_AFTER_LEASES = 2;
/** Later, they try once in this many leases. Also the shortest time between two reads of the position while something is unsent. */
const RARE_LEASES = 3;

/** The rejection of `reached` if the relay stops before it has reached the position. */
export class RelayStopped extends Error {
  constructor(name: string) {
    super(`relay ${name} has stopped`);
    this.name = 'RelayStopped';
  }
}

/** State of the relay that holds the lease. */
interface Progress {
  readonly epoch: number;
  sent: number;
  saved: number;
  savedAt: number;
}

/** Publishes a service's public events in log order, at least once. The event log is the outbox. A resent event keeps its id. */
export class Relay implements Outbox {
  readonly #options: RelayOptions;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #waiting = new Set<{ readonly position: number; resolve(): void; reject(error: Error): void }>();
  #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #sent = 0;
  #failures = 0;
  /** The position of the relay as this process last read it, with the end of the log and the time (ms, steady clock) of the read. */
  #known = { position: 0, head: 0, readAt: -Infinity };
  readonly #firstClaim = Promise.withResolvers<void>();

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#owner = options.owner ?? randomUUID();
    this.#leaseMs = options.leaseMs ?? 10_000;
  }

  /** The position up to which everything is sent, by this relay or by another one with its name. */
  async position(): Promise<number> {
    return Math.max(this.#sent, await this.#options.checkpoints.position(this.#options.name));
  }

  start(): void {
    if (this.#running) return;
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  /**
   * Resolves once this relay has tried to claim the lease and the database has answered; with a configured owner, even after a failure. A service
   * writes its first event after that, so that no relay of an older release passes over the events of this one.
   */
  firstClaim(): Promise<void> {
    return this.#firstClaim.promise;
  }

  /** Sends what was already committed (for at most `DRAIN_MS`), writes the checkpoint, and releases the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = undefined;
    this.#firstClaim.resolve();
    for (const each of this.#waiting) each.reject(new RelayStopped(this.#options.name));
    this.#waiting.clear();
  }

  /** Resolves once this relay has sent everything public up to a position. Rejects with `RelayStopped`. */
  reached(position: number): Promise<void> {
    if (this.#sent >= position) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.add({ position, resolve, reject }));
  }

  async #run(): Promise<void> {
    const { name, checkpoints, onError, owner, release = 0 } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const lease = await checkpoints.claim(name, this.#owner, this.#leaseMs, release);
        this.#firstClaim.resolve();
        if (lease) await this.#hold(lease, signal);
        if (!signal.aborted) await this.#restWithoutLease(signal);
      } catch (error) {
        onError?.(error);
        // A single process has no older release beside it.
        if (owner !== undefined) this.#firstClaim.resolve();
        const delay = delayAfter(++this.#failures, backoff);
        // Other relays try to claim the lease four times per lease duration.
        await pause(this.#failures > FAILURES_IN_PLACE ? Math.max(delay, this.#leaseMs / 2) : delay, signal);
      }
    }
  }

  /**
   * The pause before the next claim. Others claim the lease rarely, or when the log grows, while the log rests and is sent to its end: then a relay
   * that dies leaves nothing unsent. A log that rests may have unsent events, for example after an outage of the broker.
   */
  async #restWithoutLease(signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const newest = store.noticedHead();
    const isResting = newest !== null && performance.now() - store.grewAt() > this.#leaseMs * RESTS_AFTER_LEASES;
    if (isResting && (await this.#isSent(newest))) await this.#grown(newest, this.#leaseMs * RARE_LEASES, signal);
    else await pause(this.#leaseMs / 4, signal);
  }

  /** Whether everything up to the end of the log is known to be sent. The stored position is read once after the log has grown, and rarely until all is sent. */
  async #isSent(head: number): Promise<boolean> {
    const now = performance.now();
    const mayHaveMoved = head !== this.#known.head || now - this.#known.readAt >= this.#leaseMs * RARE_LEASES;
    if (this.#known.position < head && mayHaveMoved) this.#known = { position: await this.position(), head, readAt: now };
    return this.#known.position >= head;
  }

  /** Sends until it is stopped or has lost the lease. Rejects on any failure, and releases the lease first. */
  async #hold({ epoch, position }: RelayLease, signal: AbortSignal): Promise<void> {
    const { name, broker, checkpoints, onError } = this.#options;
    try {
      const publisher = await broker.publisher(name);
      try {
        const progress = { epoch, sent: position, saved: position, savedAt: Date.now() };
        // Older publishers are fenced from now on. If the lease is still held, no newer relay has started.
        if (!(await this.#save(progress))) return;
        this.#note(position);
        await this.#sendOn(progress, publisher, signal);
        if (!signal.aborted) return;
        const end = Date.now() + DRAIN_MS;
        while ((await this.#sendNext(progress, publisher)) && Date.now() < end);
        await this.#save(progress);
      } finally {
        await publisher.close();
      }
    } finally {
      // A relay that can't send must not keep the lease from one that can.
      await checkpoints.release(name, epoch).catch((error: unknown) => onError?.(error));
    }
  }

  async #sendOn(progress: Progress, publisher: Publisher, signal: AbortSignal): Promise<void> {
    let mayHaveMore = true;
    while (!signal.aborted) {
      const hasSent = mayHaveMore && (await this.#sendNext(progress, publisher));
      const age = Date.now() - progress.savedAt;
      const due = progress.sent > progress.saved ? SAVE_EVERY_MS : this.#leaseMs / 2;
      if (age >= due) {
        if (!(await this.#save(progress))) return;
      } else if (!hasSent) {
        mayHaveMore = await this.#grown(progress.sent, due - age, signal);
      }
    }
  }

  /** Sends the next batch. Returns false at the end of the log. */
  async #sendNext(progress: Progress, publisher: Publisher): Promise<boolean> {
    const { store, publish } = this.#options;
    const commits = await store.readAll(progress.sent, READ_COMMITS, READ_BYTES);
    const last = commits.at(-1);
    if (!last) return false;
    const outgoing = commits.flatMap((commit) => publish(commit));
    if (outgoing.length > 0) await publisher.send(outgoing);
    progress.sent = last.position;
    this.#failures = 0;
    this.#note(last.position);
    return true;
  }

  async #save(progress: Progress): Promise<boolean> {
    const { name, checkpoints } = this.#options;
    const held = await checkpoints.advance(name, progress.epoch, progress.sent, this.#leaseMs);
    progress.saved = progress.sent;
    progress.savedAt = Date.now();
    return held;
  }

  /** Waits for this long (ms) at most. Returns false if the log has certainly not grown. */
  async #grown(after: number, ms: number, signal: AbortSignal): Promise<boolean> {
    // An abort that came earlier calls no listener.
    if (signal.aborted) return false;
    const { store } = this.#options;
    const isNoticed = store.noticesAtOnce();
    const enough = new AbortController();
    // The reason is null, because an exception with its stack would be created at each turn.
    const end = () => enough.abort(null);
    const timer = setTimeout(end, isNoticed ? ms : Math.min(LOOK_EVERY_MS, ms));
    signal.addEventListener('abort', end);
    try {
      await store.grown(after, enough.signal);
      return !isNoticed || !enough.signal.aborted;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  #note(position: number): void {
    this.#sent = position;
    for (const each of this.#waiting) {
      if (each.position > position) continue;
      this.#waiting.delete(each);
      each.resolve();
    }
  }
}
