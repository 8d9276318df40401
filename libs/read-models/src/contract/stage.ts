import { type Batch, type Change, type ReadModels, table } from './read-models.ts';

/** An empty store, and a way to open what is in it once more. */
export interface Stage {
  readonly models: ReadModels;
  /** Another one on the same rows, as another process would have it. */
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
/** Reads the log. */
export const mine = { name: 'mine', version: 1, tables: [things, sums] };

export const others = table<Sum>('others', {});
/** Hears what other services say. */
export const heard = { name: 'heard', version: 1, tables: [others] };

export async function prepared(stage: Stage): Promise<ReadModels> {
  await stage.models.prepare([mine, heard]);
  return stage.models;
}

/** Writes without regard to the place in the log: `mine` moves on by one. */
export async function write(models: ReadModels, ...changes: Change[]): Promise<void> {
  const from = await models.checkpoint('mine');
  await models.apply({ projection: 'mine', checkpoint: { from, to: from + 1 }, changes });
}

export function hears(id: string, ...changes: Change[]): Batch {
  return { projection: 'heard', seen: [id], changes };
}
