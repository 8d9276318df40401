import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@parlance/event-store';
import type { Comparison } from './compare.ts';
import { Follower, type Failure } from './follower.ts';
import type { ForeignProjection, Projection } from './projection.ts';
import type { ReadModels, TableOwner } from './read-models.ts';
import { rebuildFromLog, rebuildFromTopics, type Replay } from './rebuild.ts';

export interface ForeignSource {
  readonly projection: ForeignProjection;
  readonly replay: Replay;
}

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly projections: readonly Projection[];
  /** Those of other services' events, which `applyForeign` carries on: the projector prepares and rebuilds them. */
  readonly foreign?: readonly ForeignSource[];
  /** Hears of everything that goes wrong. */
  readonly onError?: (failure: Failure) => void;
  /** How long `includes` waits, 10 s unless told. */
  readonly patienceMs?: number;
}

export interface ProjectionLag {
  readonly projection: string;
  readonly checkpoint: number;
  readonly behind: number;
  /** Why it stands still, if it does. */
  readonly stopped: string | null;
}

const CLAIM_POLL_MS = 250;

/**
 * Runs a service's projections over its log. Any number of processes may do so at once: each batch is written by whoever
 * comes first, and the others go on from there.
 */
export class Projector {
  private readonly models: ReadModels;
  private readonly follower: Follower;
  private readonly stopping = new AbortController();
  private upgrades: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ProjectorOptions) {
    this.models = options.models;
    this.follower = new Follower(options.store, options.models, options.projections, options.patienceMs ?? 10_000, this.report);
  }

  /** The names of all projections, own and foreign. */
  get names(): readonly string[] {
    const { projections, foreign = [] } = this.options;
    return [...projections, ...foreign.map(({ projection }) => projection)].map(({ name }) => name);
  }

  /** Prepares all tables and begins to follow the log. Projections whose version has grown are rebuilt meanwhile: see `upgraded`. */
  async start(): Promise<void> {
    const foreign = (this.options.foreign ?? []).map(({ projection }) => projection);
    await this.models.prepare([...this.options.projections, ...foreign]);
    await this.follower.start();
    const owners = [...this.options.projections, ...foreign];
    this.upgrades = Promise.all(owners.map((owner) => this.upgrade(owner)));
    this.upgrades.catch(() => undefined);
  }

  /**
   * Resolves when the living rows of all projections are of the declared versions. Until then a projection that was changed
   * answers as it stood, and `applyForeign` refuses its deliveries: subscribe to the broker after this. Rejects when a rebuild failed.
   */
  async upgraded(): Promise<void> {
    await this.upgrades;
  }

  /** Ends what it does; what is in hand is finished, waiting callers of `includes` are rejected. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the projector was stopped'));
    await Promise.allSettled([this.follower.stop(), this.upgrades]);
  }

  /**
   * Resolves when queries see everything up to this place in the log. Rejects with `ProjectionStopped` when a projection can't
   * get there, with `NotYetIncluded` when it took too long. Projections waiting for a rebuild to a newer version aren't waited for.
   */
  includes(position: number): Promise<void> {
    return this.follower.includes(position);
  }

  async lag(): Promise<readonly ProjectionLag[]> {
    const head = await this.options.store.head();
    return this.follower.runners.map(({ projection, position, stopped }) => ({
      projection: projection.name,
      checkpoint: position,
      behind: Math.max(0, head - position),
      stopped: stopped && stopped.message,
    }));
  }

  /** Makes a projection's rows anew beside the living ones, compares, and switches. Rejects when another process is at it, or a handler throws. */
  async rebuild(name: string): Promise<Comparison> {
    const comparison = await this.build(name);
    if (!comparison) throw new Error(`projection ${name} is being rebuilt already`);
    return comparison;
  }

  private readonly report = (failure: Failure): void => {
    if (this.options.onError) this.options.onError(failure);
    else console.error(failure.error);
  };

  private async build(name: string): Promise<Comparison | null> {
    const { store, projections, foreign = [] } = this.options;
    const own = projections.find((one) => one.name === name);
    const source = foreign.find(({ projection }) => projection.name === name);
    if (!own && !source) throw new Error(`there is no projection ${name}`);
    const { signal } = this.stopping;
    const comparison = own
      ? await rebuildFromLog(store, this.models, own, signal)
      : await rebuildFromTopics(this.models, source!.projection, source!.replay, signal);
    if (comparison && own) await this.follower.restart(own);
    return comparison;
  }

  private async upgrade({ name, version }: TableOwner): Promise<void> {
    try {
      while ((await this.models.builds.living(name)).version < version) {
        // Where another process is at it, look again: it may end, or be gone.
        if (!(await this.build(name))) await delay(CLAIM_POLL_MS, undefined, { signal: this.stopping.signal });
      }
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.follower.giveUp(name, error);
      this.report({ projection: name, error, stopped: true });
      throw error;
    }
  }
}
