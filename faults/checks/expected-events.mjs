// What each event of the logs causes: the public event, by its name, and its audit entry. A deliberate second copy of what the services declare, so
// that the checks are independent of it.
import { idOf } from '../evidence.mjs';

const ofUser = (action) => (_, stream) => ({ action, resource: 'user', what: idOf(stream) });
const ofBot = (action) => (_, stream) => ({ action, resource: 'bot', what: idOf(stream) });
const ofPrompt =
  (action) =>
  ({ promptId }) => ({ action, resource: 'prompt', what: promptId });
const ofUpload = (action) => (_, stream) => ({ action, resource: 'bot', what: stream.slice(stream.indexOf('.') + 1) });
const ofGroup =
  (action) =>
  ({ name }) => ({ action, resource: 'group', what: name });
const ofScimToken = (action) => (_, stream) => ({ action, resource: 'scim_token', what: idOf(stream) });

const ofInvitation =
  (action) =>
  ({ invitationId }) => ({ action, resource: 'invitation', what: invitationId });

/** Budgets of calls of models have scopes that version 1 does not know. */
export const versionOf = ({ scope }) => (scope === 'token' || scope === 'cost_centre' ? 2 : 1);

/** By service. */
export const expectedEvents = {
  identity: {
    UserRegistered: ['user-registered', ofUser('register_user')],
    UserRenamed: ['user-renamed', ofUser('rename_user')],
    UserEmailChanged: ['user-email-changed', ofUser('change_email')],
    EmailVerified: ['user-email-verified', ofUser('verify_email')],
    EmailConfirmed: [
      'user-email-confirmed',
      (_, stream) => ({ action: 'confirm_email', resource: 'user', what: idOf(stream), who: idOf(stream) }),
    ],
    UserDisabled: ['user-disabled', ofUser('disable_user')],
    UserEnabled: ['user-enabled', ofUser('enable_user')],
    UserJoinedGroup: ['user-joined-group', ofUser('join_group')],
    UnverifiedUserConfirmed: ['unverified-user-confirmed', ofUser('confirm_unverified_user')],
    UserLeftGroup: ['user-left-group', ofUser('leave_group')],
    ExternalIdSet: ['user-external-id-set', ofUser('set_external_id')],
    UserErased: ['user-erased', ofUser('erase_user')],
    PasswordChanged: ['password-changed', ofUser('change_password')],
    PasswordResetOffered: ['password-reset-offered', ofUser('offer_password_reset')],
    IdentityLinked: ['identity-linked', ofUser('link_identity')],
    TotpAdded: ['second-factor-added', ofUser('add_second_factor')],
    PasskeyAdded: ['second-factor-added', ofUser('add_second_factor')],
    FactorRemoved: ['second-factor-removed', ofUser('remove_second_factor')],
    FactorsReset: ['second-factors-reset', ofUser('reset_second_factors')],
    RecoveryCodesMade: ['recovery-codes-made', ofUser('make_recovery_codes')],
    SecondFactorFailed: [
      'second-factor-failed',
      (_, stream) => ({
        action: 'prove_second_factor',
        resource: 'user',
        what: idOf(stream),
        who: idOf(stream),
        success: false,
      }),
    ],
    SignInFailed: [
      'sign-in-failed',
      ({ userId }) => ({
        action: 'sign_in',
        resource: 'user',
        what: userId ?? '',
        ...(userId !== null && { who: userId }),
        success: false,
      }),
    ],
    SessionStarted: ['signed-in', ({ userId }) => ({ action: 'sign_in', resource: 'user', what: userId, who: userId })],
    SessionEnded: ['session-ended', ({ userId }) => ({ action: 'end_session', resource: 'user', what: userId })],
    GroupCreated: ['group-created', ofGroup('create_group')],
    GroupDeleted: ['group-deleted', ofGroup('delete_group')],
    PersonalTokenMade: ['personal-token-created', ({ tokenId }) => ({ action: 'create_token', resource: 'token', what: tokenId })],
    PersonalTokenTermsChanged: [
      'personal-token-terms-changed',
      ({ tokenId }) => ({ action: 'change_token', resource: 'token', what: tokenId }),
    ],
    PersonalTokenRevoked: ['personal-token-revoked', ({ tokenId }) => ({ action: 'revoke_token', resource: 'token', what: tokenId })],
    InvitationMade: ['invitation-created', ofInvitation('invite_user')],
    InvitationAccepted: ['invitation-accepted', ofInvitation('accept_invitation')],
    InvitationEnded: ['invitation-ended', ofInvitation('end_invitation')],
    HoldPlaced: ['hold-placed', (_, stream) => ({ action: 'place_hold', resource: 'hold', what: idOf(stream) })],
    HoldEnded: ['hold-ended', (_, stream) => ({ action: 'end_hold', resource: 'hold', what: idOf(stream) })],
    ScimTokenMade: ['scim-token-created', ofScimToken('create_scim_token')],
    ScimTokenRevoked: ['scim-token-revoked', ofScimToken('revoke_scim_token')],
    SigningKeyMade: ['signing-key-made', ({ key }) => ({ action: 'rotate_signing_key', resource: 'signing_key', what: key.kid })],
  },
  bots: {
    BotCreated: ['bot-created', ofBot('create_bot')],
    BotConfigured: ['bot-configured', ofBot('configure_bot')],
    BotRestored: ['bot-restored', ofBot('restore_bot')],
    BotWidened: ['bot-widened', ofBot('change_visibility')],
    BotNarrowed: ['bot-narrowed', ofBot('change_visibility')],
    BotEditorsChanged: ['bot-editors-changed', ofBot('change_editors')],
    BotPinned: ['bot-pinned', ofBot('pin')],
    BotUnpinned: ['bot-unpinned', ofBot('unpin')],
    BotDeleted: ['bot-deleted', ofBot('delete_bot')],
    BotDeletedWithOwner: ['bot-deleted', ofBot('delete_bot')],
    SyncRequested: ['knowledge-sync-requested', ofBot('sync_knowledge')],
    SyncScheduled: ['knowledge-sync-requested', ofBot('sync_knowledge')],
    SyncStarted: ['knowledge-sync-started', ofBot('start_sync')],
    SyncAbandoned: ['knowledge-sync-abandoned', ofBot('abandon_sync')],
    SyncSucceeded: ['knowledge-sync-succeeded', ofBot('complete_sync')],
    SyncFailed: ['knowledge-sync-failed', (event, stream) => ({ ...ofBot('complete_sync')(event, stream), success: false })],
    KnowledgeRemoved: ['knowledge-removed', ofBot('remove_knowledge')],
    UploadGranted: ['file-upload-granted', ofUpload('upload_file')],
    FileRemoved: ['file-removed', ofUpload('remove_file')],
    FilesRemoved: ['files-removed', ofUpload('remove_files')],
    EmbeddingUsed: ['embedding-used'],
    RerankingUsed: ['reranking-used'],
    PromptCreated: ['prompt-created', ofPrompt('create_prompt')],
    PromptChanged: ['prompt-changed', ofPrompt('change_prompt')],
    PromptRestored: ['prompt-restored', ofPrompt('restore_prompt')],
    PromptSharingChanged: ['prompt-sharing-changed', ofPrompt('share_prompt')],
    PromptDeleted: ['prompt-deleted', ofPrompt('delete_prompt')],
  },
  publication: {
    DeploymentStarted: ['publication-requested'],
    PublicationSucceeded: ['publication-succeeded'],
    PublicationFailed: ['publication-failed'],
    PublicationChanged: ['publication-changed'],
    PublicationRemoved: ['publication-removed'],
    ApiKeyCreated: ['api-key-created'],
    ApiKeyChanged: ['api-key-changed'],
    ApiKeyRevoked: ['api-key-revoked'],
    ApiUsageRecorded: ['api-usage-recorded'],
  },
  inference: {
    MessageSubmitted: ['message-submitted'],
    ReplyCompleted: ['reply-completed'],
    ReplyRequested: ['reply-requested'],
    ReplyFailed: ['reply-failed'],
    TokensCharged: ['tokens-charged'],
    KnowledgeCharged: ['knowledge-charged'],
    ConversationErasureBegun: ['conversation-deleted'],
    ConversationImported: ['conversation-imported'],
    MessagesImported: ['messages-imported'],
    UseImported: ['conversation-imported'],
    FeedbackGiven: ['feedback-given'],
    CallCompleted: ['call-completed'],
    ModelChecked: ['model-checked'],
    ModelPriceSet: ['model-price-set'],
    RestatementRequested: ['restatement-requested'],
    CostsRestated: ['costs-restated'],
    ChargeCorrected: ['charge-corrected'],
    ToolConnected: ['tool-connected'],
    ToolConnectionLost: ['tool-disconnected'],
    ToolDisconnected: ['tool-disconnected'],
    ConversationShared: [
      'conversation-shared',
      ({ conversationId }) => ({ action: 'share_conversation', resource: 'conversation', what: conversationId }),
    ],
    ShareRevoked: ['share-revoked', ({ shareId }) => ({ action: 'revoke_share', resource: 'share', what: shareId })],
    OwnExportRequested: ['own-export-requested', ofUser('request_own_export')],
    OwnExportCompleted: ['own-export-ready', ofUser('complete_own_export')],
    MessageFilesExpired: ['message-files-expired', ({ messageId }) => ({ action: 'expire_files', resource: 'message', what: messageId })],
    RetentionRuleCreated: [
      'retention-rule-created',
      ({ ruleId }) => ({ action: 'create_retention_rule', resource: 'retention_rule', what: ruleId }),
    ],
    RetentionRuleChanged: [
      'retention-rule-changed',
      ({ ruleId }) => ({ action: 'change_retention_rule', resource: 'retention_rule', what: ruleId }),
    ],
    RetentionRuleRemoved: [
      'retention-rule-removed',
      ({ ruleId }) => ({ action: 'remove_retention_rule', resource: 'retention_rule', what: ruleId }),
    ],
  },
  analytics: {
    BudgetSet: ['budget-set'],
    BudgetRemoved: ['budget-removed'],
    WebhookCreated: ['webhook-created'],
    WebhookChanged: ['webhook-changed'],
    WebhookSecretRotated: ['webhook-secret-rotated'],
    WebhookDisabledAsGone: ['webhook-disabled'],
    WebhookReplayRequested: ['webhook-replay-requested'],
    WebhookDeliveryRetryRequested: ['webhook-delivery-retried'],
    WebhookRemoved: ['webhook-removed'],
    BudgetNearlyReached: ['budget-nearly-reached'],
    BudgetReached: ['budget-reached'],
    ExportWritten: ['export-written'],
    ExportExpired: ['export-expired', (_, stream) => ({ action: 'expire_export', resource: 'export', what: idOf(stream) })],
    ConfigurationChanged: ['configuration-changed', () => ({ action: 'change_configuration', resource: 'configuration', what: '' })],
    DeadLettersRedriveRequested: ['dead-letters-redrive-requested'],
  },
};

/** Events that every service publishes. */
export const eventsOfAll = {
  ActionRefused: [
    'action-refused',
    ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '', success: false }),
  ],
  DataViewed: ['data-viewed', ({ action, resourceType, resourceId }) => ({ action, resource: resourceType, what: resourceId ?? '' })],
};
