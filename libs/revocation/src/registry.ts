/** A reader that uses a copy of the revocations. */
export interface Watching {
  readonly watcher: string;
  /** Everything up to here is in the copy. */
  readonly seen: number;
  /** Another one after each note, and never one that was there before: who finds the same one knows that there was no note. */
  readonly beat: string;
}

/** Who watches, known to all replicas of the owner. */
export abstract class WatcherRegistry {
  /** After this has resolved, every process finds the watcher, also after a crash. Its seen position never decreases. */
  abstract note(watcher: string, seen: number): Promise<void>;
  abstract all(): Promise<readonly Watching[]>;
  /** Forgets a watcher, unless it was noted after this beat: the two are one step. */
  abstract drop(watcher: string, beat: string): Promise<void>;
}
