import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { type Cursor, type Page, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';

/** An invitation that has not ended. The address and the names are sealed. */
export interface InvitationRow {
  invitation_id: string;
  address_hash: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  groups: readonly string[];
  invited_by: string | null;
  create_time: number;
  /** In ms. */
  expires_at: Instant;
}

export const invitationRows = table<InvitationRow>('invitations', { byExpiry: ['expires_at'] });

export const invitations = projection<IdentityEvent>({
  name: 'invitations',
  version: 2,
  tables: [invitationRows],
  on: {
    InvitationMade: (event, { stream, metadata }) => [
      put(invitationRows, event.invitationId, {
        invitation_id: event.invitationId,
        address_hash: idInStream(stream),
        email: event.email,
        first_name: event.firstName,
        last_name: event.lastName,
        groups: event.groups,
        invited_by: metadata.actor,
        create_time: Instant.toSeconds(metadata.at),
        expires_at: event.expiresAt,
      }),
    ],
    InvitationAccepted: ({ invitationId }) => [remove(invitationRows, invitationId)],
    InvitationEnded: ({ invitationId }) => [remove(invitationRows, invitationId)],
  },
});

export const InvitationById = query('InvitationById', (models, invitationId: string): Promise<InvitationRow | null> => {
  return models.get(invitationRows, invitationId);
});

/** Oldest first. Includes invitations whose acceptance was interrupted, so that they can be revoked. */
export const OpenInvitations = query(
  'OpenInvitations',
  async (models, after: string | null, limit: number): Promise<readonly InvitationRow[]> => {
    return (await models.find(invitationRows, { index: 'key', limit, ...(after !== null && { after: [after] }) })).rows;
  },
);

/** Expired invitations, the longest expired first. */
export const ExpiredInvitations = query(
  'ExpiredInvitations',
  (models, now: Instant, after: Cursor | null, limit: number): Promise<Page<InvitationRow>> =>
    models.find(invitationRows, { index: 'byExpiry', to: now, limit, ...(after && { after }) }),
);
