import { actionRefused } from './action-refused.ts';
import * as analytics from './analytics.ts';
import * as bots from './bots/bots.ts';
import * as knowledge from './bots/knowledge.ts';
import * as prompts from './bots/prompts.ts';
import { dataViewed } from './data-viewed.ts';
import * as credentials from './identity/credentials.ts';
import * as holds from './identity/holds.ts';
import * as users from './identity/users.ts';
import * as calls from './inference/calls.ts';
import * as conversations from './inference/conversations.ts';
import * as imports from './inference/imports.ts';
import * as ownExports from './inference/own-exports.ts';
import * as approvals from './inference/approvals.ts';
import * as projects from './inference/projects.ts';
import * as prices from './inference/prices.ts';
import * as replies from './inference/replies.ts';
import * as catalogue from './inference/catalogue.ts';
import * as retentionRules from './inference/retention-rules.ts';
import * as shares from './inference/shares.ts';
import * as toolConnections from './inference/tool-connections.ts';
import type { PublicEvent } from './public-event.ts';
import * as publication from './publication.ts';

export { apiIdOf } from './api-id.ts';
export { isOfSessions, tokenIdOfSessions } from './session-calls.ts';
export { type ActionRefused, actionRefused } from './action-refused.ts';
export {
  BudgetNearlyReached,
  BudgetReached,
  BudgetRemoved,
  BudgetSet,
  CallBudgetNearlyReached,
  CallBudgetReached,
  CallBudgetSet,
  ConfigurationChanged,
  DeadLettersRedriveRequested,
  ExportExpired,
  ExportWritten,
  WebhookChanged,
  WebhookCreated,
  WebhookDeliveryRetried,
  WebhookDisabled,
  WebhookRemoved,
  WebhookReplayRequested,
  WebhookSecretRotated,
} from './analytics.ts';
export { asyncApiDocument } from './async-api.ts';
export type { AuditAction } from './audit-action.ts';
export { type DataViewed, dataViewed } from './data-viewed.ts';
export { characters, firstMonthKept, LONGEST_CACHE_SECONDS, LONGEST_GROUP_NAME } from './limits.ts';
export {
  PasswordChanged,
  PasswordResetOffered,
  PersonalTokenCreated,
  PersonalTokenRevoked,
  PersonalTokenTermsChanged,
  RecoveryCodesMade,
  ScimTokenCreated,
  ScimTokenRevoked,
  SecondFactorAdded,
  SecondFactorFailed,
  SecondFactorRemoved,
  SecondFactorsReset,
  SessionEnded,
  SignInFailed,
  SigningKeyMade,
  UserSignedIn,
} from './identity/credentials.ts';
export { HoldEnded, HoldPlaced } from './identity/holds.ts';
export {
  GroupCreated,
  GroupDeleted,
  IdentityLinked,
  InvitationAccepted,
  InvitationCreated,
  InvitationEnded,
  UnverifiedUserConfirmed,
  UserDisabled,
  UserEmailChanged,
  UserEmailConfirmed,
  UserEmailVerified,
  UserEnabled,
  UserErased,
  UserExternalIdSet,
  UserJoinedGroup,
  UserLeftGroup,
  UserRegistered,
  UserRenamed,
} from './identity/users.ts';
export { fullName, Person, profileFields } from './person.ts';
export type { DataOf, PublicEvent } from './public-event.ts';
export {
  BotConfigured,
  BotCreated,
  BotDeleted,
  BotEditorsChanged,
  BotNarrowed,
  BotPinned,
  BotRestored,
  BotUnpinned,
  BotWidened,
} from './bots/bots.ts';
export {
  EmbeddingUsed,
  FileRemoved,
  FileUploadGranted,
  FilesRemoved,
  KnowledgeRemoved,
  KnowledgeSyncAbandoned,
  KnowledgeSyncFailed,
  KnowledgeSyncRequested,
  KnowledgeSyncStarted,
  KnowledgeSyncSucceeded,
  RerankingUsed,
} from './bots/knowledge.ts';
export { PromptChanged, PromptCreated, PromptDeleted, PromptRestored, PromptSharingChanged } from './bots/prompts.ts';
export {
  ApiKeyChanged,
  ApiKeyCreated,
  ApiKeyRevoked,
  ApiUsageRecorded,
  PublicationChanged,
  PublicationFailed,
  PublicationRemoved,
  PublicationRequested,
  PublicationSucceeded,
} from './publication.ts';
export { ApprovalWanted } from './inference/approvals.ts';
export { CallCompleted } from './inference/calls.ts';
export { ConversationDeleted, FeedbackGiven, MessageFilesExpired } from './inference/conversations.ts';
export { ConversationImported, MessagesImported } from './inference/imports.ts';
export { OwnExportReady, OwnExportRequested } from './inference/own-exports.ts';
export { ProjectShared } from './inference/projects.ts';
export { ChargeCorrected, CostsRestated, ModelChecked, ModelPriceSet, RestatementRequested } from './inference/prices.ts';
export { KnowledgeCharged, MessageSubmitted, ReplyCompleted, ReplyFailed, ReplyRequested, TokensCharged } from './inference/replies.ts';
export { ModelChanged, ModelProviderChanged, ModelRouteChanged } from './inference/catalogue.ts';
export { RetentionRuleChanged, RetentionRuleCreated, RetentionRuleRemoved } from './inference/retention-rules.ts';
export { ConversationShared, ShareRevoked } from './inference/shares.ts';
export { ToolConnected, ToolDisconnected } from './inference/tool-connections.ts';

const services = ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'] as const;

/** `action-refused.v1` of each service. */
export const refusals = services.map(actionRefused);

/** `data-viewed.v1` of each service. */
export const views = services.map(dataViewed);

const byName = (events: Readonly<Record<string, PublicEvent>>): PublicEvent[] =>
  Object.keys(events)
    .toSorted()
    .map((name) => events[name]!);

/** All public events, for documents and checks. */
export const publicEvents: readonly PublicEvent[] = [
  ...byName({ ...credentials, ...holds, ...users }),
  ...byName({ ...bots, ...knowledge, ...prompts }),
  ...Object.values(publication),
  replies.MessageSubmitted,
  replies.ReplyRequested,
  replies.ReplyCompleted,
  replies.ReplyFailed,
  replies.TokensCharged,
  replies.KnowledgeCharged,
  calls.CallCompleted,
  conversations.FeedbackGiven,
  conversations.ConversationDeleted,
  conversations.MessageFilesExpired,
  imports.ConversationImported,
  imports.MessagesImported,
  prices.ModelChecked,
  prices.ModelPriceSet,
  prices.RestatementRequested,
  prices.CostsRestated,
  prices.ChargeCorrected,
  toolConnections.ToolConnected,
  toolConnections.ToolDisconnected,
  shares.ConversationShared,
  shares.ShareRevoked,
  ownExports.OwnExportRequested,
  ownExports.OwnExportReady,
  projects.ProjectShared,
  approvals.ApprovalWanted,
  catalogue.ModelProviderChanged,
  catalogue.ModelChanged,
  catalogue.ModelRouteChanged,
  retentionRules.RetentionRuleCreated,
  retentionRules.RetentionRuleChanged,
  retentionRules.RetentionRuleRemoved,
  ...Object.values(analytics),
  ...refusals,
  ...views,
];
