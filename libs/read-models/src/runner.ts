import type { Commit, StoredEvent } from '@parlance/event-store';
import type { Build } from './builds.ts';
import { ChangeRefused, CheckpointMoved, Held } from './errors.ts';
import type { Projection } from './projection.ts';
import type { Change, ReadModels } from './read-models.ts';

/** Says why a projection stands still. `includes` rejects with it, for places that the projection has not reached. */
export class ProjectionStopped extends Error {
  constructor(
    readonly projection: string,
    /** Of the commit that it can't get past. */
    readonly position: number,
    cause: unknown,
  ) {
    super(`projection ${projection} stopped before position ${position}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'ProjectionStopped';
  }
}

/** What came of handing commits to a projection. */
export type Outcome = 'moved' | 'contended' | 'idle';

/** One projection of one process, on the generation that lives now. */
export class Runner {
  stopped: ProjectionStopped | null = null;
  private build: Build | null = null;
  private view: ReadModels;

  constructor(
    readonly projection: Projection,
    private readonly models: ReadModels,
    private readonly onStop: (reason: ProjectionStopped) => void,
  ) {
    this.view = models;
  }

  get position(): number {
    return this.build!.checkpoint;
  }

  /** Only rows made by the same functions are carried on: those of another version are for the process that declares it. */
  get kind(): 'ours' | 'older' | 'newer' {
    const living = this.build!.version;
    return living === this.projection.version ? 'ours' : living < this.projection.version ? 'older' : 'newer';
  }

  async refresh(): Promise<void> {
    const build = await this.models.builds.living(this.projection.name);
    if (build.generation !== this.build?.generation) this.view = this.models.at(build);
    this.build = build;
  }

  /** Carries the projection on by those commits that it has not had. Rejects when the store can't be reached. */
  async take(commits: readonly Commit[]): Promise<Outcome> {
    const rest = this.rest(commits);
    if (rest.length === 0 || this.stopped) return 'idle';
    const { changes, to, failure } = changesOf(this.projection, rest, this.position);
    try {
      await this.move(changes, to);
    } catch (error) {
      if (error instanceof CheckpointMoved || error instanceof Held) {
        await this.refresh();
        return 'contended';
      }
      if (!(error instanceof ChangeRefused)) throw error;
      // One commit is at fault: go on one by one, so that those before it count.
      return rest.length === 1 ? this.stop(rest[0]!.position, error) : this.takeSingly(rest);
    }
    return failure ? this.stop(failure.position, failure.cause) : 'moved';
  }

  /** Stands still from now on, because its rebuild to a newer version failed. */
  giveUp(cause: unknown): void {
    this.stopped = cause instanceof ProjectionStopped ? cause : new ProjectionStopped(this.projection.name, this.position + 1, cause);
  }

  private stop(position: number, cause: unknown): Outcome {
    this.stopped = new ProjectionStopped(this.projection.name, position, cause);
    this.onStop(this.stopped);
    return 'idle';
  }

  private async takeSingly(commits: readonly Commit[]): Promise<Outcome> {
    for (const commit of commits) {
      const outcome = await this.take([commit]);
      if (outcome !== 'moved') return outcome;
    }
    return 'moved';
  }

  private rest(commits: readonly Commit[]): readonly Commit[] {
    const { position } = this;
    const first = commits.findIndex((commit) => commit.position > position);
    // A hole means that somebody read from further on: its turn comes in the next round.
    return first === -1 || commits[first]!.position !== position + 1 ? [] : commits.slice(first);
  }

  private async move(changes: readonly Change[], to: number): Promise<void> {
    const from = this.position;
    if (to === from) return;
    await this.view.apply({ projection: this.projection.name, checkpoint: { from, to }, changes });
    this.build = { ...this.build!, checkpoint: to };
  }
}

export interface Changes {
  readonly changes: readonly Change[];
  /** The last commit whose changes these are. */
  readonly to: number;
  readonly failure: { readonly position: number; readonly cause: unknown } | null;
}

/** Runs the functions over commits, up to the first that one of them throws on. */
export function changesOf(projection: Projection, commits: readonly Commit[], from: number): Changes {
  const changes: Change[] = [];
  let to = from;
  for (const { position, stream, version, metadata, events } of commits) {
    const before = changes.length;
    try {
      for (const { id, event } of events) {
        for (const change of projection.changes(event as StoredEvent, { stream, version, position, id, metadata })) changes.push(change);
      }
    } catch (cause) {
      changes.length = before;
      return { changes, to, failure: { position, cause } };
    }
    to = position;
  }
  return { changes, to, failure: null };
}
