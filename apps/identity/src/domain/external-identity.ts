import { type Decider, refuse } from '@parlance/decider';

/** A person at an OpenID Connect provider (named by a keyed hash of issuer and subject), who is one user here, or none yet. */
export type ExternalIdentityCommand = { type: 'Link'; userId: string } | { type: 'Unlink'; userId: string };
export type ExternalIdentityEvent =
  { type: 'ExternalIdentityLinked'; userId: string } | { type: 'ExternalIdentityUnlinked'; userId: string };
export type ExternalIdentity = { userId: string | null };

export const externalIdentity: Decider<ExternalIdentityCommand, ExternalIdentityEvent, ExternalIdentity> = {
  initialState: { userId: null },

  decide({ type, userId }, identity) {
    if (type === 'Unlink') return identity.userId === userId ? [{ type: 'ExternalIdentityUnlinked', userId }] : [];
    if (identity.userId === userId) return [];
    // Two first sign-ins at once: the other one made the user, and a second try finds it.
    return identity.userId === null
      ? [{ type: 'ExternalIdentityLinked', userId }]
      : refuse('conflict', 'identity_linked', 'Another user signs in with this identity.');
  },

  evolve: (_, event) => ({ userId: event.type === 'ExternalIdentityLinked' ? event.userId : null }),
};

export const externalIdentityStream = (identityHash: string) => `external-${identityHash}`;
