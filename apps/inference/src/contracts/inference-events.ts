import {
  ApprovalWanted,
  CallCompleted,
  ChargeCorrected,
  ConversationDeleted,
  CostsRestated,
  ConversationImported,
  ConversationShared,
  FeedbackGiven,
  KnowledgeCharged,
  MessageFilesExpired,
  MessagesImported,
  MessageSubmitted,
  ModelChanged,
  ModelChecked,
  ModelPriceSet,
  ModelProviderChanged,
  ModelRouteChanged,
  OwnExportReady,
  OwnExportRequested,
  ProjectShared,
  ReplyCompleted,
  ReplyFailed,
  ReplyRequested,
  RestatementRequested,
  RetentionRuleChanged,
  RetentionRuleCreated,
  RetentionRuleRemoved,
  ShareRevoked,
  TokensCharged,
  ToolConnected,
  ToolDisconnected,
} from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import { publishing, say } from '@parlance/foundation';
import type { CallRecordEvent } from '../domain/calls/call-record.ts';
import type { ConversationEvent, Parties } from '../domain/conversation-events.ts';
import type { ClosedApiEvent } from '../domain/closed-api.ts';
import type { HeldSubjectEvent } from '../domain/holds/held-subject.ts';
import type { ImportEvent } from '../domain/conversation-import.ts';
import type { KnowledgeChargeEvent } from '../domain/knowledge-charge.ts';
import type { ModelCheckEvent } from '../domain/checks/model-check.ts';
import type { ModelPricesEvent } from '../domain/model-prices.ts';
import type { ProjectsEvent } from '../domain/projects/projects.ts';
import type { OwnExportEvent } from '../domain/own-data/own-export.ts';
import type { Correction, RestatementEvent } from '../domain/restatement/restatement.ts';
import type { RetentionEvent, StoredTerms } from '../domain/retention/retention.ts';
import type { SharesEvent } from '../domain/shares/shares.ts';
import type { CatalogueEvent } from '../domain/catalogue/managed-catalogue.ts';
import { callFields } from './call-events.ts';
import { modelFields, providerFields, routeFields } from './catalogue-events.ts';
import { usageOf } from './usage.ts';
import { partsOfToolConnectionId, type ToolConnectionEvent } from '../domain/tool-connection.ts';

type ReplyEvent = Extract<ConversationEvent, { replyId: string; userId: string; model: string }>;

const apiOf = ({ api }: Pick<Parties, 'api'>) => (api ? { api_id: api.apiId, api_key_id: api.keyId } : {});

const replyFields = (event: ReplyEvent, conversationId: string) => ({
  conversation_id: conversationId,
  reply_id: event.replyId,
  user_id: event.userId,
  bot_id: event.botId,
  model: event.model,
  ...(event.budgets && { budgets: [...event.budgets] }),
  ...apiOf(event),
});

const correctionOf = (correction: Correction) => ({
  hour: correction.hour,
  user_id: correction.userId,
  bot_id: correction.botId,
  ...apiOf(correction),
  ...(correction.call && {
    token_id: correction.call.tokenId,
    ...(correction.call.costCentre !== undefined && { cost_centre: correction.call.costCentre }),
    ...(correction.call.tags && { tags: { ...correction.call.tags } }),
  }),
  model: correction.model,
  difference_nano_dollars: correction.nanoDollars,
});

function importedPart({ importName, userId, botId, messages }: ImportEvent, conversation_id: string) {
  const days = new Map<string, { day: string; queries: number; replies: number }>();
  for (const { role, at } of messages) {
    const day = Instant.toString(at).slice(0, 10);
    const counted = days.get(day) ?? { day, queries: 0, replies: 0 };
    days.set(day, counted);
    if (role === 'user') counted.queries++;
    else counted.replies++;
  }
  const ratings = messages.flatMap(({ id, at, feedback }) =>
    feedback
      ? [
          {
            reply_id: id,
            at: Instant.toString(at),
            thumbs_up: feedback.thumbsUp,
            category: feedback.category,
            has_comment: feedback.comment !== null,
          },
        ]
      : [],
  );
  return {
    import_name: importName,
    conversation_id,
    user_id: userId,
    bot_id: botId,
    messages: messages.length,
    days: [...days.values()],
    ratings,
  };
}

const connection = (id: string) => {
  const { userId: user_id, server } = partsOfToolConnectionId(id);
  return { user_id, server };
};

const retentionTerms = ({ kind, inactiveDays, scope, isEnabled }: StoredTerms) => ({
  ...(kind && { kind }),
  inactive_days: inactiveDays,
  applies_to: scope.appliesTo,
  ...(scope.appliesTo === 'bot' && { bot_id: scope.botId }),
  ...(scope.appliesTo === 'group' && { group: scope.group }),
  enabled: isEnabled,
});

type InferenceEvent =
  | ConversationEvent
  | ClosedApiEvent
  | HeldSubjectEvent
  | RetentionEvent
  | CatalogueEvent
  | ModelPricesEvent
  | ModelCheckEvent
  | KnowledgeChargeEvent
  | RestatementEvent
  | ToolConnectionEvent
  | SharesEvent
  | OwnExportEvent
  | ProjectsEvent
  | CallRecordEvent;

export const publishInference = publishing<InferenceEvent>('inference', {
  CallCompleted: (event) => say(CallCompleted, callFields(event)),
  MessageSubmitted: (event, conversationId) =>
    say(MessageSubmitted, { ...replyFields(event, conversationId), message_id: event.messageId }),
  ReplyCompleted: (event, conversationId) =>
    say(ReplyCompleted, {
      ...replyFields(event, conversationId),
      usage: usageOf(event.usage),
      cost_nano_dollars: event.costNanoDollars,
    }),
  ReplyRequested: (event, conversationId) => say(ReplyRequested, { ...replyFields(event, conversationId), message_id: event.messageId }),
  TokensCharged: (event, conversationId) =>
    say(TokensCharged, {
      charge_id: event.chargeId,
      purpose: event.purpose,
      conversation_id: conversationId,
      user_id: event.userId,
      bot_id: event.botId,
      ...apiOf(event),
      ...(event.budgets && { budgets: [...event.budgets] }),
      ...(event.nextBudgets && { next_budgets: [...event.nextBudgets] }),
      model: event.model,
      usage: usageOf(event.usage),
      ...(event.units !== undefined && { units: event.units }),
      cost_nano_dollars: event.costNanoDollars,
    }),
  KnowledgeCharged: (event, charge_id) =>
    say(KnowledgeCharged, {
      charge_id,
      purpose: event.purpose,
      user_id: event.userId,
      bot_id: event.botId,
      model: event.model,
      usage: usageOf(event.usage),
      ...(event.units !== undefined && { units: event.units }),
      cost_nano_dollars: event.costNanoDollars,
      ...apiOf(event),
    }),
  // Older events do not have the number of messages.
  ConversationErasureBegun: ({ userId, botId = null, apiId, deleted, because, ruleId, messages }, conversation_id) =>
    messages === undefined
      ? null
      : say(ConversationDeleted, {
          conversation_id,
          user_id: userId,
          bot_id: botId,
          ...(apiId !== undefined && { api_id: apiId }),
          because: because ?? (deleted ? 'deleted' : 'user_erased'),
          ...(ruleId !== undefined && { rule_id: ruleId }),
          messages,
        }),
  MessageFilesExpired: ({ userId, botId, apiId, messageId, files, ruleId }, conversation_id) =>
    say(MessageFilesExpired, {
      conversation_id,
      message_id: messageId,
      user_id: userId,
      bot_id: botId,
      ...(apiId !== undefined && { api_id: apiId }),
      files,
      rule_id: ruleId,
    }),
  FeedbackGiven: (event, conversationId) =>
    say(FeedbackGiven, {
      conversation_id: conversationId,
      reply_id: event.replyId,
      user_id: event.userId,
      bot_id: event.botId,
      thumbs_up: event.thumbsUp,
      category: event.category,
      has_comment: event.comment !== null,
    }),
  // A user's own import is not usage of this installation and costs nothing, so no other service counts it.
  ConversationImported: (event, conversationId) =>
    event.own
      ? null
      : say(ConversationImported, {
          ...importedPart(event, conversationId),
          model: event.model,
          used_at: Instant.toString(event.lastMessageAt),
          cost_nano_dollars: event.costNanoDollars,
        }),
  UseImported: (event, conversation_id) =>
    say(ConversationImported, {
      import_name: event.importName,
      conversation_id,
      user_id: event.userId,
      bot_id: event.botId,
      messages: 0,
      days: [],
      ratings: [],
      model: event.model,
      used_at: Instant.toString(event.usedAt),
      cost_nano_dollars: event.costNanoDollars,
    }),
  MessagesImported: (event, conversationId) => (event.own ? null : say(MessagesImported, importedPart(event, conversationId))),
  ReplyFailed: (event, conversationId) => say(ReplyFailed, { ...replyFields(event, conversationId), code: event.code }),
  ToolConnected: (_, id) => say(ToolConnected, connection(id)),
  ToolConnectionLost: (_, id) => say(ToolDisconnected, { ...connection(id), reason: 'refused' }),
  ToolDisconnected: (_, id) => say(ToolDisconnected, { ...connection(id), reason: 'user' }),
  ConversationShared: (event, user_id) =>
    say(ConversationShared, {
      share_id: event.shareId,
      conversation_id: event.conversationId,
      user_id,
      audience: event.audience,
      bot_id: event.botId,
      expires_at: event.expiresAt === null ? null : Instant.toString(event.expiresAt),
      include_attachments: event.includesAttachments,
      include_sources: event.includesSources,
      messages: event.messages,
    }),
  ShareRevoked: ({ shareId, conversationId, audience, because }, user_id) =>
    say(ShareRevoked, { share_id: shareId, conversation_id: conversationId, user_id, audience, reason: because }),
  OwnExportRequested: ({ exportId, by }, user_id) => say(OwnExportRequested, { export_id: exportId, user_id, requested_by: by }),
  OwnExportCompleted: ({ exportId, by, conversations, bytes, expiresAt }, user_id) =>
    say(OwnExportReady, {
      export_id: exportId,
      user_id,
      requested_by: by,
      conversations,
      bytes,
      expires_at: Instant.toString(expiresAt),
    }),
  ApprovalAwaited: ({ replyId, userId, botId = null, until }, conversation_id) => {
    if (userId === undefined) return null;
    return say(ApprovalWanted, { conversation_id, reply_id: replyId, user_id: userId, bot_id: botId, expires_at: Instant.toString(until) });
  },
  ProjectMemberSet: ({ projectId, userId, role, isNew }, owner_user_id) =>
    isNew ? say(ProjectShared, { project_id: projectId, owner_user_id, user_id: userId, role }) : null,
  ModelChecked: ({ model, userId, failure, usage, costNanoDollars }, check_id) =>
    say(ModelChecked, {
      check_id,
      model,
      user_id: userId,
      bot_id: null,
      failure,
      usage: usageOf(usage),
      cost_nano_dollars: costNanoDollars,
    }),
  ModelPriceSet: ({ price }, model) =>
    say(ModelPriceSet, {
      model,
      from: Instant.toString(price.from),
      input_nano_dollars: price.input,
      output_nano_dollars: price.output,
      cache_read_nano_dollars: price.cacheRead,
      cache_write_nano_dollars: price.cacheWrite,
      ...(price.cacheWriteHour !== undefined && { cache_write_1h_nano_dollars: price.cacheWriteHour }),
      ...(price.webSearch !== undefined && { web_search_nano_dollars: price.webSearch }),
    }),
  ModelProviderAdded: (event) => say(ModelProviderChanged, providerFields(event)),
  ModelProviderChanged: (event) => say(ModelProviderChanged, providerFields(event)),
  ModelProviderRemoved: (event) => say(ModelProviderChanged, providerFields(event)),
  ModelAdded: (event) => say(ModelChanged, modelFields(event)),
  ModelChanged: (event) => say(ModelChanged, modelFields(event)),
  ModelRemoved: (event) => say(ModelChanged, modelFields(event)),
  ModelRouteAdded: (event) => say(ModelRouteChanged, routeFields(event)),
  ModelRouteChanged: (event) => say(ModelRouteChanged, routeFields(event)),
  ModelRouteRemoved: (event) => say(ModelRouteChanged, routeFields(event)),
  RetentionRuleCreated: (event) => say(RetentionRuleCreated, { rule_id: event.ruleId, ...retentionTerms(event) }),
  RetentionRuleChanged: (event) => say(RetentionRuleChanged, { rule_id: event.ruleId, ...retentionTerms(event) }),
  RetentionRuleRemoved: ({ ruleId }) => say(RetentionRuleRemoved, { rule_id: ruleId }),
  RestatementRequested: ({ id, from, model, isDry }) =>
    say(RestatementRequested, { restatement_id: id, from: Instant.toString(from), model, dry_run: isDry }),
  CostsRestated: ({ id, corrections }) =>
    say(CostsRestated, {
      restatement_id: id,
      corrections: corrections.map(correctionOf),
    }),
  ChargeCorrected: ({ chargeId, costNanoDollars, correction, spentNanoDollars, budgets }) =>
    say(ChargeCorrected, {
      charge_id: chargeId,
      cost_nano_dollars: costNanoDollars,
      ...correctionOf(correction),
      spent_difference_nano_dollars: spentNanoDollars ?? correction.nanoDollars,
      ...(budgets && { budgets: [...budgets] }),
    }),
});
