import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Cursor, type Page, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** An unsettled request for a mail that verifies an address. */
export interface VerificationRequestRow {
  address_hash: string;
  mail_id: string;
  requested_at: Instant;
}

export const verificationRequestRows = table<VerificationRequestRow>('verification_requests', { byTime: ['requested_at', 'address_hash'] });

export const verificationRequests = projection<IdentityEvent>({
  name: 'verification-requests',
  version: 1,
  tables: [verificationRequestRows],
  on: {
    EmailVerificationRequested: ({ mailId, at }, { stream }) => {
      const address_hash = idInStream(stream);
      return [put(verificationRequestRows, address_hash, { address_hash, mail_id: mailId, requested_at: at })];
    },
    EmailVerificationSettled: (_, { stream }) => [remove(verificationRequestRows, idInStream(stream))],
  },
});

/** Oldest first. */
export const OpenVerificationRequests = query(
  'OpenVerificationRequests',
  (models, after: Cursor | null, limit: number): Promise<Page<VerificationRequestRow>> =>
    models.find(verificationRequestRows, { index: 'byTime', limit, ...(after && { after }) }),
);
