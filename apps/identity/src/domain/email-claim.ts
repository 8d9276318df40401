import { type Decider, refuse } from '@parlance/decider';

/**
 * An e-mail address belongs to one user. Users are streams of their own and can't see each other, so the address is a
 * stream too (named by a keyed hash), and whoever appends to it first has it.
 */
export type EmailClaimCommand = { type: 'Claim'; userId: string };
export type EmailClaimEvent = { type: 'EmailClaimed'; userId: string };
export type EmailClaim = { userId: string | null };

export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, EmailClaim> = {
  initialState: { userId: null },

  decide(command, claim) {
    // The holder claiming again is a retry of a registration that was cut off.
    if (claim.userId === command.userId) return [];
    return claim.userId === null ? [{ type: 'EmailClaimed', userId: command.userId }] : refuse('conflict', 'email_taken');
  },

  evolve: (_, event) => ({ userId: event.userId }),
};

export const emailStream = (emailHash: string) => `email-${emailHash}`;
