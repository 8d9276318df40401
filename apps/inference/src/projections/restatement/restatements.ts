import type { Instant } from '@parlance/decider';
import { type Cursor, type Page, patch, projection, put, remove, table, update } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { ModelSums, RestatementEvent, SumsByModel } from '../../domain/restatement/restatement.ts';

/** A restatement, and its results so far. */
export interface RestatementRow {
  readonly id: string;
  readonly number: number;
  readonly from: Instant;
  readonly model: string | null;
  readonly is_dry: boolean;
  readonly status: 'running' | 'completed';
  readonly create_time: Instant;
  readonly finished_time: Instant | null;
  readonly models: SumsByModel;
}

/** The rows of earlier restatements are removed. Their corrections remain. */
export const RESTATEMENTS_KEPT = 1_000;

/** The key is the number of the restatement. */
const restatementRows = table<RestatementRow>('restatements', { byId: ['id'], byNumber: ['number'], byStatus: ['status'] });

export const restatementList = projection<RestatementEvent>({
  name: 'restatements',
  version: 1,
  tables: [restatementRows],
  on: {
    RestatementRequested: ({ id, number, from, model, isDry: is_dry, at: create_time }) => [
      put(restatementRows, `${number}`, {
        id,
        number,
        from,
        model,
        is_dry,
        status: 'running',
        create_time,
        finished_time: null,
        models: {},
      }),
      remove(restatementRows, `${number - RESTATEMENTS_KEPT}`),
    ],
    RestatementAdvanced: ({ number, sums }) => [
      update(restatementRows, `${number}`, (row) => row && { ...row, models: added(row.models, sums) }),
    ],
    RestatementCompleted: ({ number, at: finished_time }) => [patch(restatementRows, `${number}`, { status: 'completed', finished_time })],
  },
});

function added(before: SumsByModel, sums: SumsByModel): SumsByModel {
  const all = new Map(Object.entries(before));
  for (const [model, its] of Object.entries(sums)) {
    const known = all.get(model);
    const fields = Object.entries(its).map(([field, amount]) => [field, amount + (known?.[field as keyof ModelSums] ?? 0)]);
    all.set(model, Object.fromEntries(fields) as ModelSums);
  }
  return Object.fromEntries(all);
}

/** The ID of the running restatement. Null if there is none. */
export const RunningRestatement = query('RunningRestatement', async (models): Promise<string | null> => {
  const { rows } = await models.find(restatementRows, { index: 'byStatus', where: { status: 'running' }, limit: 1 });
  return rows[0]?.id ?? null;
});

export const RestatementById = query('RestatementById', async (models, id: string): Promise<RestatementRow | null> => {
  const { rows } = await models.find(restatementRows, { index: 'byId', where: { id }, limit: 1 });
  return rows[0] ?? null;
});

/** Restatements, the newest first. */
export const RestatementList = query('RestatementList', async (models, limit: number, after?: Cursor): Promise<Page<RestatementRow>> =>
  models.find(restatementRows, { index: 'byNumber', order: 'desc', limit, ...(after && { after }) }),
);
