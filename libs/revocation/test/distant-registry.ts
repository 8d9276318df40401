import { type Watching, WatcherRegistry } from '../src/registry.ts';
import type { SimulatedProcess } from './agenda.ts';

/** A registry over a slow network: a request takes effect some time after it is sent and before it is answered. */
export class DistantRegistry extends WatcherRegistry {
  constructor(
    protected readonly registry: WatcherRegistry,
    protected readonly process: SimulatedProcess,
  ) {
    super();
  }

  note(watcher: string, seen: number): Promise<void> {
    return this.process.ask(() => this.registry.note(watcher, seen));
  }

  all(): Promise<readonly Watching[]> {
    return this.process.ask(() => this.registry.all());
  }

  drop(watcher: string, beat: string): Promise<void> {
    return this.process.ask(() => this.registry.drop(watcher, beat));
  }
}
