import {
  GroupCreated,
  GroupDeleted,
  IdentityLinked,
  PasswordChanged,
  PasswordResetOffered,
  ScimTokenCreated,
  ScimTokenRevoked,
  SessionEnded,
  SignedIn,
  SignInFailed,
  SigningKeyMade,
  UserDisabled,
  UserEmailChanged,
  UserEnabled,
  UserErased,
  UserExternalIdSet,
  UserJoinedGroup,
  UserLeftGroup,
  UserRegistered,
  UserRenamed,
} from '@parlance/contracts';
import { publishing, say } from '@parlance/service-kit';
import type { IdentityEvent } from '../domain/events.ts';

/** Hashes of passwords and tokens stay private, and so does which addresses are taken. */
export const publishIdentity = publishing<IdentityEvent>('identity', {
  UserRegistered: ({ email, firstName, lastName, groups }, user_id) =>
    say(UserRegistered, { user_id, email, first_name: firstName, last_name: lastName, groups: [...groups] }),
  UserRenamed: ({ firstName, lastName }, user_id) => say(UserRenamed, { user_id, first_name: firstName, last_name: lastName }),
  UserEmailChanged: ({ email }, user_id) => say(UserEmailChanged, { user_id, email }),
  UserDisabled: (_, user_id) => say(UserDisabled, { user_id }),
  UserEnabled: (_, user_id) => say(UserEnabled, { user_id }),
  UserJoinedGroup: ({ group }, user_id) => say(UserJoinedGroup, { user_id, group }),
  UserLeftGroup: ({ group }, user_id) => say(UserLeftGroup, { user_id, group }),
  ExternalIdSet: (_, user_id) => say(UserExternalIdSet, { user_id }),
  UserErased: (_, user_id) => say(UserErased, { user_id }),
  PasswordChanged: ({ because }, user_id) => say(PasswordChanged, { user_id, because }),
  PasswordResetOffered: (_, user_id) => say(PasswordResetOffered, { user_id }),
  IdentityLinked: ({ provider }, user_id) => say(IdentityLinked, { user_id, provider }),
  SignInFailed: ({ userId }) => say(SignInFailed, { user_id: userId }),
  SessionStarted: ({ userId }, session_id) => say(SignedIn, { user_id: userId, session_id }),
  SessionEnded: ({ userId, reason }, session_id) => say(SessionEnded, { user_id: userId, session_id, reason }),
  GroupCreated: ({ name }) => say(GroupCreated, { group: name }),
  GroupDeleted: ({ name }) => say(GroupDeleted, { group: name }),
  ScimTokenMade: (_, token_id) => say(ScimTokenCreated, { token_id }),
  ScimTokenRevoked: (_, token_id) => say(ScimTokenRevoked, { token_id }),
  SigningKeyMade: ({ key }) => say(SigningKeyMade, { kid: key.kid }),
});
