import { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { query } from '@parlance/foundation';
import { patch, projection, put, remove, table } from '@parlance/read-models';
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
  /** False once the link was used. */
  is_open: boolean;
}

export const invitationRows = table<InvitationRow>('invitations', {
  byExpiry: ['expires_at'],
  byState: ['is_open'],
});

export const invitations = projection<IdentityEvent>({
  name: 'invitations',
  version: 1,
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
        is_open: true,
      }),
    ],
    AcceptanceBegun: ({ invitationId }) => [patch(invitationRows, invitationId, { is_open: false })],
    InvitationAccepted: ({ invitationId }) => [remove(invitationRows, invitationId)],
    InvitationEnded: ({ invitationId }) => [remove(invitationRows, invitationId)],
  },
});

export const InvitationById = query('InvitationById', (models, invitationId: string): Promise<InvitationRow | null> => {
  return models.get(invitationRows, invitationId);
});

/** Those whose link was not used, oldest first. */
export const OpenInvitations = query(
  'OpenInvitations',
  async (models, after: string | null, limit: number): Promise<readonly InvitationRow[]> => {
    const wanted = { index: 'byState', where: { is_open: true }, limit, ...(after !== null && { after: [true, after] }) } as const;
    return (await models.find(invitationRows, wanted)).rows;
  },
);

/** Those that have expired, the longest expired first. */
export const ExpiredInvitations = query(
  'ExpiredInvitations',
  async (models, now: Instant, limit: number): Promise<readonly InvitationRow[]> => {
    return (await models.find(invitationRows, { index: 'byExpiry', to: now, limit })).rows;
  },
);
