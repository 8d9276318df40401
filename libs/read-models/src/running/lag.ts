import { MOST_PARKED, type ReadModels } from '../read-models.ts';
import type { ForeignRunner } from './foreign.ts';
import type { OwnRunner } from './own.ts';

export interface ProjectionLag {
  readonly projection: string;
  readonly version: number;
  /** The position of the service's own log up to which the rows include it. Null for a projection of other services' events. */
  readonly position: number | null;
  /**
   * The number of commits that the rows do not include. For other services' events, only those that a catch-up has yet to read, because the
   * broker reports the lag of the group.
   */
  readonly behind: number;
  /** The consumer group. Null for a projection of the service's own log. */
  readonly group: string | null;
  readonly ready: boolean;
  /** The share of the build that is done, from 0 to 1. */
  readonly progress: number;
  /** Why it has stopped; null if it has not. */
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
