import { z } from 'zod';
import { characters, LONGEST_GROUP_NAME } from './limits.ts';
import { type DataOf, groups, id, publicEvent, sealed } from './public-event.ts';

const group = z
  .string()
  .min(1)
  .refine((name) => characters(name) <= LONGEST_GROUP_NAME)
  .meta({ description: 'The name of a group', maxLength: LONGEST_GROUP_NAME });

export const UserRegistered = publicEvent(
  'parlance.identity.user-registered.v1',
  'A user can sign in from now on.',
  z.strictObject({ user_id: id, email: sealed, first_name: sealed, last_name: sealed, groups }),
);
export type UserRegistered = DataOf<typeof UserRegistered>;

export const UserRenamed = publicEvent(
  'parlance.identity.user-renamed.v1',
  'A user has another name.',
  z.strictObject({ user_id: id, first_name: sealed, last_name: sealed }),
);
export type UserRenamed = DataOf<typeof UserRenamed>;

export const UserEmailChanged = publicEvent(
  'parlance.identity.user-email-changed.v1',
  'A user has another e-mail address.',
  z.strictObject({ user_id: id, email: sealed }),
);
export type UserEmailChanged = DataOf<typeof UserEmailChanged>;

export const UserEmailVerified = publicEvent(
  'parlance.identity.user-email-verified.v1',
  'A provider has verified the e-mail address of a user who had signed up with it. The password of before is void.',
  z.strictObject({ user_id: id, by: z.enum(['oidc', 'scim']) }),
);
export type UserEmailVerified = DataOf<typeof UserEmailVerified>;

export const UserDisabled = publicEvent(
  'parlance.identity.user-disabled.v1',
  'A user is shut out: signed out everywhere, and unable to sign in.',
  z.strictObject({ user_id: id }),
);
export type UserDisabled = DataOf<typeof UserDisabled>;

export const UserEnabled = publicEvent(
  'parlance.identity.user-enabled.v1',
  'A user who was shut out may sign in again.',
  z.strictObject({ user_id: id }),
);
export type UserEnabled = DataOf<typeof UserEnabled>;

export const UserJoinedGroup = publicEvent(
  'parlance.identity.user-joined-group.v1',
  "A user is in a group; the user's next token says so.",
  z.strictObject({ user_id: id, group }),
);
export type UserJoinedGroup = DataOf<typeof UserJoinedGroup>;

export const UnverifiedUserConfirmed = publicEvent(
  'parlance.identity.unverified-user-confirmed.v1',
  'An Admin added a user to Admin or PublishAllowed, although the e-mail address of the user is not verified. Follows user-joined-group.v1.',
  z.strictObject({ user_id: id, group }),
);
export type UnverifiedUserConfirmed = DataOf<typeof UnverifiedUserConfirmed>;

export const UserLeftGroup = publicEvent(
  'parlance.identity.user-left-group.v1',
  "A user is no longer in a group; the user's next token says so.",
  z.strictObject({ user_id: id, group }),
);
export type UserLeftGroup = DataOf<typeof UserLeftGroup>;

export const UserExternalIdSet = publicEvent(
  'parlance.identity.user-external-id-set.v1',
  'A provisioning client calls a user by another id of its own, or by none any more.',
  z.strictObject({ user_id: id }),
);
export type UserExternalIdSet = DataOf<typeof UserExternalIdSet>;

export const UserErased = publicEvent(
  'parlance.identity.user-erased.v1',
  'A user is gone for good: the key of all that is theirs is destroyed. Every service that keeps data of the user removes it.',
  z.strictObject({ user_id: id }),
);
export type UserErased = DataOf<typeof UserErased>;

export const PasswordChanged = publicEvent(
  'parlance.identity.password-changed.v1',
  'A user has another password, or none any more.',
  z.strictObject({ user_id: id, because: z.enum(['user_changed_it', 'reset_by_token', 'set_by_admin', 'address_proved_by_another']) }),
);
export type PasswordChanged = DataOf<typeof PasswordChanged>;

export const PasswordResetOffered = publicEvent(
  'parlance.identity.password-reset-offered.v1',
  'An administrator made a token that sets a new password, once.',
  z.strictObject({ user_id: id }),
);
export type PasswordResetOffered = DataOf<typeof PasswordResetOffered>;

export const IdentityLinked = publicEvent(
  'parlance.identity.identity-linked.v1',
  'A user can sign in through an OpenID Connect provider.',
  z.strictObject({ user_id: id, provider: z.string() }),
);
export type IdentityLinked = DataOf<typeof IdentityLinked>;

export const UserSignedIn = publicEvent(
  'parlance.identity.signed-in.v1',
  'A user proved who they are; a session began.',
  z.strictObject({ user_id: id, session_id: id }),
);
export type UserSignedIn = DataOf<typeof UserSignedIn>;

export const SignInFailed = publicEvent(
  'parlance.identity.sign-in-failed.v1',
  'There was a try to sign in with a wrong password, or as an unknown user (then without user_id).',
  z.strictObject({ user_id: id.nullable() }),
);
export type SignInFailed = DataOf<typeof SignInFailed>;

export const SessionEnded = publicEvent(
  'parlance.identity.session-ended.v1',
  'A session is over: its tokens are dead.',
  z.strictObject({
    user_id: id,
    session_id: id,
    reason: z.enum([
      'signed_out',
      'ended_elsewhere',
      'refresh_token_reused',
      'password_changed',
      'user_disabled',
      'user_erased',
      'expired',
    ]),
  }),
);
export type SessionEnded = DataOf<typeof SessionEnded>;

export const GroupCreated = publicEvent('parlance.identity.group-created.v1', 'There is another group.', z.strictObject({ group }));
export type GroupCreated = DataOf<typeof GroupCreated>;

export const GroupDeleted = publicEvent('parlance.identity.group-deleted.v1', 'A group is no more.', z.strictObject({ group }));
export type GroupDeleted = DataOf<typeof GroupDeleted>;

export const ScimTokenCreated = publicEvent(
  'parlance.identity.scim-token-created.v1',
  'An administrator made a token that an identity provider provisions users with.',
  z.strictObject({ token_id: id }),
);
export type ScimTokenCreated = DataOf<typeof ScimTokenCreated>;

export const ScimTokenRevoked = publicEvent(
  'parlance.identity.scim-token-revoked.v1',
  'A provisioning token is dead.',
  z.strictObject({ token_id: id }),
);
export type ScimTokenRevoked = DataOf<typeof ScimTokenRevoked>;

export const SigningKeyMade = publicEvent(
  'parlance.identity.signing-key-made.v1',
  'Access tokens are signed with another key from now on.',
  z.strictObject({ kid: id }),
);
export type SigningKeyMade = DataOf<typeof SigningKeyMade>;
