import { type Decider, Instant, refuse } from '@parlance/decider';

/**
 * An e-mail address belongs to one user. A decider sees only one stream, and each user has a stream of their own. So each address has a stream
 * too, named by a keyed hash, and the first user to append to it has the address until it is released. A claim may be taken over if
 * its user was never registered, was erased, or has another address now (see `workflows/addresses.ts`).
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
    // A second claim by the same user is a retry after a crash.
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
