/** A reader that uses a copy of the revocations. */
export interface Watching {
  readonly watcher: string;
  /** The copy includes everything up to this position. */
  readonly seen: number;
  /** Changes with each note and never repeats, so an unchanged beat means that there was no note. */
  readonly beat: string;
}

/** The watchers, as known to all replicas of the owner. */
export abstract class WatcherRegistry {
  /** After this has resolved, every process finds the watcher, even after a crash. The watcher's seen position never decreases. */
  abstract note(watcher: string, seen: number): Promise<void>;
  abstract all(): Promise<readonly Watching[]>;
  /** Atomically removes a watcher, unless it was noted after this beat. */
  abstract drop(watcher: string, beat: string): Promise<void>;
}
