import { type Decider, refuse } from '@parlance/decider';

/**
 * An e-mail address belongs to one user. Users are streams of their own and can't see each other, so the address is a
 * stream too (named by a keyed hash), and whoever appends to it first has it, until it is given back.
 */
export type EmailClaimCommand = { type: 'Claim'; userId: string } | { type: 'Release'; userId: string };
export type EmailClaimEvent = { type: 'EmailClaimed'; userId: string } | { type: 'EmailReleased'; userId: string };
export type EmailClaim = { userId: string | null };

export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, EmailClaim> = {
  initialState: { userId: null },

  decide(command, claim) {
    const { userId } = command;
    if (command.type === 'Release') return claim.userId === userId ? [{ type: 'EmailReleased', userId }] : [];
    // The holder claiming again is a retry of a registration that was cut off.
    if (claim.userId === userId) return [];
    return claim.userId === null
      ? [{ type: 'EmailClaimed', userId }]
      : refuse('conflict', 'email_taken', 'Somebody has this e-mail address already.');
  },

  evolve: (_, event) => ({ userId: event.type === 'EmailClaimed' ? event.userId : null }),
};

export const emailStream = (emailHash: string) => `email-${emailHash}`;
