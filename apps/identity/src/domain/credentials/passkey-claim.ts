import { type Decider, refuse } from '@parlance/decider';

/**
 * The credential of a passkey, and the user that may add it. The stream's name is a keyed hash of the credential ID.
 *
 * A user claims a credential before it is added to the stream of the user's factors, and the claim is released after it was removed from there. So
 * no credential is a passkey of two users, and the claim names the only user that can sign in with it.
 */
export type PasskeyClaimCommand = { type: 'Claim'; userId: string } | { type: 'Release'; userId: string };
export type PasskeyClaimEvent = { type: 'PasskeyClaimed'; userId: string } | { type: 'PasskeyReleased'; userId: string };
export type PasskeyClaim = { readonly userId: string | null };

export const passkeyClaim: Decider<PasskeyClaimCommand, PasskeyClaimEvent, PasskeyClaim> = {
  initialState: { userId: null },

  decide({ type, userId }, claim) {
    if (type === 'Release') return claim.userId === userId ? [{ type: 'PasskeyReleased', userId }] : [];
    if (claim.userId === userId) return [];
    return claim.userId === null
      ? [{ type: 'PasskeyClaimed', userId }]
      : refuse('conflict', 'passkey_taken', 'Another account has this passkey. Create a new one.');
  },

  evolve: (_, event) => ({ userId: event.type === 'PasskeyClaimed' ? event.userId : null }),
};

export const passkeyClaimStream = (credentialHash: string) => `passkey-${credentialHash}`;
