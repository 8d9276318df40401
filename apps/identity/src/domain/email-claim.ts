import { type Decider, Instant, refuse } from '@parlance/decider';

/**
 * An e-mail address belongs to one user. Users are streams of their own and can't see each other, so the address is a
 * stream too (named by a keyed hash), and the first to append to it has it, until it is given back or found to be without a user:
 * a claim whose holder never came to be, was erased, or has another address by now may be taken over (see `Registration`).
 */
export type EmailClaimCommand =
  | { type: 'Claim'; userId: string; now: Instant }
  | { type: 'TakeOver'; from: string; userId: string; now: Instant }
  | { type: 'Release'; userId: string };

export type EmailClaimEvent = { type: 'EmailClaimed'; userId: string; at?: Instant } | { type: 'EmailReleased'; userId: string };
export type EmailClaim = { readonly userId: string | null; readonly since: Instant };

export const emailClaim: Decider<EmailClaimCommand, EmailClaimEvent, EmailClaim> = {
  initialState: { userId: null, since: Instant.ofMillis(0) },

  decide(command, claim) {
    const { userId } = command;
    if (command.type === 'Release') return claim.userId === userId ? [{ type: 'EmailReleased', userId }] : [];
    // The holder claiming again is a retry of a registration that was cut off.
    if (claim.userId === userId) return [];
    const free = claim.userId === null || (command.type === 'TakeOver' && claim.userId === command.from);
    return free
      ? [{ type: 'EmailClaimed', userId, at: command.now }]
      : refuse('conflict', 'email_taken', 'Another user has this e-mail address.');
  },

  evolve: (_, event) =>
    event.type === 'EmailClaimed'
      ? { userId: event.userId, since: event.at ?? Instant.ofMillis(0) }
      : { userId: null, since: Instant.ofMillis(0) },
};

export const emailStream = (emailHash: string) => `email-${emailHash}`;
