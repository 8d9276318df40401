import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Cursor, type Page, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** An unsettled request for a password reset. */
export interface ResetRequestRow {
  address_hash: string;
  mail_id: string;
  requested_at: Instant;
}

export const resetRequestRows = table<ResetRequestRow>('reset_requests', { byTime: ['requested_at', 'address_hash'] });

export const resetRequests = projection<IdentityEvent>({
  name: 'reset-requests',
  version: 1,
  tables: [resetRequestRows],
  on: {
    PasswordResetRequested: ({ mailId, at }, { stream }) => {
      const address_hash = idInStream(stream);
      return [put(resetRequestRows, address_hash, { address_hash, mail_id: mailId, requested_at: at })];
    },
    PasswordResetRequestSettled: (_, { stream }) => [remove(resetRequestRows, idInStream(stream))],
  },
});

/** Oldest first. */
export const OpenResetRequests = query('OpenResetRequests', (models, after: Cursor | null, limit: number): Promise<Page<ResetRequestRow>> =>
  models.find(resetRequestRows, { index: 'byTime', limit, ...(after && { after }) }),
);
