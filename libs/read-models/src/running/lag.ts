import { MOST_PARKED, type ReadModels } from '../read-models.ts';
import type { ForeignRunner } from './foreign.ts';
import type { OwnRunner } from './own.ts';

export interface ProjectionLag {
  readonly projection: string;
  readonly version: number;
  /** Up to where the own log is in the rows. Null for a projection of other services' events. */
  readonly position: number | null;
  /** Commits that are not in the rows. Of other services' events, only those that a catch-up has to read: the group's lag is the broker's. */
  readonly behind: number;
  /** The consumer group. Null for a projection of the own log. */
  readonly group: string | null;
  readonly ready: boolean;
  /** How much of the way to being ready is done, from 0 to 1. */
  readonly progress: number;
  /** Why it stands still, if it does. */
  readonly stopped: string | null;
  /** Keys that are set aside. */
  readonly parked: number;
}

export async function lagOfOwn(models: ReadModels, runner: OwnRunner, head: number): Promise<ProjectionLag> {
  const position = runner.isLive ? head : runner.position;
  const { stopped } = runner.tracker;
  return { ...(await buildingOf(models, runner)), position, behind: Math.max(0, head - position), group: null, stopped };
}

export async function lagOfForeign(models: ReadModels, runner: ForeignRunner): Promise<ProjectionLag> {
  const { behind, group, stopped } = runner;
  return { ...(await buildingOf(models, runner)), position: null, behind, group, stopped };
}

async function buildingOf(models: ReadModels, { projection: { name, version } }: OwnRunner | ForeignRunner) {
  const progress = models.built(name);
  const { length } = await models.parked(name, MOST_PARKED);
  return { projection: name, version, ready: progress === 1, progress, parked: length };
}
