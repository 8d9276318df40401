import { z } from 'zod';
import { characters, LONGEST_GROUP_NAME } from '../limits.ts';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, sealed, userId } from '../public-event.ts';

const onUser = actionOn('user');
const onInvitation = actionOn('invitation');
const onGroup = actionOn('group');

const groupName = z
  .string()
  .min(1)
  .refine((name) => characters(name) <= LONGEST_GROUP_NAME)
  .meta({ description: 'Name of the group.', maxLength: LONGEST_GROUP_NAME });
const groupNames = z.array(z.string()).describe('Names of the groups of the new user.');
const email = sealed('E-mail address.');
const firstName = sealed('First name.');
const lastName = sealed('Last name.');
const invitationId = id.describe('ID of the invitation.');

export const UserRegistered = publicEvent(
  'parlance.identity.user-registered.v1',
  'Published when a user is created.',
  z.strictObject({ user_id: userId, email, first_name: firstName, last_name: lastName, groups: groupNames }),
  ({ user_id, groups }) => onUser('register_user', user_id, { groups }),
);
export type UserRegistered = DataOf<typeof UserRegistered>;

export const UserRenamed = publicEvent(
  'parlance.identity.user-renamed.v1',
  'Published when the first or last name of a user changes.',
  z.strictObject({ user_id: userId, first_name: firstName, last_name: lastName }),
  ({ user_id }) => onUser('rename_user', user_id),
);
export type UserRenamed = DataOf<typeof UserRenamed>;

export const UserEmailChanged = publicEvent(
  'parlance.identity.user-email-changed.v1',
  'Published when the e-mail address of a user changes.',
  z.strictObject({ user_id: userId, email }),
  ({ user_id }) => onUser('change_email', user_id),
);
export type UserEmailChanged = DataOf<typeof UserEmailChanged>;

export const UserEmailVerified = publicEvent(
  'parlance.identity.user-email-verified.v1',
  'Published when a provider verifies the e-mail address of a user who had signed up. The previous password is invalid.',
  z.strictObject({ user_id: userId, by: z.enum(['oidc', 'scim']).describe('Kind of the provider.') }),
  ({ user_id, by }) => onUser('verify_email', user_id, { by }),
);
export type UserEmailVerified = DataOf<typeof UserEmailVerified>;

export const UserEmailConfirmed = publicEvent(
  'parlance.identity.user-email-confirmed.v1',
  'Published when a user verifies the e-mail address with the link in a mail.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('confirm_email', user_id, undefined, { by: user_id }),
);
export type UserEmailConfirmed = DataOf<typeof UserEmailConfirmed>;

export const UserDisabled = publicEvent(
  'parlance.identity.user-disabled.v1',
  'Published when a user is disabled. All sessions of the user end, and the user cannot sign in.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('disable_user', user_id),
);
export type UserDisabled = DataOf<typeof UserDisabled>;

export const UserEnabled = publicEvent(
  'parlance.identity.user-enabled.v1',
  'Published when a disabled user is enabled again.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('enable_user', user_id),
);
export type UserEnabled = DataOf<typeof UserEnabled>;

export const UserJoinedGroup = publicEvent(
  'parlance.identity.user-joined-group.v1',
  "Published when a user is added to a group after creation. The user's next access token includes the group.",
  z.strictObject({ user_id: userId, group: groupName }),
  ({ user_id, group }) => onUser('join_group', user_id, { group }),
);
export type UserJoinedGroup = DataOf<typeof UserJoinedGroup>;

export const UnverifiedUserConfirmed = publicEvent(
  'parlance.identity.unverified-user-confirmed.v1',
  'Published when an Admin adds a user with an unverified e-mail address to Admin or PublishAllowed. Follows user-joined-group.v1.',
  z.strictObject({ user_id: userId, group: groupName }),
  ({ user_id, group }) => onUser('confirm_unverified_user', user_id, { group, confirm_unverified: true }),
);
export type UnverifiedUserConfirmed = DataOf<typeof UnverifiedUserConfirmed>;

export const UserLeftGroup = publicEvent(
  'parlance.identity.user-left-group.v1',
  "Published when a user is removed from a group. The user's next access token no longer includes the group.",
  z.strictObject({ user_id: userId, group: groupName }),
  ({ user_id, group }) => onUser('leave_group', user_id, { group }),
);
export type UserLeftGroup = DataOf<typeof UserLeftGroup>;

export const UserExternalIdSet = publicEvent(
  'parlance.identity.user-external-id-set.v1',
  'Published when a SCIM client sets or removes the external ID of a user.',
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('set_external_id', user_id),
);
export type UserExternalIdSet = DataOf<typeof UserExternalIdSet>;

export const UserErased = publicEvent(
  'parlance.identity.user-erased.v1',
  "Published when a user is erased. The user's encryption key is destroyed. Every service removes its data of the user.",
  z.strictObject({ user_id: userId }),
  ({ user_id }) => onUser('erase_user', user_id),
);
export type UserErased = DataOf<typeof UserErased>;

export const IdentityLinked = publicEvent(
  'parlance.identity.identity-linked.v1',
  'Published when a user is linked to an identity of an OpenID Connect provider.',
  z.strictObject({ user_id: userId, provider: z.string().describe('Name of the provider in the configuration.') }),
  ({ user_id, provider }) => onUser('link_identity', user_id, { provider }),
);
export type IdentityLinked = DataOf<typeof IdentityLinked>;

export const GroupCreated = publicEvent(
  'parlance.identity.group-created.v1',
  'Published when a group is created.',
  z.strictObject({ group: groupName }),
  ({ group }) => onGroup('create_group', group),
);
export type GroupCreated = DataOf<typeof GroupCreated>;

export const GroupDeleted = publicEvent(
  'parlance.identity.group-deleted.v1',
  'Published when a group is deleted. A user-left-group.v1 event for each member follows.',
  z.strictObject({ group: groupName }),
  ({ group }) => onGroup('delete_group', group),
);
export type GroupDeleted = DataOf<typeof GroupDeleted>;

export const InvitationCreated = publicEvent(
  'parlance.identity.invitation-created.v1',
  'Published when an administrator invites a person by mail. An earlier invitation of the same address ends.',
  z.strictObject({ invitation_id: invitationId, groups: z.array(z.string()).describe('Names of the groups of the invited user.') }),
  ({ invitation_id, groups }) => onInvitation('invite_user', invitation_id, { groups }),
);
export type InvitationCreated = DataOf<typeof InvitationCreated>;

export const InvitationAccepted = publicEvent(
  'parlance.identity.invitation-accepted.v1',
  'Published when an invited person has accepted. Follows user-registered.v1 of the user.',
  z.strictObject({ invitation_id: invitationId, user_id: userId }),
  ({ invitation_id, user_id }) => onInvitation('accept_invitation', invitation_id, { user_id }),
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
  ({ invitation_id, because }) => onInvitation('end_invitation', invitation_id, { because }),
);
export type InvitationEnded = DataOf<typeof InvitationEnded>;
