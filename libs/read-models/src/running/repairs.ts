import type { EventStore } from '@parlance/event-store';
import type { ReadModels } from '../read-models.ts';
import type { Follower } from './follower.ts';
import { ForeignRunner } from './foreign.ts';
import type { OwnRunner } from './own.ts';
import { redriveForeign, redriveOwn, type Redriven } from './redrive.ts';

/** A redrive waits at most this long for the other events of its projection before it goes on. */
const OTHERS_MS = 1_000;

export interface RepairOptions {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly follower: Follower;
  /** Throws if there is no such projection. */
  readonly find: (name: string) => OwnRunner | ForeignRunner;
}

/** Resets and redrives of projections, one after the other for each projection. */
export class Repairs {
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly options: RepairOptions) {}

  /**
   * Redrives and resets of one projection run one after the other. Two in the same process share their knowledge of the record, so the
   * store would not notice if the second one applied events that the first one has already applied.
   */
  inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(work, work);
    this.last.set(name, turn);
    return turn;
  }

  reset(name: string): Promise<void> {
    return this.inTurn(name, () => this.resetNow(name));
  }

  redrive(name: string, streams?: readonly string[]): Promise<Redriven> {
    return this.inTurn(name, () => this.redriveNow(name, streams));
  }

  private async resetNow(name: string): Promise<void> {
    const { models, follower, find } = this.options;
    const found = find(name);
    if (found instanceof ForeignRunner) await found.reset();
    else {
      await found.hold();
      await models.drop(name);
      await models.prepare([found.projection]);
      [found.near, found.tracker.stopped] = [false, null];
      await found.tracker.refresh();
      found.release();
      follower.wakeUp();
    }
  }

  private async redriveNow(name: string, streams?: readonly string[]): Promise<Redriven> {
    const { store, models, follower, find } = this.options;
    const found = find(name);
    const isWanted = (key: string) => streams?.includes(key) ?? true;
    if (found instanceof ForeignRunner) {
      const redriven = await redriveForeign(models, found, isWanted);
      if (found.stopped !== null) found.start();
      return redriven;
    }
    const letOthers = async () => {
      const head = await store.head();
      await follower.until(() => found.includes(head) || found.tracker.stopped !== null, OTHERS_MS);
    };
    const redriven = await redriveOwn(store, models, found, isWanted, letOthers);
    found.tracker.stopped = null;
    follower.wakeUp();
    return redriven;
  }
}
