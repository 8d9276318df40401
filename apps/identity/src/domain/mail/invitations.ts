import { type Decider, type Decision, Instant, refuse } from '@parlance/decider';

/** How long the link of an invitation is valid. */
export const INVITATION_VALID_MILLIS = 7 * 86_400_000;

/** An invitation cannot be revoked for this long after its link was used. Creating a user takes a few seconds. */
export const ACCEPTANCE_MILLIS = 10 * 60_000;

/** Why an invitation ended without a user. */
export type InvitationEnd = 'replaced' | 'revoked' | 'expired' | 'user_erased';

/** The address and the names are sealed under the key of the invitation. No rule here reads them. */
interface Invited {
  readonly invitationId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly groups: readonly string[];
  /** The creation ID of each group, null for a built-in group. It distinguishes a group from a later one of the same name. */
  readonly creations?: readonly (string | null)[];
  readonly tokenHash: string;
}

/**
 * The invitations of one e-mail address. At most one is open; a later one replaces it. The acceptance is recorded before the user is
 * created, so that a revoked invitation creates no user. If the process ends between these two steps, the same link can be used again until
 * it expires, which is safe because an address has at most one user. Such an invitation can be revoked ten minutes after its link was used.
 */
export type InvitationsCommand =
  | ({ type: 'Invite'; now: Instant } & Invited)
  | { type: 'Accept'; invitationId: string; tokenHash: string; now: Instant }
  /** The user is created. */
  | { type: 'Complete'; invitationId: string; userId: string }
  | { type: 'Revoke'; invitationId: string; now: Instant }
  | { type: 'Expire'; invitationId: string; now: Instant }
  /** The user of the address is erased. */
  | { type: 'Forget' };

export type InvitationsEvent =
  | ({ type: 'InvitationMade'; expiresAt: Instant } & Invited)
  /** `at` is absent in events of earlier versions, whose invitations are long over. */
  | { type: 'AcceptanceBegun'; invitationId: string; at?: Instant }
  | { type: 'InvitationAccepted'; invitationId: string; userId: string }
  | { type: 'InvitationEnded'; invitationId: string; because: InvitationEnd };

export interface OpenInvitation extends Invited {
  readonly expiresAt: Instant;
  /** `begun`: the link was used. The invitation ends when the user is created. */
  readonly acceptance: 'none' | 'begun';
  readonly begunAt?: Instant;
}

/** `lastId`: the ID of the newest invitation, even after its end. */
export type Invitations = { readonly lastId: string | null; readonly open: OpenInvitation | null };

export const invitations: Decider<InvitationsCommand, InvitationsEvent, Invitations> = {
  initialState: { lastId: null, open: null },
  // The stream grows with the invitations, over years.
  snapshots: { every: 20, shape: 'open-2' },

  decide(command, { lastId, open }) {
    switch (command.type) {
      case 'Invite':
        // A retry. The first request counts.
        return lastId === command.invitationId ? [] : invited(command, open);
      case 'Accept':
        return accepted(command, open);
      case 'Complete': {
        const { invitationId, userId } = command;
        return open?.invitationId === invitationId ? [{ type: 'InvitationAccepted', invitationId, userId }] : [];
      }
      case 'Revoke':
        if (open?.invitationId !== command.invitationId) return invitationNotFound();
        return isBeingAccepted(open, ACCEPTANCE_MILLIS, command.now) ? beingAccepted() : ended(open, 'revoked');
      case 'Expire':
        return open?.invitationId === command.invitationId && open.expiresAt <= command.now ? ended(open, 'expired') : [];
      case 'Forget':
        return open === null ? [] : ended(open, 'user_erased');
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'InvitationMade': {
        const { type: _, ...facts } = event;
        return { lastId: facts.invitationId, open: { ...facts, acceptance: 'none' } };
      }
      case 'AcceptanceBegun':
        return {
          ...state,
          open: state.open && { ...state.open, acceptance: 'begun', ...(event.at !== undefined && { begunAt: event.at }) },
        };
      case 'InvitationAccepted':
      case 'InvitationEnded':
        return { ...state, open: null };
    }
  },
};

function invited(command: Extract<InvitationsCommand, { type: 'Invite' }>, open: OpenInvitation | null): InvitationsEvent[] {
  const { now, ...facts } = command;
  const made: InvitationsEvent = { ...facts, type: 'InvitationMade', expiresAt: Instant.plus(now, INVITATION_VALID_MILLIS) };
  return open === null ? [made] : [...ended(open, 'replaced'), made];
}

function accepted(
  { tokenHash, now, invitationId }: Extract<InvitationsCommand, { type: 'Accept' }>,
  open: OpenInvitation | null,
): Decision<InvitationsEvent> {
  if (open?.invitationId !== invitationId || !canAccept(open, tokenHash, now)) return invalidInvitation();
  // Using the link again later extends the time. Repeated uses within a few minutes record nothing.
  return isBeingAccepted(open, ACCEPTANCE_MILLIS / 2, now) ? [] : [{ type: 'AcceptanceBegun', invitationId, at: now }];
}

/** Whether the link was used within this many milliseconds. */
const isBeingAccepted = ({ begunAt }: OpenInvitation, millis: number, now: Instant): boolean =>
  begunAt !== undefined && now < begunAt + millis;

/** Whether this token may create a user now. */
export const canAccept = (open: OpenInvitation | null, tokenHash: string, now: Instant): boolean =>
  open !== null && open.tokenHash === tokenHash && now < open.expiresAt;

const ended = ({ invitationId }: OpenInvitation, because: InvitationEnd): InvitationsEvent[] => [
  { type: 'InvitationEnded', invitationId, because },
];

export const invitationNotFound = () =>
  refuse('missing', 'invitation_not_found', 'There is no such open invitation. It was accepted, revoked or replaced, or has expired.');

const beingAccepted = () =>
  refuse(
    'conflict',
    'invitation_being_accepted',
    'The invitation link was used recently, and the user may still be being created. Try again in ten minutes.',
  );

/** The same answer for a malformed, unknown, used, revoked, replaced or expired token. */
export const invalidInvitation = () =>
  refuse('invalid', 'invalid_invitation', 'The token is wrong, used or expired. Ask an administrator for another invitation.');

export const invitationsStream = (addressHash: string) => `invitations-${addressHash}`;
