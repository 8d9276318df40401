import type { ChangeStream, Collection } from 'mongodb';
import type { TailDocument } from '../documents.ts';

/** How long the server waits for a change before it answers. This determines the load of an idle process on the database. */
const AWAIT_MILLIS = 10_000;
/** A stream that has not answered for this long counts as lost. */
const LOST_MILLIS = 25_000;
/** The pause before the next attempt, if the server offers no change streams or a stream has ended. */
const RETRY_MILLIS = 5_000;

/** The pause after an empty answer that came early. Servers other than MongoDB may answer at every write of any collection. */
const EARLY_PAUSE_MILLIS = 250;
/** An empty answer within this time: writes of other collections follow each other closely. An idle installation writes four times a second. */
const AT_ONCE_MILLIS = 20;
/**
 * The stream ends after this many such answers in a row, because the server reads every write once for each stream. Measured with ten streams:
 * they halve the writes a second of the whole database. Until the next attempt, the tail is read now and then.
 */
const AT_ONCE_BEFORE_END = 5;
const BUSY_RETRY_MILLIS = 30_000;

interface Replaced {
  readonly updateDescription?: { readonly updatedFields?: { readonly batch?: number } };
}

/** Notices when any process replaces the tail of the log, by a change stream. Only a hint: a server may offer no change streams, or lose one. */
export class TailWatch {
  private heardAt = -Infinity;
  private stream: ChangeStream<TailDocument> | undefined;
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  /** `onBatch` is called with the number of each new batch, and with null when a stream begins or ends. */
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
      const retry = await this.follow(signal).catch(() => RETRY_MILLIS);
      this.heardAt = -Infinity;
      if (signal.aborted) return;
      this.onBatch(null);
      await pause(retry, signal);
    }
  }

  /** Until the stream ends. Returns the pause before the next one. The driver resumes a stream after a lost connection and an election. */
  private async follow(signal: AbortSignal): Promise<number> {
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
    // The first answer after a pause is about the writes during the pause. Only the next one shows how closely writes follow each other.
    let [atOnce, isAfterPause] = [0, true];
    try {
      while (!signal.aborted && atOnce < AT_ONCE_BEFORE_END) {
        const askedAt = performance.now();
        const change = (await stream.tryNext()) as Replaced | null;
        const millis = performance.now() - askedAt;
        if (change) this.onBatch(change.updateDescription?.updatedFields?.batch ?? null);
        else if (isAfterPause || millis > AWAIT_MILLIS / 2) isAfterPause = false;
        else {
          atOnce = millis < AT_ONCE_MILLIS ? atOnce + 1 : 0;
          await pause(EARLY_PAUSE_MILLIS, signal);
          isAfterPause = true;
        }
      }
      return BUSY_RETRY_MILLIS;
    } finally {
      await stream.close();
    }
  }
}

/** Ends early when the signal is aborted. */
async function pause(millis: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, millis).unref();
  const end = () => resolve();
  signal.addEventListener('abort', end);
  await promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
}
