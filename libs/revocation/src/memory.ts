import { randomUUID } from 'node:crypto';
import { type Watching, WatcherRegistry } from './registry.ts';

/** A registry for an owner that is one process. */
export class MemoryWatcherRegistry extends WatcherRegistry {
  private readonly watching = new Map<string, Watching>();

  /**
   * Watchers in other processes continue when this process restarts, but the list of them is lost. One placeholder represents all of them until a
   * lease has passed.
   */
  constructor({ watchersOutliveIt }: { readonly watchersOutliveIt: boolean }) {
    super();
    if (watchersOutliveIt) this.enter('watchers from before the start', 0);
  }

  async note(watcher: string, seen: number): Promise<void> {
    this.enter(watcher, seen);
  }

  async all(): Promise<readonly Watching[]> {
    return [...this.watching.values()];
  }

  async drop(watcher: string, beat: string): Promise<void> {
    if (this.watching.get(watcher)?.beat === beat) this.watching.delete(watcher);
  }

  private enter(watcher: string, seen: number): void {
    const before = this.watching.get(watcher)?.seen ?? 0;
    this.watching.set(watcher, { watcher, seen: Math.max(before, seen), beat: randomUUID() });
  }
}
