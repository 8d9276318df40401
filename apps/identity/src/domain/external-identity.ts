import { type Decider, refuse } from '@parlance/decider';

/** An account at an OpenID Connect provider, and the user it is linked to. The stream's name is a keyed hash of issuer and subject. */
export type ExternalIdentityCommand = { type: 'Link'; userId: string } | { type: 'Unlink'; userId: string };
export type ExternalIdentityEvent =
  | { type: 'ExternalIdentityLinked'; userId: string }
  | { type: 'ExternalIdentityUnlinked'; userId: string };
export type ExternalIdentity = { userId: string | null };

export const externalIdentity: Decider<ExternalIdentityCommand, ExternalIdentityEvent, ExternalIdentity> = {
  initialState: { userId: null },

  decide({ type, userId }, identity) {
    if (type === 'Unlink') return identity.userId === userId ? [{ type: 'ExternalIdentityUnlinked', userId }] : [];
    if (identity.userId === userId) return [];
    // A concurrent first sign-in with this identity has registered the user. A retry finds that user.
    return identity.userId === null
      ? [{ type: 'ExternalIdentityLinked', userId }]
      : refuse('conflict', 'identity_linked', 'Another user signs in with this identity.');
  },

  evolve: (_, event) => ({ userId: event.type === 'ExternalIdentityLinked' ? event.userId : null }),
};

export const externalIdentityStream = (identityHash: string) => `external-${identityHash}`;
