// The expected audit entry of each event. A deliberate second copy of the table in analytics, so that the check is independent of it.
import { idOf } from '../evidence.mjs';

const ofUser = (action) => (_, stream) => ({ action, resource: 'user', what: idOf(stream) });
const ofBot = (action) => (_, stream) => ({ action, resource: 'bot', what: idOf(stream) });
const ofUpload = (action) => (_, stream) => ({ action, resource: 'bot', what: stream.slice(stream.indexOf('.') + 1) });
const ofGroup =
  (action) =>
  ({ name }) => ({ action, resource: 'group', what: name });
const ofScimToken = (action) => (_, stream) => ({ action, resource: 'scim_token', what: idOf(stream) });

const ofInvitation =
  (action) =>
  ({ invitationId }) => ({ action, resource: 'invitation', what: invitationId });

const auditActions = {
  UserRegistered: ofUser('register_user'),
  UserRenamed: ofUser('rename_user'),
  UserEmailChanged: ofUser('change_email'),
  EmailVerified: ofUser('verify_email'),
  EmailConfirmed: (_, stream) => ({ action: 'confirm_email', resource: 'user', what: idOf(stream), who: idOf(stream) }),
  UserDisabled: ofUser('disable_user'),
  UserEnabled: ofUser('enable_user'),
  UserJoinedGroup: ofUser('join_group'),
  UnverifiedUserConfirmed: ofUser('confirm_unverified_user'),
  UserLeftGroup: ofUser('leave_group'),
  ExternalIdSet: ofUser('set_external_id'),
  UserErased: ofUser('erase_user'),
  PasswordChanged: ofUser('change_password'),
  PasswordResetOffered: ofUser('offer_password_reset'),
  TotpAdded: ofUser('add_second_factor'),
  PasskeyAdded: ofUser('add_second_factor'),
  FactorRemoved: ofUser('remove_second_factor'),
  FactorsReset: ofUser('reset_second_factors'),
  RecoveryCodesMade: ofUser('make_recovery_codes'),
  SecondFactorFailed: (_, stream) => ({
    action: 'prove_second_factor',
    resource: 'user',
    what: idOf(stream),
    who: idOf(stream),
    success: false,
  }),
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
  PersonalTokenMade: ({ tokenId }) => ({ action: 'create_token', resource: 'token', what: tokenId }),
  PersonalTokenRevoked: ({ tokenId }) => ({ action: 'revoke_token', resource: 'token', what: tokenId }),
  InvitationMade: ofInvitation('invite_user'),
  InvitationAccepted: ofInvitation('accept_invitation'),
  InvitationEnded: ofInvitation('end_invitation'),
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
  ConversationShared: ({ conversationId }) => ({ action: 'share_conversation', resource: 'conversation', what: conversationId }),
  ShareRevoked: ({ shareId }) => ({ action: 'revoke_share', resource: 'share', what: shareId }),
  OwnExportRequested: ofUser('request_own_export'),
  OwnExportCompleted: ofUser('complete_own_export'),
  HoldPlaced: (_, stream) => ({ action: 'place_hold', resource: 'hold', what: idOf(stream) }),
  HoldEnded: (_, stream) => ({ action: 'end_hold', resource: 'hold', what: idOf(stream) }),
  RetentionRuleCreated: ({ ruleId }) => ({ action: 'create_retention_rule', resource: 'retention_rule', what: ruleId }),
  RetentionRuleChanged: ({ ruleId }) => ({ action: 'change_retention_rule', resource: 'retention_rule', what: ruleId }),
  RetentionRuleRemoved: ({ ruleId }) => ({ action: 'remove_retention_rule', resource: 'retention_rule', what: ruleId }),
  MessageFilesExpired: ({ messageId }) => ({ action: 'expire_files', resource: 'message', what: messageId }),
  ExportExpired: (_, stream) => ({ action: 'expire_export', resource: 'export', what: idOf(stream) }),
  ConfigurationChanged: () => ({ action: 'change_configuration', resource: 'configuration', what: '' }),
  DataViewed: ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '' }),
  ActionRefused: ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '', success: false }),
};

/** The fields of the entry for this event, in the order of the check; undefined if the event has no entry. */
export function dueEntry(event, { stream, metadata }) {
  const auditAction = auditActions[event.type]?.(event, stream);
  if (!auditAction) return undefined;
  const { at, actor, ip, userAgent } = metadata;
  const { action, resource, what, success = true, who = actor ?? (ip === null ? 'system' : 'anonymous') } = auditAction;
  return [who, action, resource, what, Math.floor(at / 1000), ip, userAgent, success];
}
