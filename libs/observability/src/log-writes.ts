import { Refusal } from '@parlance/decider';
import { type EventStore, StoreClosed, VersionConflict } from '@parlance/event-store';

/** Errors that a working store throws. */
const isAnswer = (error: unknown) =>
  error instanceof Refusal || error instanceof VersionConflict || error instanceof StoreClosed || error instanceof RangeError;

/** The name of the record. No stream has this name. */
const PROBE = 'health';
/** More than a message and its rows, so that a store with room for it has room for the next requests. */
const PROBE_BYTES = 256 * 1024;

/**
 * Checks whether a store can be written. While writes succeed, `check` does nothing. After a failed write, as on a full disk, it writes
 * until a write succeeds. An append that changed nothing, such as a repeated one, does not count as a success.
 */
export class LogWrites {
  private hasFailed = false;
  private probing: Promise<void> | undefined;

  constructor(private readonly store: EventStore) {
    const append = store.append.bind(store);
    store.append = async (what) => {
      try {
        const appended = await append(what);
        if (appended.written) this.hasFailed = false;
        return appended;
      } catch (error) {
        if (!isAnswer(error)) this.failed();
        throw error;
      }
    };
  }

  /** To be called when another write to the same store failed, such as a write of a key or of rows. */
  failed(): void {
    this.hasFailed = true;
  }

  /** Rejects if the store cannot be written. */
  async check(): Promise<void> {
    if (!this.hasFailed) return;
    await (this.probing ??= this.probe().finally(() => (this.probing = undefined)));
    this.hasFailed = false;
  }

  /** Makes the store larger: a full disk accepts a change of an existing page. Then the record is made small again. */
  private async probe(): Promise<void> {
    const version = (await this.store.loadSnapshot(PROBE, PROBE))?.version ?? 0;
    await this.store.saveSnapshot(PROBE, { version: version + 1, shape: PROBE, state: 'x'.repeat(PROBE_BYTES) });
    await this.store.saveSnapshot(PROBE, { version: version + 2, shape: PROBE, state: null });
  }
}
