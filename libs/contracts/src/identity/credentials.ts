import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';

const onUser = actionOn('user');
const onScimToken = actionOn('scim_token');
const onToken = actionOn('token');

const sessionId = id.describe('ID of the session.');
const personalTokenId = id.describe('ID of the personal access token.');
const scimTokenId = id.describe('ID of the SCIM token.');

export const PasswordChanged = publicEvent(
  'parlance.identity.password-changed.v1',
  'Published when the password of a user changes or is removed.',
  z.strictObject({
    user_id: userId,
    because: z
      .enum(['user_changed_it', 'reset_by_token', 'set_by_admin', 'address_proved_by_another'])
      .describe('Reason. address_proved_by_another means that a provider verified the e-mail address and the password was removed.'),
  }),
  ({ user_id, because }) => onUser('change_password', user_id, { because }),
);
export type PasswordChanged = DataOf<typeof PasswordChanged>;

export const PasswordResetOffered = publicEvent(
  'parlance.identity.password-reset-offered.v1',
  'Published when an administrator creates a password reset token.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('offer_password_reset', user_id),
);
export type PasswordResetOffered = DataOf<typeof PasswordResetOffered>;

const factorKind = z.enum(['totp', 'passkey']).describe('Kind of the second factor.');

export const SecondFactorAdded = publicEvent(
  'parlance.identity.second-factor-added.v1',
  'Published when a user adds a second factor.',
  z.strictObject({ user_id: userId, kind: factorKind }),
  ({ user_id, kind }) => onUser('add_second_factor', user_id, { kind }),
);
export type SecondFactorAdded = DataOf<typeof SecondFactorAdded>;

export const SecondFactorRemoved = publicEvent(
  'parlance.identity.second-factor-removed.v1',
  'Published when a user removes a second factor.',
  z.strictObject({ user_id: userId, kind: factorKind }),
  ({ user_id, kind }) => onUser('remove_second_factor', user_id, { kind }),
);
export type SecondFactorRemoved = DataOf<typeof SecondFactorRemoved>;

export const SecondFactorsReset = publicEvent(
  'parlance.identity.second-factors-reset.v1',
  'Published when an administrator removes all second factors and recovery codes of a user.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('reset_second_factors', user_id),
);
export type SecondFactorsReset = DataOf<typeof SecondFactorsReset>;

export const RecoveryCodesMade = publicEvent(
  'parlance.identity.recovery-codes-made.v1',
  'Published when a user gets ten new recovery codes. Earlier ones are invalid.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('make_recovery_codes', user_id),
);
export type RecoveryCodesMade = DataOf<typeof RecoveryCodesMade>;

export const SecondFactorFailed = publicEvent(
  'parlance.identity.second-factor-failed.v1',
  'Published when a second factor for a user is wrong. The password was right, or the user was signed in, or a passkey of the user was presented.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('prove_second_factor', user_id, undefined, { by: user_id, error: 'The second factor was wrong.' }),
);
export type SecondFactorFailed = DataOf<typeof SecondFactorFailed>;

export const UserSignedIn = publicEvent(
  'parlance.identity.signed-in.v1',
  'Published when a user signs in and a session starts.',
  z.strictObject({ user_id: userId, session_id: sessionId }),
  ({ user_id }) => onUser('sign_in', user_id, undefined, { by: user_id }),
);
export type UserSignedIn = DataOf<typeof UserSignedIn>;

export const SignInFailed = publicEvent(
  'parlance.identity.sign-in-failed.v1',
  'Published when a sign-in fails because of a wrong password or an unknown e-mail address.',
  z.strictObject({ user_id: id.nullable().describe('ID of the user; null if the e-mail address is unknown.') }),
  ({ user_id }) =>
    onUser('sign_in', user_id ?? '', undefined, {
      ...(user_id !== null && { by: user_id }),
      error: 'The address or the password was wrong.',
    }),
);
export type SignInFailed = DataOf<typeof SignInFailed>;

export const SessionEnded = publicEvent(
  'parlance.identity.session-ended.v1',
  'Published when a session ends. Its tokens are invalid.',
  z.strictObject({
    user_id: userId,
    session_id: sessionId,
    reason: z
      .enum(['signed_out', 'ended_elsewhere', 'refresh_token_reused', 'password_changed', 'user_disabled', 'user_erased', 'expired'])
      .describe('Reason. ended_elsewhere means that another session of the user or an administrator ended it.'),
  }),
  ({ user_id, session_id, reason }) => onUser('end_session', user_id, { session_id, reason }),
);
export type SessionEnded = DataOf<typeof SessionEnded>;

export const ScimTokenCreated = publicEvent(
  'parlance.identity.scim-token-created.v1',
  'Published when an administrator creates a SCIM token.',
  z.strictObject({ token_id: scimTokenId }),
  ({ token_id }) => onScimToken('create_scim_token', token_id),
);
export type ScimTokenCreated = DataOf<typeof ScimTokenCreated>;

export const ScimTokenRevoked = publicEvent(
  'parlance.identity.scim-token-revoked.v1',
  'Published when an administrator revokes a SCIM token.',
  z.strictObject({ token_id: scimTokenId }),
  ({ token_id }) => onScimToken('revoke_scim_token', token_id),
);
export type ScimTokenRevoked = DataOf<typeof ScimTokenRevoked>;

export const PersonalTokenCreated = publicEvent(
  'parlance.identity.personal-token-created.v1',
  'Published when a personal access token of a user or of a service account is created.',
  z.strictObject({
    user_id: userId,
    token_id: personalTokenId,
    scopes: z.array(z.string()).describe('What requests with the token may do.'),
  }),
  ({ token_id, ...facts }) => onToken('create_token', token_id, facts),
);
export type PersonalTokenCreated = DataOf<typeof PersonalTokenCreated>;

export const PersonalTokenTermsChanged = publicEvent(
  'parlance.identity.personal-token-terms-changed.v1',
  'Published when the terms for calls of models of a personal access token change. All terms are in the event.',
  z.strictObject({
    user_id: userId,
    token_id: personalTokenId,
    models: z.array(z.string()).describe('IDs of models, or beginnings of IDs followed by *. Empty: all.'),
    requests_per_minute: z.int().nullable().describe('Null without a limit.'),
    tokens_per_minute: z.int().nullable().describe('Null without a limit.'),
    max_parallel_requests: z.int().nullable().describe('Null without a limit.'),
    cost_centre: z.string().nullable().describe('The cost centre that calls are recorded with.'),
    cache_ttl_seconds: z.int().optional().describe('How long answers may be cached. 0: not.'),
    tags: z.record(z.string(), z.string()).describe('Tags that calls are recorded with.'),
  }),
  ({ user_id, token_id }) => onToken('change_token', token_id, { user_id }),
);
export type PersonalTokenTermsChanged = DataOf<typeof PersonalTokenTermsChanged>;

export const PersonalTokenRevoked = publicEvent(
  'parlance.identity.personal-token-revoked.v1',
  'Published when a personal access token ends. Expired tokens are removed when another one is created.',
  z.strictObject({
    user_id: userId,
    token_id: personalTokenId,
    because: z.enum(['revoked', 'expired', 'user_erased']).describe('Reason. revoked means that the user or an administrator deleted it.'),
  }),
  ({ token_id, ...facts }) => onToken('revoke_token', token_id, facts),
);
export type PersonalTokenRevoked = DataOf<typeof PersonalTokenRevoked>;

export const SigningKeyMade = publicEvent(
  'parlance.identity.signing-key-made.v1',
  'Published when a new key starts to sign access tokens.',
  z.strictObject({ kid: id.describe('ID of the signing key.') }),
  ({ kid }) => actionOn('signing_key')('rotate_signing_key', kid),
);
export type SigningKeyMade = DataOf<typeof SigningKeyMade>;
