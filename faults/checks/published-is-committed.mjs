// I3: exactly the committed events are public, with the same ID, in the order of each stream. Independent of the services' own maps, so that an event
// that is missing there is found here.
import { idOf, services } from '../evidence.mjs';

const publicTypes = {
  identity: {
    UserRegistered: 'parlance.identity.user-registered.v1',
    UserRenamed: 'parlance.identity.user-renamed.v1',
    UserEmailChanged: 'parlance.identity.user-email-changed.v1',
    EmailVerified: 'parlance.identity.user-email-verified.v1',
    EmailConfirmed: 'parlance.identity.user-email-confirmed.v1',
    UserDisabled: 'parlance.identity.user-disabled.v1',
    UserEnabled: 'parlance.identity.user-enabled.v1',
    UserJoinedGroup: 'parlance.identity.user-joined-group.v1',
    UnverifiedUserConfirmed: 'parlance.identity.unverified-user-confirmed.v1',
    UserLeftGroup: 'parlance.identity.user-left-group.v1',
    ExternalIdSet: 'parlance.identity.user-external-id-set.v1',
    UserErased: 'parlance.identity.user-erased.v1',
    PasswordChanged: 'parlance.identity.password-changed.v1',
    PasswordResetOffered: 'parlance.identity.password-reset-offered.v1',
    IdentityLinked: 'parlance.identity.identity-linked.v1',
    TotpAdded: 'parlance.identity.second-factor-added.v1',
    PasskeyAdded: 'parlance.identity.second-factor-added.v1',
    FactorRemoved: 'parlance.identity.second-factor-removed.v1',
    FactorsReset: 'parlance.identity.second-factors-reset.v1',
    RecoveryCodesMade: 'parlance.identity.recovery-codes-made.v1',
    SecondFactorFailed: 'parlance.identity.second-factor-failed.v1',
    SignInFailed: 'parlance.identity.sign-in-failed.v1',
    SessionStarted: 'parlance.identity.signed-in.v1',
    SessionEnded: 'parlance.identity.session-ended.v1',
    GroupCreated: 'parlance.identity.group-created.v1',
    GroupDeleted: 'parlance.identity.group-deleted.v1',
    PersonalTokenMade: 'parlance.identity.personal-token-created.v1',
    PersonalTokenRevoked: 'parlance.identity.personal-token-revoked.v1',
    InvitationMade: 'parlance.identity.invitation-created.v1',
    InvitationAccepted: 'parlance.identity.invitation-accepted.v1',
    InvitationEnded: 'parlance.identity.invitation-ended.v1',
    HoldPlaced: 'parlance.identity.hold-placed.v1',
    HoldEnded: 'parlance.identity.hold-ended.v1',
    ScimTokenMade: 'parlance.identity.scim-token-created.v1',
    ScimTokenRevoked: 'parlance.identity.scim-token-revoked.v1',
    SigningKeyMade: 'parlance.identity.signing-key-made.v1',
  },
  bots: {
    BotCreated: 'parlance.bots.bot-created.v1',
    BotConfigured: 'parlance.bots.bot-configured.v1',
    BotRestored: 'parlance.bots.bot-restored.v1',
    BotWidened: 'parlance.bots.bot-widened.v1',
    BotNarrowed: 'parlance.bots.bot-narrowed.v1',
    BotEditorsChanged: 'parlance.bots.bot-editors-changed.v1',
    BotPinned: 'parlance.bots.bot-pinned.v1',
    BotUnpinned: 'parlance.bots.bot-unpinned.v1',
    BotDeleted: 'parlance.bots.bot-deleted.v1',
    BotDeletedWithOwner: 'parlance.bots.bot-deleted.v1',
    SyncRequested: 'parlance.bots.knowledge-sync-requested.v1',
    SyncScheduled: 'parlance.bots.knowledge-sync-requested.v1',
    SyncStarted: 'parlance.bots.knowledge-sync-started.v1',
    SyncAbandoned: 'parlance.bots.knowledge-sync-abandoned.v1',
    SyncSucceeded: 'parlance.bots.knowledge-sync-succeeded.v1',
    SyncFailed: 'parlance.bots.knowledge-sync-failed.v1',
    KnowledgeRemoved: 'parlance.bots.knowledge-removed.v1',
    UploadGranted: 'parlance.bots.file-upload-granted.v1',
    FileRemoved: 'parlance.bots.file-removed.v1',
    FilesRemoved: 'parlance.bots.files-removed.v1',
    EmbeddingUsed: 'parlance.bots.embedding-used.v1',
    RerankingUsed: 'parlance.bots.reranking-used.v1',
  },
  publication: {
    DeploymentStarted: 'parlance.publication.publication-requested.v1',
    PublicationSucceeded: 'parlance.publication.publication-succeeded.v1',
    PublicationFailed: 'parlance.publication.publication-failed.v1',
    PublicationChanged: 'parlance.publication.publication-changed.v1',
    PublicationRemoved: 'parlance.publication.publication-removed.v1',
    ApiKeyCreated: 'parlance.publication.api-key-created.v1',
    ApiKeyChanged: 'parlance.publication.api-key-changed.v1',
    ApiKeyRevoked: 'parlance.publication.api-key-revoked.v1',
    ApiUsageRecorded: 'parlance.publication.api-usage-recorded.v1',
  },
  inference: {
    MessageSubmitted: 'parlance.inference.message-submitted.v1',
    ReplyCompleted: 'parlance.inference.reply-completed.v1',
    ReplyRequested: 'parlance.inference.reply-requested.v1',
    ReplyFailed: 'parlance.inference.reply-failed.v1',
    TokensCharged: 'parlance.inference.tokens-charged.v1',
    KnowledgeCharged: 'parlance.inference.knowledge-charged.v1',
    ConversationErasureBegun: 'parlance.inference.conversation-deleted.v1',
    ConversationImported: 'parlance.inference.conversation-imported.v1',
    MessagesImported: 'parlance.inference.messages-imported.v1',
    UseImported: 'parlance.inference.conversation-imported.v1',
    FeedbackGiven: 'parlance.inference.feedback-given.v1',
    ModelChecked: 'parlance.inference.model-checked.v1',
    ModelPriceSet: 'parlance.inference.model-price-set.v1',
    RestatementRequested: 'parlance.inference.restatement-requested.v1',
    CostsRestated: 'parlance.inference.costs-restated.v1',
    ChargeCorrected: 'parlance.inference.charge-corrected.v1',
    ToolConnected: 'parlance.inference.tool-connected.v1',
    ToolConnectionLost: 'parlance.inference.tool-disconnected.v1',
    ToolDisconnected: 'parlance.inference.tool-disconnected.v1',
    ConversationShared: 'parlance.inference.conversation-shared.v1',
    ShareRevoked: 'parlance.inference.share-revoked.v1',
    OwnExportRequested: 'parlance.inference.own-export-requested.v1',
    OwnExportCompleted: 'parlance.inference.own-export-ready.v1',
    MessageFilesExpired: 'parlance.inference.message-files-expired.v1',
    RetentionRuleCreated: 'parlance.inference.retention-rule-created.v1',
    RetentionRuleChanged: 'parlance.inference.retention-rule-changed.v1',
    RetentionRuleRemoved: 'parlance.inference.retention-rule-removed.v1',
  },
  analytics: {
    BudgetSet: 'parlance.analytics.budget-set.v1',
    BudgetRemoved: 'parlance.analytics.budget-removed.v1',
    WebhookCreated: 'parlance.analytics.webhook-created.v1',
    WebhookChanged: 'parlance.analytics.webhook-changed.v1',
    WebhookSecretRotated: 'parlance.analytics.webhook-secret-rotated.v1',
    WebhookDisabledAsGone: 'parlance.analytics.webhook-disabled.v1',
    WebhookReplayRequested: 'parlance.analytics.webhook-replay-requested.v1',
    WebhookDeliveryRetryRequested: 'parlance.analytics.webhook-delivery-retried.v1',
    WebhookRemoved: 'parlance.analytics.webhook-removed.v1',
    BudgetNearlyReached: 'parlance.analytics.budget-nearly-reached.v1',
    BudgetReached: 'parlance.analytics.budget-reached.v1',
    ExportWritten: 'parlance.analytics.export-written.v1',
    ExportExpired: 'parlance.analytics.export-expired.v1',
    ConfigurationChanged: 'parlance.analytics.configuration-changed.v1',
    DeadLettersRedriveRequested: 'parlance.analytics.dead-letters-redrive-requested.v1',
  },
};

/** The field with the ID of an event's subject, by the kind of its stream. */
const subjects = {
  bot: 'bot_id',
  knowledge: 'bot_id',
  publication: 'bot_id',
  keyuse: 'api_key_id',
  conversation: 'conversation_id',
  user: 'user_id',
  session: 'session_id',
  scim: 'token_id',
  tokens: 'user_id',
  modelprices: 'model',
  budget: 'budget_id',
  export: 'period',
  redrive: 'redrive_id',
  embedding: 'use_id',
  knowledgecharge: 'charge_id',
};

export function publishedIsCommitted({ evidence }) {
  const committed = committedIn(evidence);
  const problems = [];
  const seen = new Set();
  const lastOf = new Map();
  const partitionOf = new Map();
  for (const { topic, partition: number, offset, key, event } of evidence.published()) {
    const partition = `${topic}/${number}`;
    const place = `event ${event.id} (${event.type}) at ${partition}/${offset} of the broker`;
    const known = committed.get(event.id);
    if (!known) {
      problems.push(`${place} is in no log`);
      continue;
    }
    const { type, source, stream, sequence, subject } = known;
    const actual = [event.type, event.source, event.subject, key, event.sequence];
    if (actual.join() !== [type, source, stream, stream, sequence.join('.')].join()) problems.push(`${place} has ${actual.join()}`);
    if (subject && event.data[subject.field] !== subject.id) problems.push(`${place} is about ${event.data[subject.field]}`);
    if ((partitionOf.get(key) ?? partition) !== partition) problems.push(`${key} is in two partitions`);
    partitionOf.set(key, partition);
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const before = lastOf.get(stream) ?? [0, 0];
    if (sequence[0] < before[0] || (sequence[0] === before[0] && sequence[1] < before[1]))
      problems.push(`${place} comes after a later one`);
    lastOf.set(stream, sequence);
  }
  for (const [id, { type, stream }] of committed)
    if (!seen.has(id)) problems.push(`event ${id} (${type}) of ${stream} was never published`);
  return problems;
}

/** Events that every service publishes. */
const publishedByAll = { ActionRefused: 'action-refused', DataViewed: 'data-viewed' };

/** The expected publication of every public event. */
function committedIn(evidence) {
  const committed = new Map();
  for (const service of services) {
    for (const { id, index, event, commit } of evidence.events(service)) {
      const ofAll = publishedByAll[event.type];
      const type = ofAll ? `parlance.${service}.${ofAll}.v1` : publicTypes[service]?.[event.type];
      if (!type) continue;
      const { stream, position } = commit;
      const field = subjects[stream.slice(0, stream.indexOf('-'))];
      const subject = !ofAll && field && { field, id: idOf(stream) };
      committed.set(id, { type, source: `/${service}`, stream, sequence: [position, index], subject });
    }
  }
  return committed;
}
