import { actionRefused } from './action-refused.ts';
import * as analytics from './analytics.ts';
import * as bots from './bots/bots.ts';
import * as knowledge from './bots/knowledge.ts';
import { dataViewed } from './data-viewed.ts';
import * as credentials from './identity/credentials.ts';
import * as holds from './identity/holds.ts';
import * as users from './identity/users.ts';
import { ConversationDeleted, FeedbackGiven, MessageFilesExpired } from './inference/conversations.ts';
import { ConversationImported, MessagesImported } from './inference/imports.ts';
import { OwnExportReady, OwnExportRequested } from './inference/own-exports.ts';
import { ChargeCorrected, CostsRestated, ModelChecked, ModelPriceSet, RestatementRequested } from './inference/prices.ts';
import { KnowledgeCharged, MessageSubmitted, ReplyCompleted, ReplyFailed, ReplyRequested, TokensCharged } from './inference/replies.ts';
import { RetentionRuleChanged, RetentionRuleCreated, RetentionRuleRemoved } from './inference/retention-rules.ts';
import { ConversationShared, ShareRevoked } from './inference/shares.ts';
import { ToolConnected, ToolDisconnected } from './inference/tool-connections.ts';
import type { PublicEvent } from './public-event.ts';
import * as publication from './publication.ts';

export { apiIdOf } from './api-id.ts';
export { type ActionRefused, actionRefused } from './action-refused.ts';
export {
  BudgetNearlyReached,
  BudgetReached,
  BudgetRemoved,
  BudgetSet,
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
export { characters, firstMonthKept, LONGEST_GROUP_NAME } from './limits.ts';
export {
  PasswordChanged,
  PasswordResetOffered,
  PersonalTokenCreated,
  PersonalTokenRevoked,
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
export { Person, profileFields } from './person.ts';
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
export { MOST_CORRECTIONS } from './inference/prices.ts';
export {
  ChargeCorrected,
  ConversationDeleted,
  CostsRestated,
  ConversationImported,
  FeedbackGiven,
  KnowledgeCharged,
  MessageFilesExpired,
  MessagesImported,
  MessageSubmitted,
  ModelChecked,
  ModelPriceSet,
  ReplyCompleted,
  ReplyFailed,
  ReplyRequested,
  RestatementRequested,
  TokensCharged,
};
export { ConversationShared, ShareRevoked };
export { OwnExportReady, OwnExportRequested };
export { RetentionRuleChanged, RetentionRuleCreated, RetentionRuleRemoved };
export { ToolConnected, ToolDisconnected };

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
  ...byName({ ...bots, ...knowledge }),
  ...Object.values(publication),
  MessageSubmitted,
  ReplyRequested,
  ReplyCompleted,
  ReplyFailed,
  TokensCharged,
  KnowledgeCharged,
  FeedbackGiven,
  ConversationDeleted,
  MessageFilesExpired,
  ConversationImported,
  MessagesImported,
  ModelChecked,
  ModelPriceSet,
  RestatementRequested,
  CostsRestated,
  ChargeCorrected,
  ToolConnected,
  ToolDisconnected,
  ConversationShared,
  ShareRevoked,
  OwnExportRequested,
  OwnExportReady,
  RetentionRuleCreated,
  RetentionRuleChanged,
  RetentionRuleRemoved,
  ...Object.values(analytics),
  ...refusals,
  ...views,
];
