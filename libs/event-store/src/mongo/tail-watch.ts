import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeStream, Collection } from 'mongodb';
import type { TailDocument } from './documents.ts';

/** How long the server waits for a change before it answers. This determines the load of an idle process on the database. */
const AWAIT_MILLIS = 10_000;
/** A stream that has not answered for this long counts as lost. */
const LOST_MILLIS = 25_000;
/** The pause before the next attempt, if the server offers no change streams or a stream has ended. */
const RETRY_MILLIS = 5_000;

/** The pause after an empty answer that came early. Servers other than MongoDB may answer at every write of any collection. */
const EARLY_PAUSE_MILLIS = 250;

interface Replaced {
  readonly updateDescription?: { readonly updatedFields?: { readonly batch?: number } };
}

/** Notices when any process replaces the tail of the log, by a change stream. Only a hint: a server may offer no change streams, or lose one. */
export class TailWatch {
  private heardAt = -Infinity;
  private stream: ChangeStream<TailDocument> | undefined;
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  /** `onBatch` is called with the number of each new batch, and with null when the stream begins. */
  constructor(
    private readonly tail: Collection<TailDocument>,
    private readonly onBatch: (batch: number | null) => void,
  ) {
    this.ended = this.run();
  }

  /** Whether every change is noticed at once. */
  get isLive(): boolean {
    return performance.now() - this.heardAt < LOST_MILLIS;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.stream?.close().catch(() => undefined);
    await this.ended;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.follow(signal).catch(() => undefined);
      this.heardAt = -Infinity;
      await pause(RETRY_MILLIS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Until the stream ends. The driver resumes it after a lost connection and an election. */
  private async follow(signal: AbortSignal): Promise<void> {
    const pipeline = [{ $project: { 'updateDescription.updatedFields.batch': 1 } }];
    const stream = this.tail.watch<TailDocument>(pipeline, { maxAwaitTimeMS: AWAIT_MILLIS });
    this.stream = stream;
    let hasBegun = false;
    // Emitted with each answer of the server.
    stream.on('resumeTokenChanged', () => {
      this.heardAt = performance.now();
      if (hasBegun) return;
      hasBegun = true;
      this.onBatch(null);
    });
    try {
      while (!signal.aborted) {
        const askedAt = performance.now();
        const change = (await stream.tryNext()) as Replaced | null;
        if (change) this.onBatch(change.updateDescription?.updatedFields?.batch ?? null);
        else if (performance.now() - askedAt < AWAIT_MILLIS / 2) await pause(EARLY_PAUSE_MILLIS, undefined, { signal, ref: false });
      }
    } finally {
      await stream.close();
    }
  }
}
