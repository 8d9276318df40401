import type { Progress, ReadModels, Step } from '../../src/read-models.ts';
import { type Change, table } from '../../src/table.ts';

/** An empty store, and a way to open its contents again. */
export interface Stage {
  readonly models: ReadModels;
  /** Another object for the same rows, like that of another process. */
  reopen(): Promise<ReadModels>;
  close(): Promise<void>;
}

export type Case = (stage: Stage) => Promise<void>;

export interface Thing {
  readonly kind: string | number | boolean | null;
  readonly size?: number | null;
  readonly note?: unknown;
}

export interface Sum {
  readonly name: string;
  readonly count: number;
  readonly cost: number;
}

export const things = table<Thing>('things', { byKind: ['kind', 'size'], bySize: ['size'] });
export const sums = table<Sum>('sums', { byCost: ['cost'] });
export const mine = { name: 'mine', version: 1, tables: [things, sums] };

export const others = table<Sum>('others', {});
export const heard = { name: 'heard', version: 1, tables: [others] };

/** Both projections, ready to be queried. */
export async function prepared({ models }: Stage): Promise<ReadModels> {
  await models.prepare([mine, heard]);
  for (const { name } of [mine, heard]) await models.apply({ from: await models.progress(name), steps: [], reached: 1 });
  return models;
}

/** Writes without regard to the position in the log: `mine` advances by one. */
export async function write(models: ReadModels, ...changes: Change[]): Promise<void> {
  const from = await models.progress('mine');
  await models.apply({ from, steps: [step(Number(from.at) + 1, ...changes)] });
}

export function step(to: number, ...changes: Change[]): Step {
  return { to: String(to), changes };
}

/** Applies all steps, in as many writes as necessary. */
export async function takeAll(models: ReadModels, from: Progress, steps: readonly Step[]): Promise<Progress> {
  let progress = from;
  for (let rest = steps; rest.length > 0; rest = rest.slice(rest.findIndex(({ to }) => to === progress.at) + 1)) {
    progress = await models.apply({ from: progress, steps: rest });
  }
  return progress;
}
