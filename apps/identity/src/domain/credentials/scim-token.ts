import { type Decider, type Instant, refuse } from '@parlance/decider';

/** A token with which an identity provider manages users and groups. Only its hash is stored. */
export type ScimTokenCommand =
  | { type: 'Make'; description: string; hash: string; expiresAt: Instant | null; now: Instant }
  | { type: 'Revoke' };

export type ScimTokenEvent =
  | { type: 'ScimTokenMade'; description: string; hash: string; expiresAt: Instant | null }
  | { type: 'ScimTokenRevoked' };

export type ScimToken =
  | { readonly status: 'absent' | 'revoked' }
  | { readonly status: 'active'; readonly hash: string; readonly expiresAt: Instant | null };

export const scimToken: Decider<ScimTokenCommand, ScimTokenEvent, ScimToken> = {
  initialState: { status: 'absent' },

  decide(command, token) {
    switch (command.type) {
      case 'Make': {
        // A retry. Its new secret is not the one that the first answer showed.
        if (token.status !== 'absent') return [];
        const { description, hash, expiresAt, now } = command;
        if (expiresAt !== null && expiresAt <= now)
          return refuse('invalid', 'expiry_passed', 'The field expires_at must be in the future.');
        return [{ type: 'ScimTokenMade', description, hash, expiresAt }];
      }
      case 'Revoke':
        if (token.status === 'absent') return refuse('missing', 'scim_token_not_found', 'There is no such token.');
        return token.status === 'revoked' ? [] : [{ type: 'ScimTokenRevoked' }];
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'ScimTokenMade':
        return { status: 'active', hash: event.hash, expiresAt: event.expiresAt };
      case 'ScimTokenRevoked':
        return { status: 'revoked' };
    }
  },
};

/** Whether the hash belongs to this token, and the token is neither revoked nor expired. */
export const isValidToken = (token: ScimToken, hash: string, now: Instant): boolean =>
  token.status === 'active' && token.hash === hash && (token.expiresAt === null || token.expiresAt > now);

export const scimTokenStream = (tokenId: string) => `scim-${tokenId}`;
