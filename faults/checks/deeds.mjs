// The expected audit entry of each event. A deliberate second copy of the table in analytics, so that the check is independent of it.
import { idOf } from '../evidence.mjs';

const ofUser = (action) => (_, stream) => ({ action, resource: 'user', what: idOf(stream) });
const ofBot = (action) => (_, stream) => ({ action, resource: 'bot', what: idOf(stream) });
const ofUpload = (action) => (_, stream) => ({ action, resource: 'bot', what: stream.slice(stream.indexOf('.') + 1) });
const ofGroup =
  (action) =>
  ({ name }) => ({ action, resource: 'group', what: name });
const ofScimToken = (action) => (_, stream) => ({ action, resource: 'scim_token', what: idOf(stream) });

const deeds = {
  UserRegistered: ofUser('register_user'),
  UserRenamed: ofUser('rename_user'),
  UserEmailChanged: ofUser('change_email'),
  EmailVerified: ofUser('verify_email'),
  UserDisabled: ofUser('disable_user'),
  UserEnabled: ofUser('enable_user'),
  UserJoinedGroup: ofUser('join_group'),
  UnverifiedUserConfirmed: ofUser('confirm_unverified_user'),
  UserLeftGroup: ofUser('leave_group'),
  ExternalIdSet: ofUser('set_external_id'),
  UserErased: ofUser('erase_user'),
  PasswordChanged: ofUser('change_password'),
  PasswordResetOffered: ofUser('offer_password_reset'),
  IdentityLinked: ofUser('link_identity'),
  SessionStarted: ({ userId }) => ({ action: 'sign_in', resource: 'user', what: userId, who: userId }),
  SignInFailed: ({ userId }) => ({
    action: 'sign_in',
    resource: 'user',
    what: userId ?? '',
    ...(userId !== null && { who: userId }),
    success: false,
  }),
  SessionEnded: ({ userId }) => ({ action: 'end_session', resource: 'user', what: userId }),
  GroupCreated: ofGroup('create_group'),
  GroupDeleted: ofGroup('delete_group'),
  ScimTokenMade: ofScimToken('create_scim_token'),
  ScimTokenRevoked: ofScimToken('revoke_scim_token'),
  SigningKeyMade: ({ key }) => ({ action: 'rotate_signing_key', resource: 'signing_key', what: key.kid }),
  BotCreated: ofBot('create_bot'),
  BotConfigured: ofBot('configure_bot'),
  BotRestored: ofBot('restore_bot'),
  BotWidened: ofBot('change_visibility'),
  BotNarrowed: ofBot('change_visibility'),
  BotEditorsChanged: ofBot('change_editors'),
  BotPinned: ofBot('pin'),
  BotUnpinned: ofBot('unpin'),
  BotDeleted: ofBot('delete_bot'),
  BotDeletedWithOwner: ofBot('delete_bot'),
  SyncRequested: ofBot('sync_knowledge'),
  SyncScheduled: ofBot('sync_knowledge'),
  SyncStarted: ofBot('start_sync'),
  SyncAbandoned: ofBot('abandon_sync'),
  SyncSucceeded: ofBot('complete_sync'),
  SyncFailed: (event, stream) => ({ ...ofBot('complete_sync')(event, stream), success: false }),
  KnowledgeRemoved: ofBot('remove_knowledge'),
  UploadGranted: ofUpload('upload_file'),
  FileRemoved: ofUpload('remove_file'),
  FilesRemoved: ofUpload('remove_files'),
  DataViewed: ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '' }),
  ActionRefused: ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '', success: false }),
};

/** The fields of the entry for this event, in the order of the check; nothing if the event has no entry. */
export function dueEntry(event, { stream, metadata }) {
  const deed = deeds[event.type]?.(event, stream);
  if (!deed) return undefined;
  const { at, actor, ip, userAgent } = metadata;
  const { action, resource, what, success = true, who = actor ?? (ip === null ? 'system' : 'anonymous') } = deed;
  return [who, action, resource, what, Math.floor(at / 1000), ip, userAgent, success];
}
