import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** A hold that some service may have. */
export interface HoldRow {
  hold_id: string;
  status: 'requested' | 'placed' | 'ending';
  subject_kind: 'user' | 'bot';
  subject_id: string;
  /** Sealed. */
  reason: string;
  placed_by: string | null;
  create_time: number;
}

export const holdRows = table<HoldRow>('holds', { byStatus: ['status', 'hold_id'] });

export const holdList = projection<IdentityEvent>({
  name: 'holds',
  version: 1,
  tables: [holdRows],
  on: {
    HoldRequested: ({ subject, reason }, { stream, metadata }) => [
      put(holdRows, idInStream(stream), {
        hold_id: idInStream(stream),
        status: 'requested',
        subject_kind: subject.kind,
        subject_id: subject.id,
        reason,
        placed_by: metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
      }),
    ],
    HoldPlaced: (_, { stream }) => [patch(holdRows, idInStream(stream), { status: 'placed' })],
    HoldWithdrawn: (_, { stream }) => [patch(holdRows, idInStream(stream), { status: 'ending' })],
    HoldEnded: (_, { stream }) => [patch(holdRows, idInStream(stream), { status: 'ending' })],
    HoldSettled: (_, { stream }) => [remove(holdRows, idInStream(stream))],
  },
});

export const HoldById = query('HoldById', (models, holdId: string): Promise<HoldRow | null> => models.get(holdRows, holdId));

/** Oldest first. */
export const HoldsInStatus = query(
  'HoldsInStatus',
  async (models, status: HoldRow['status'], after: string | null, limit: number): Promise<readonly HoldRow[]> => {
    const wanted = { index: 'byStatus', where: { status }, limit, ...(after !== null && { after: [status, after, after] }) } as const;
    return (await models.find(holdRows, wanted)).rows;
  },
);
