import { z } from 'zod';
import { characters, LONGEST_GROUP_NAME } from './limits.ts';
import { type DataOf, id, publicEvent, sealed, userId } from './public-event.ts';

const group = z
  .string()
  .min(1)
  .refine((name) => characters(name) <= LONGEST_GROUP_NAME)
  .meta({ description: 'Name of the group.', maxLength: LONGEST_GROUP_NAME });
const groups = z.array(z.string()).describe('Names of the groups of the new user.');
const email = sealed('E-mail address.');
const firstName = sealed('First name.');
const lastName = sealed('Last name.');
const sessionId = id.describe('ID of the session.');
const personalTokenId = id.describe('ID of the personal access token.');
const invitationId = id.describe('ID of the invitation.');
const scimTokenId = id.describe('ID of the SCIM token.');

export const UserRegistered = publicEvent(
  'parlance.identity.user-registered.v1',
  'Published when a user is created.',
  z.strictObject({ user_id: userId, email, first_name: firstName, last_name: lastName, groups }),
);
export type UserRegistered = DataOf<typeof UserRegistered>;

export const UserRenamed = publicEvent(
  'parlance.identity.user-renamed.v1',
  'Published when the first or last name of a user changes.',
  z.strictObject({ user_id: userId, first_name: firstName, last_name: lastName }),
);
export type UserRenamed = DataOf<typeof UserRenamed>;

export const UserEmailChanged = publicEvent(
  'parlance.identity.user-email-changed.v1',
  'Published when the e-mail address of a user changes.',
  z.strictObject({ user_id: userId, email }),
);
export type UserEmailChanged = DataOf<typeof UserEmailChanged>;

export const UserEmailVerified = publicEvent(
  'parlance.identity.user-email-verified.v1',
  'Published when a provider verifies the e-mail address of a user who had signed up. The previous password is invalid.',
  z.strictObject({ user_id: userId, by: z.enum(['oidc', 'scim']).describe('Kind of the provider.') }),
);
export type UserEmailVerified = DataOf<typeof UserEmailVerified>;

export const UserEmailConfirmed = publicEvent(
  'parlance.identity.user-email-confirmed.v1',
  'Published when a user verifies the e-mail address with the link in a mail.',
  z.strictObject({ user_id: userId }),
);
export type UserEmailConfirmed = DataOf<typeof UserEmailConfirmed>;

export const UserDisabled = publicEvent(
  'parlance.identity.user-disabled.v1',
  'Published when a user is disabled. All sessions of the user end, and the user cannot sign in.',
  z.strictObject({ user_id: userId }),
);
export type UserDisabled = DataOf<typeof UserDisabled>;

export const UserEnabled = publicEvent(
  'parlance.identity.user-enabled.v1',
  'Published when a disabled user is enabled again.',
  z.strictObject({ user_id: userId }),
);
export type UserEnabled = DataOf<typeof UserEnabled>;

export const UserJoinedGroup = publicEvent(
  'parlance.identity.user-joined-group.v1',
  "Published when a user is added to a group after creation. The user's next access token includes the group.",
  z.strictObject({ user_id: userId, group }),
);
export type UserJoinedGroup = DataOf<typeof UserJoinedGroup>;

export const UnverifiedUserConfirmed = publicEvent(
  'parlance.identity.unverified-user-confirmed.v1',
  'Published when an Admin adds a user with an unverified e-mail address to Admin or PublishAllowed. Follows user-joined-group.v1.',
  z.strictObject({ user_id: userId, group }),
);
export type UnverifiedUserConfirmed = DataOf<typeof UnverifiedUserConfirmed>;

export const UserLeftGroup = publicEvent(
  'parlance.identity.user-left-group.v1',
  "Published when a user is removed from a group. The user's next access token no longer includes the group.",
  z.strictObject({ user_id: userId, group }),
);
export type UserLeftGroup = DataOf<typeof UserLeftGroup>;

export const UserExternalIdSet = publicEvent(
  'parlance.identity.user-external-id-set.v1',
  'Published when a SCIM client sets or removes the external ID of a user.',
  z.strictObject({ user_id: userId }),
);
export type UserExternalIdSet = DataOf<typeof UserExternalIdSet>;

export const UserErased = publicEvent(
  'parlance.identity.user-erased.v1',
  "Published when a user is erased. The user's encryption key is destroyed. Every service removes its data of the user.",
  z.strictObject({ user_id: userId }),
);
export type UserErased = DataOf<typeof UserErased>;

export const PasswordChanged = publicEvent(
  'parlance.identity.password-changed.v1',
  'Published when the password of a user changes or is removed.',
  z.strictObject({
    user_id: userId,
    because: z
      .enum(['user_changed_it', 'reset_by_token', 'set_by_admin', 'address_proved_by_another'])
      .describe('Reason. address_proved_by_another means that a provider verified the e-mail address and the password was removed.'),
  }),
);
export type PasswordChanged = DataOf<typeof PasswordChanged>;

export const PasswordResetOffered = publicEvent(
  'parlance.identity.password-reset-offered.v1',
  'Published when an administrator creates a password reset token.',
  z.strictObject({ user_id: userId }),
);
export type PasswordResetOffered = DataOf<typeof PasswordResetOffered>;

const factorKind = z.enum(['totp', 'passkey']).describe('Kind of the second factor.');

export const SecondFactorAdded = publicEvent(
  'parlance.identity.second-factor-added.v1',
  'Published when a user adds a second factor.',
  z.strictObject({ user_id: userId, kind: factorKind }),
);
export type SecondFactorAdded = DataOf<typeof SecondFactorAdded>;

export const SecondFactorRemoved = publicEvent(
  'parlance.identity.second-factor-removed.v1',
  'Published when a user removes a second factor.',
  z.strictObject({ user_id: userId, kind: factorKind }),
);
export type SecondFactorRemoved = DataOf<typeof SecondFactorRemoved>;

export const SecondFactorsReset = publicEvent(
  'parlance.identity.second-factors-reset.v1',
  'Published when an administrator removes all second factors and recovery codes of a user.',
  z.strictObject({ user_id: userId }),
);
export type SecondFactorsReset = DataOf<typeof SecondFactorsReset>;

export const RecoveryCodesMade = publicEvent(
  'parlance.identity.recovery-codes-made.v1',
  'Published when a user gets ten new recovery codes. Earlier ones are invalid.',
  z.strictObject({ user_id: userId }),
);
export type RecoveryCodesMade = DataOf<typeof RecoveryCodesMade>;

export const SecondFactorFailed = publicEvent(
  'parlance.identity.second-factor-failed.v1',
  'Published when a second factor for a user is wrong. The password was right, or the user was signed in, or a passkey of the user was presented.',
  z.strictObject({ user_id: userId }),
);
export type SecondFactorFailed = DataOf<typeof SecondFactorFailed>;

export const IdentityLinked = publicEvent(
  'parlance.identity.identity-linked.v1',
  'Published when a user is linked to an identity of an OpenID Connect provider.',
  z.strictObject({ user_id: userId, provider: z.string().describe('Name of the provider in the configuration.') }),
);
export type IdentityLinked = DataOf<typeof IdentityLinked>;

export const UserSignedIn = publicEvent(
  'parlance.identity.signed-in.v1',
  'Published when a user signs in and a session starts.',
  z.strictObject({ user_id: userId, session_id: sessionId }),
);
export type UserSignedIn = DataOf<typeof UserSignedIn>;

export const SignInFailed = publicEvent(
  'parlance.identity.sign-in-failed.v1',
  'Published when a sign-in fails because of a wrong password or an unknown e-mail address.',
  z.strictObject({ user_id: id.nullable().describe('ID of the user; null if the e-mail address is unknown.') }),
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
);
export type SessionEnded = DataOf<typeof SessionEnded>;

export const GroupCreated = publicEvent(
  'parlance.identity.group-created.v1',
  'Published when a group is created.',
  z.strictObject({ group }),
);
export type GroupCreated = DataOf<typeof GroupCreated>;

export const GroupDeleted = publicEvent(
  'parlance.identity.group-deleted.v1',
  'Published when a group is deleted. A user-left-group.v1 event for each member follows.',
  z.strictObject({ group }),
);
export type GroupDeleted = DataOf<typeof GroupDeleted>;

export const InvitationCreated = publicEvent(
  'parlance.identity.invitation-created.v1',
  'Published when an administrator invites a person by mail. An earlier invitation of the same address ends.',
  z.strictObject({ invitation_id: invitationId, groups: z.array(z.string()).describe('Names of the groups of the invited user.') }),
);
export type InvitationCreated = DataOf<typeof InvitationCreated>;

export const InvitationAccepted = publicEvent(
  'parlance.identity.invitation-accepted.v1',
  'Published when an invited person has accepted. Follows user-registered.v1 of the user.',
  z.strictObject({ invitation_id: invitationId, user_id: userId }),
);
export type InvitationAccepted = DataOf<typeof InvitationAccepted>;

export const InvitationEnded = publicEvent(
  'parlance.identity.invitation-ended.v1',
  'Published when an invitation ends without a user. Its address and names cannot be read again.',
  z.strictObject({
    invitation_id: invitationId,
    because: z
      .enum(['replaced', 'revoked', 'expired', 'user_erased'])
      .describe(
        'Reason. replaced means that the address was invited again. user_erased means that the user who has the address was erased.',
      ),
  }),
);
export type InvitationEnded = DataOf<typeof InvitationEnded>;

export const ScimTokenCreated = publicEvent(
  'parlance.identity.scim-token-created.v1',
  'Published when an administrator creates a SCIM token.',
  z.strictObject({ token_id: scimTokenId }),
);
export type ScimTokenCreated = DataOf<typeof ScimTokenCreated>;

export const ScimTokenRevoked = publicEvent(
  'parlance.identity.scim-token-revoked.v1',
  'Published when an administrator revokes a SCIM token.',
  z.strictObject({ token_id: scimTokenId }),
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
);
export type PersonalTokenCreated = DataOf<typeof PersonalTokenCreated>;

export const PersonalTokenRevoked = publicEvent(
  'parlance.identity.personal-token-revoked.v1',
  'Published when a personal access token ends. Expired tokens are removed when another one is created.',
  z.strictObject({
    user_id: userId,
    token_id: personalTokenId,
    because: z.enum(['revoked', 'expired', 'user_erased']).describe('Reason. revoked means that the user or an administrator deleted it.'),
  }),
);
export type PersonalTokenRevoked = DataOf<typeof PersonalTokenRevoked>;

const heldSubject = {
  hold_id: id.describe('ID of the hold.'),
  user_id: userId.optional().describe('ID of the user on hold; absent for a bot.'),
  bot_id: id.optional().describe('ID of the bot on hold; absent for a user.'),
};

export const HoldPlaced = publicEvent(
  'parlance.identity.hold-placed.v1',
  'Published when an administrator places a hold on a user or a bot. It is not deleted, and its conversations are kept.',
  z.strictObject(heldSubject),
);
export type HoldPlaced = DataOf<typeof HoldPlaced>;

export const HoldEnded = publicEvent(
  'parlance.identity.hold-ended.v1',
  'Published when an administrator ends a hold. What it kept can be deleted again.',
  z.strictObject(heldSubject),
);
export type HoldEnded = DataOf<typeof HoldEnded>;

export const SigningKeyMade = publicEvent(
  'parlance.identity.signing-key-made.v1',
  'Published when a new key starts to sign access tokens.',
  z.strictObject({ kid: id.describe('ID of the signing key.') }),
);
export type SigningKeyMade = DataOf<typeof SigningKeyMade>;
