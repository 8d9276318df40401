import {
  type ActionRefused,
  ApiKeyChanged,
  ApiKeyCreated,
  ApiKeyRevoked,
  BotConfigured,
  BotCreated,
  BotDeleted,
  BotEditorsChanged,
  BotNarrowed,
  BotPinned,
  BotRestored,
  BotUnpinned,
  BotWidened,
  BudgetRemoved,
  BudgetSet,
  type DataOf,
  type DataViewed,
  DeadLettersRedriveRequested,
  FileRemoved,
  FilesRemoved,
  FileUploadGranted,
  GroupCreated,
  GroupDeleted,
  IdentityLinked,
  KnowledgeRemoved,
  KnowledgeSyncAbandoned,
  KnowledgeSyncFailed,
  KnowledgeSyncRequested,
  KnowledgeSyncStarted,
  KnowledgeSyncSucceeded,
  ModelPriceSet,
  PasswordChanged,
  PasswordResetOffered,
  PublicationChanged,
  PublicationFailed,
  PublicationRemoved,
  PublicationRequested,
  PublicationSucceeded,
  type PublicEvent,
  refusals,
  RestatementRequested,
  ScimTokenCreated,
  ScimTokenRevoked,
  SessionEnded,
  UserSignedIn,
  SigningKeyMade,
  SignInFailed,
  ToolConnected,
  ToolDisconnected,
  UserDisabled,
  UserEmailChanged,
  UserEmailVerified,
  UserEnabled,
  UserErased,
  UserExternalIdSet,
  UnverifiedUserConfirmed,
  UserJoinedGroup,
  UserLeftGroup,
  UserRegistered,
  UserRenamed,
  views,
  WebhookChanged,
  WebhookCreated,
  WebhookDeliveryRetried,
  WebhookDisabled,
  WebhookRemoved,
  WebhookReplayRequested,
  WebhookSecretRotated,
} from '@parlance/contracts';

const WHY_FAILED = {
  sources: 'Sources could not be read.',
  deadline: 'The run did not end in time.',
  fault: 'A fault of the installation or of its embedding model ended the run.',
} as const;

/** An action as the audit log records it. It has IDs only, because an entry is kept after its user is erased. */
export interface Deed {
  readonly action: string;
  readonly resource: string;
  /** Empty if the action concerns nothing with an ID. */
  readonly id: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The acting user, if the caller was not yet known. */
  readonly by?: string;
  /** The reason of a refusal. */
  readonly error?: string;
}

const user = (action: string, id: string, more: Partial<Deed> = {}): Deed => ({ action, resource: 'user', id, ...more });

const bot = (action: string, id: string, details?: Deed['details'], error?: string): Deed => ({
  action,
  resource: 'bot',
  id,
  ...(details && { details }),
  ...(error !== undefined && { error }),
});

const tools = (action: string, server: string, details: Deed['details']): Deed => ({
  action,
  resource: 'tool_server',
  id: server,
  ...(details && { details }),
});

const webhook = (action: string, id: string, details?: Deed['details']): Deed => ({
  action,
  resource: 'webhook',
  id,
  ...(details && { details }),
});

const refused = ({ action, resource_type, resource_id, code, message }: ActionRefused): Deed => ({
  action,
  resource: resource_type,
  id: resource_id ?? '',
  details: { code },
  error: message,
});

const viewed = ({ action, resource_type, resource_id }: DataViewed): Deed => ({ action, resource: resource_type, id: resource_id ?? '' });

/** The audit entry of every public event that records an action of a user or of the system. */
export const deeds: ReadonlyMap<string, (data: never) => Deed> = new Map([
  on(UserRegistered, ({ user_id, groups }) => user('register_user', user_id, { details: { groups } })),
  on(UserRenamed, ({ user_id }) => user('rename_user', user_id)),
  on(UserEmailChanged, ({ user_id }) => user('change_email', user_id)),
  on(UserEmailVerified, ({ user_id, by }) => user('verify_email', user_id, { details: { by } })),
  on(UserDisabled, ({ user_id }) => user('disable_user', user_id)),
  on(UserEnabled, ({ user_id }) => user('enable_user', user_id)),
  on(UserJoinedGroup, ({ user_id, group }) => user('join_group', user_id, { details: { group } })),
  on(UnverifiedUserConfirmed, ({ user_id, group }) =>
    user('confirm_unverified_user', user_id, { details: { group, confirm_unverified: true } }),
  ),
  on(UserLeftGroup, ({ user_id, group }) => user('leave_group', user_id, { details: { group } })),
  on(UserExternalIdSet, ({ user_id }) => user('set_external_id', user_id)),
  on(UserErased, ({ user_id }) => user('erase_user', user_id)),
  on(PasswordChanged, ({ user_id, because }) => user('change_password', user_id, { details: { because } })),
  on(PasswordResetOffered, ({ user_id }) => user('offer_password_reset', user_id)),
  on(IdentityLinked, ({ user_id, provider }) => user('link_identity', user_id, { details: { provider } })),
  on(UserSignedIn, ({ user_id }) => user('sign_in', user_id, { by: user_id })),
  // In the name that was given. The caller has not proved to be this user, but the entry is looked for among the user's.
  on(SignInFailed, ({ user_id }) =>
    user('sign_in', user_id ?? '', { ...(user_id !== null && { by: user_id }), error: 'The address or the password was wrong.' }),
  ),
  on(SessionEnded, ({ user_id, session_id, reason }) => user('end_session', user_id, { details: { session_id, reason } })),
  on(GroupCreated, ({ group }) => ({ action: 'create_group', resource: 'group', id: group })),
  on(GroupDeleted, ({ group }) => ({ action: 'delete_group', resource: 'group', id: group })),
  on(ScimTokenCreated, ({ token_id }) => ({ action: 'create_scim_token', resource: 'scim_token', id: token_id })),
  on(ScimTokenRevoked, ({ token_id }) => ({ action: 'revoke_scim_token', resource: 'scim_token', id: token_id })),
  on(SigningKeyMade, ({ kid }) => ({ action: 'rotate_signing_key', resource: 'signing_key', id: kid })),
  on(BotCreated, ({ bot_id }) => bot('create_bot', bot_id)),
  on(BotConfigured, ({ bot_id, changed }) => bot('configure_bot', bot_id, { changed })),
  on(BotRestored, ({ bot_id, version }) => bot('restore_bot', bot_id, { version })),
  on(BotWidened, ({ bot_id, ...sharing }) => bot('change_visibility', bot_id, sharing)),
  on(BotNarrowed, ({ bot_id, ...sharing }) => bot('change_visibility', bot_id, sharing)),
  on(BotEditorsChanged, ({ bot_id, ...editors }) => bot('change_editors', bot_id, editors)),
  on(BotPinned, ({ bot_id, status, order }) => bot('pin', bot_id, { shared_status: status, order })),
  on(BotUnpinned, ({ bot_id, status, order }) => bot('unpin', bot_id, { shared_status: status, order })),
  on(BotDeleted, ({ bot_id }) => bot('delete_bot', bot_id)),
  on(KnowledgeSyncRequested, ({ bot_id, because }) => bot('sync_knowledge', bot_id, { because })),
  on(KnowledgeSyncStarted, ({ bot_id, ...run }) => bot('start_sync', bot_id, run)),
  on(KnowledgeSyncAbandoned, ({ bot_id, ...run }) => bot('abandon_sync', bot_id, run)),
  on(KnowledgeSyncSucceeded, ({ bot_id, ...run }) => bot('complete_sync', bot_id, run)),
  on(KnowledgeSyncFailed, ({ bot_id, ...run }) => bot('complete_sync', bot_id, run, WHY_FAILED[run.because])),
  on(KnowledgeRemoved, ({ bot_id, ...removed }) => bot('remove_knowledge', bot_id, removed)),
  on(FileUploadGranted, ({ bot_id, file_id }) => bot('upload_file', bot_id, { file_id })),
  on(FilesRemoved, ({ bot_id, files }) => bot('remove_files', bot_id, { files })),
  on(FileRemoved, ({ bot_id, file_id }) => bot('remove_file', bot_id, { file_id })),
  on(PublicationRequested, ({ bot_id, ...facts }) => bot('publish_bot', bot_id, facts)),
  on(PublicationSucceeded, ({ bot_id, ...facts }) => bot('complete_publication', bot_id, facts)),
  on(PublicationFailed, ({ bot_id, reason, ...facts }) => bot('complete_publication', bot_id, facts, reason)),
  on(PublicationChanged, ({ bot_id, changed }) => bot('change_publication', bot_id, { changed })),
  on(PublicationRemoved, ({ bot_id, ...facts }) => bot('unpublish_bot', bot_id, facts)),
  on(ApiKeyCreated, ({ bot_id, ...facts }) => bot('create_api_key', bot_id, facts)),
  on(ApiKeyChanged, ({ bot_id, ...facts }) => bot('change_api_key', bot_id, facts)),
  on(ApiKeyRevoked, ({ bot_id, ...facts }) => bot('revoke_api_key', bot_id, facts)),
  on(ModelPriceSet, ({ model, ...price }) => ({ action: 'set_model_price', resource: 'model', id: model, details: price })),
  on(RestatementRequested, ({ restatement_id, ...terms }) => ({
    action: 'restate_costs',
    resource: 'costs',
    id: restatement_id,
    details: terms,
  })),
  on(ToolConnected, ({ user_id, server }) => tools('connect_tool_server', server, { user_id })),
  on(ToolDisconnected, ({ server, ...ended }) => tools('disconnect_tool_server', server, ended)),
  on(BudgetSet, ({ budget_id, ...terms }) => ({ action: 'set_budget', resource: 'budget', id: budget_id, details: terms })),
  on(BudgetRemoved, ({ budget_id }) => ({ action: 'remove_budget', resource: 'budget', id: budget_id })),
  on(WebhookCreated, ({ webhook_id, ...terms }) => webhook('create_webhook', webhook_id, terms)),
  on(WebhookChanged, ({ webhook_id, changed }) => webhook('change_webhook', webhook_id, { changed })),
  on(WebhookSecretRotated, ({ webhook_id, ...validity }) => webhook('rotate_webhook_secret', webhook_id, validity)),
  on(WebhookDisabled, ({ webhook_id }) => webhook('disable_webhook', webhook_id, { because: 'gone' })),
  on(WebhookReplayRequested, ({ webhook_id, from }) => webhook('replay_webhook', webhook_id, { from })),
  on(WebhookDeliveryRetried, ({ webhook_id, event_id }) => webhook('retry_webhook_delivery', webhook_id, { event_id })),
  on(WebhookRemoved, ({ webhook_id }) => webhook('remove_webhook', webhook_id)),
  on(DeadLettersRedriveRequested, ({ dead_letter_service, dead_letter_ids }) => ({
    action: 'redrive_dead_letters',
    resource: 'service',
    id: dead_letter_service,
    details: { dead_letter_ids },
  })),
  ...refusals.map((event) => on(event, refused)),
  ...views.map((event) => on(event, viewed)),
]);

function on<E extends PublicEvent>(event: E, deed: (data: DataOf<E>) => Deed): [string, (data: never) => Deed] {
  return [event.type, deed];
}
