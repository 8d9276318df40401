import { randomUUID } from 'node:crypto';
import type { Commit, EventStore } from '@parlance/event-store';
import type { Broker, Outgoing, Publisher } from './broker.ts';
import type { RelayCheckpoints, RelayLease } from './relay-checkpoints.ts';
import { delayAfter, pause } from './retry.ts';

export interface RelayOptions {
  /** The same in every replica of a service: of its relays one at a time sends. */
  readonly name: string;
  readonly store: EventStore;
  readonly broker: Broker;
  readonly checkpoints: RelayCheckpoints;
  /** The public events of a commit, in order, none for a private one. Their ids are those of the recorded events. */
  readonly publish: (commit: Commit) => readonly Outgoing[];
  /** Told of whatever is tried again. `Fenced` among them is no fault: another relay has taken over. */
  readonly onError?: (error: unknown) => void;
  /**
   * Who holds the lease; a name of its own when absent. Where there can be only one process, a name that stays the same lets the
   * next one go on at once after a crash.
   */
  readonly owner?: string;
  /** How long a relay that has died holds up its successor. */
  readonly leaseMs?: number;
}

const commitsAtOnce = 500;
/** How long an event may lie unnoticed when nobody tells that the log has grown (another replica wrote it). */
const lookEveryMs = 250;
/** The checkpoint is written this often at most: after a crash so much is sent once more. */
const saveEveryMs = 200;
const backoff = { attempts: 0, firstDelayMs: 50, maxDelayMs: 5_000 };

/** Thrown to those who wait for a relay that stops before it has come so far. */
export class RelayStopped extends Error {
  constructor(name: string) {
    super(`relay ${name} has stopped`);
    this.name = 'RelayStopped';
  }
}

/** What a relay that holds the lease knows of how far it is. */
interface Progress {
  readonly epoch: number;
  sent: number;
  saved: number;
  savedAt: number;
}

/**
 * Sends what a service has committed and others may know, in the order of the log, at least once: the log is the outbox.
 * An event that is sent again has the id that it had the first time.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #waiting = new Set<{ readonly position: number; resolve(): void; reject(error: Error): void }>();
  #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #sent = 0;
  #failures = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#owner = options.owner ?? randomUUID();
    this.#leaseMs = options.leaseMs ?? 10_000;
  }

  /** The position up to which this relay knows all to be sent; 0 while another one sends. */
  get sent(): number {
    return this.#sent;
  }

  start(): void {
    if (this.#running) return;
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  /** Finishes the batch in hand, writes down how far it has come, and frees the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = undefined;
    for (const each of this.#waiting) each.reject(new RelayStopped(this.#options.name));
    this.#waiting.clear();
  }

  /** Resolves once this relay has sent (or found nothing public in) all up to a position. Rejects with `RelayStopped`. */
  reached(position: number): Promise<void> {
    if (this.#sent >= position) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.add({ position, resolve, reject }));
  }

  async #run(): Promise<void> {
    const { name, checkpoints, onError } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const lease = await checkpoints.claim(name, this.#owner, this.#leaseMs);
        if (lease) await this.#hold(lease, signal);
        await pause(this.#leaseMs / 4, signal);
      } catch (error) {
        onError?.(error);
        await pause(delayAfter(++this.#failures, backoff), signal);
      }
    }
  }

  /** Sends until it is stopped or has lost the lease. Rejects when something fails: all of it is then begun anew, from the claim on. */
  async #hold({ epoch, position }: RelayLease, signal: AbortSignal): Promise<void> {
    const { name, broker, checkpoints } = this.#options;
    const publisher = await broker.publisher(name);
    try {
      const progress = { epoch, sent: position, saved: position, savedAt: Date.now() };
      // Only now that older publishers are fenced does a lease that still holds mean that nobody newer has begun.
      if (!(await this.#save(progress))) return;
      this.#note(position);
      await this.#sendOn(progress, publisher, signal);
      if (signal.aborted && (await this.#save(progress))) await checkpoints.release(name, epoch);
    } finally {
      await publisher.close();
    }
  }

  async #sendOn(progress: Progress, publisher: Publisher, signal: AbortSignal): Promise<void> {
    const { store, publish } = this.#options;
    while (!signal.aborted) {
      const commits = await store.readAll(progress.sent, commitsAtOnce);
      const last = commits.at(-1);
      if (last) {
        const outgoing = commits.flatMap((commit) => publish(commit));
        if (outgoing.length > 0) await publisher.send(outgoing);
        progress.sent = last.position;
        this.#failures = 0;
        this.#note(last.position);
      }
      const age = Date.now() - progress.savedAt;
      const due = progress.sent > progress.saved ? saveEveryMs : this.#leaseMs / 3;
      if (age >= due) {
        if (!(await this.#save(progress))) return;
      } else if (!last) {
        await this.#grown(progress.sent, Math.min(lookEveryMs, due - age), signal);
      }
    }
  }

  async #save(progress: Progress): Promise<boolean> {
    const { name, checkpoints } = this.#options;
    const held = await checkpoints.advance(name, progress.epoch, progress.sent, this.#leaseMs);
    progress.saved = progress.sent;
    progress.savedAt = Date.now();
    return held;
  }

  async #grown(after: number, ms: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const end = () => enough.abort();
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    try {
      await this.#options.store.grown(after, enough.signal);
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
