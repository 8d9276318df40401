import { StoreUnavailable } from '@parlance/object-store';
import { type DependencyState, WatchedDependency } from './dependency-state.ts';

/** The longest wait for the object store. */
const PATIENCE_MS = 1_000;
/** How long a result is used. However many readers ask, a process sends one check in this time, and none without a reader. */
export const OBJECT_STORE_CHECK_MS = 5_000;

/** Thrown when the object store does not answer, or refuses this installation. The cause is only logged. */
export class ObjectStoreDown extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'ObjectStoreDown';
  }
}

/** The state of the object store, shared by the services of a process. */
export class ObjectStoreHealth {
  private readonly watched: WatchedDependency;
  private failure: unknown;
  private last: { readonly at: number; readonly state: Promise<DependencyState> } | null = null;

  constructor(
    check: () => Promise<void>,
    now: () => number = Date.now,
    private readonly steady: () => number = () => performance.now(),
  ) {
    const checked = () =>
      check().catch((error: unknown) => {
        this.failure = error;
        throw error;
      });
    this.watched = new WatchedDependency(checked, async () => null, now, PATIENCE_MS);
  }

  /** Never rejects. The result may be a few seconds old. */
  state(): Promise<DependencyState> {
    const at = this.steady();
    if (this.last === null || at - this.last.at >= OBJECT_STORE_CHECK_MS) {
      this.failure = undefined;
      this.last = { at, state: this.watched.look() };
    }
    return this.last.state;
  }

  /** Rejects with `ObjectStoreDown` if the store is down. */
  async check(): Promise<void> {
    if ((await this.state()).status === 'down') throw new ObjectStoreDown(this.failure ?? `no answer in ${PATIENCE_MS} ms`);
  }
}
