import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Erasing, ErasuresController, EventStreams, FoundationModule, type Host } from '@parlance/foundation';
import { BotTitles } from './adapters/bot-titles.ts';
import { BotKnowledge } from './adapters/bot-knowledge.ts';
import { ModelRouter } from '@parlance/chat-models';
import { Catalogue } from './adapters/pricing/catalogue.ts';
import { KnownSubjects } from './adapters/known-subjects.ts';
import { OtherReplicas, replicaUrlOf } from './adapters/other-replicas.ts';
import { ModelProvidersLifecycle } from './adapters/model-providers-lifecycle.ts';
import { RequestReplyHandler } from './commands/request-reply.ts';
import { NewFiles } from './commands/new-files.ts';
import { SubmitMessageHandler } from './commands/submit-message.ts';
import { publishInference } from './contracts/inference-events.ts';
import { RetentionController } from './http/admin/retention.controller.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { InternalExportsController } from './http/internal-exports.controller.ts';
import { InternalOffersController } from './http/internal-offers.controller.ts';
import { InternalSeenTitlesController } from './http/internal-seen-titles.controller.ts';
import { InternalHoldsController } from './http/internal-holds.controller.ts';
import { InternalFeedbackController } from './http/internal-feedback.controller.ts';
import { InternalImportsController } from './http/imports/internal-imports.controller.ts';
import { InternalRepliesController } from './http/internal-replies.controller.ts';
import { FilesModule } from './files.module.ts';
import { MessageFilesController } from './http/message-files.controller.ts';
import { InternalRetentionController } from './http/internal-retention.controller.ts';
import { OpenedMessages } from './http/opened-messages.ts';
import { ReplyAcceptance } from './http/replies/reply-acceptance.ts';
import { ReplyAnswers } from './http/replies/reply-answers.ts';
import { WholeConversations } from './http/whole-conversations.ts';
import { GlobalConfigController } from './http/global-config.controller.ts';
import { PopularQueriesController } from './http/admin/popular-queries.controller.ts';
import { ProvenanceController } from './http/provenance.controller.ts';
import { QueryCounts } from './workflows/query-counts.ts';
import { RelatedDocumentsController } from './http/related-documents.controller.ts';
import { ReplyController } from './http/replies/reply.controller.ts';
import { NewestOfLog } from './http/admin/newest-of-log.ts';
import { UserConversationsController } from './http/admin/user-conversations.controller.ts';
import { FollowReply } from './http/streams/follow-reply.ts';
import { ConversationsController } from './http/conversations.controller.ts';
import { ConversationSummaries } from './http/conversation-summaries.ts';
import { OwnConversationController } from './http/own-conversation.controller.ts';
import { ChargeKnowledgeWhenBotsUsedIt } from './policies/charge-knowledge-when-bots-used-it.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from './policies/delete-temporary-conversations-when-their-time-is-over.ts';
import { FinishDeletionWhenItBrokeOff } from './policies/finish-deletion-when-it-broke-off.ts';
import { FinishRemovalOfFilesWhenItBrokeOff } from './policies/finish-removal-of-files-when-it-broke-off.ts';
import { RemoveFilesThatNoMessageHas } from './policies/remove-files-that-no-message-has.ts';
import { ImportReader } from './adapters/imports/import-reader.ts';
import { OwnImportsController } from './http/imports/own-imports.controller.ts';
import { ConversationImports } from './workflows/imports/conversation-imports.ts';
import { OwnImports } from './workflows/imports/own-imports.ts';
import { ConversationRemoval } from './workflows/conversation-removal.ts';
import { TitleProposals } from './workflows/title-proposals.ts';
import { DeleteConversationsWhenPublicationRemoved } from './policies/delete-conversations-when-publication-removed.ts';
import { EraseConversationsWhenUserErased } from './policies/erase-conversations-when-user-erased.ts';
import { MessageFileRemoval } from './workflows/files/message-file-removal.ts';
import { LiveReplies } from './workflows/live-replies.ts';
import { FoundByRules } from './workflows/retention/found-by-rules.ts';
import { HoldsOnConversations } from './workflows/holds/holds-on-conversations.ts';
import { RemovedPublications } from './workflows/holds/removed-publications.ts';
import { RetentionRounds } from './workflows/retention/retention-rounds.ts';
import { botQueries } from './projections/bot-queries.ts';
import { conversationList } from './projections/conversation-list.ts';
import { messageFiles } from './projections/message-files.ts';
import { imports } from './projections/imports.ts';
import { storedResponses } from './projections/responses/stored-responses.ts';
import { callRecords } from './projections/calls/call-records.ts';
import { gatewayBatchList } from './projections/gateway/gateway-batches.ts';
import { gatewayFileList } from './projections/gateway/gateway-files.ts';
import { messages } from './projections/messages/messages.ts';
import { knownBudgets } from './projections/known-budgets.ts';
import { modelPrices } from './projections/model-prices.ts';
import { postponedRemovals } from './projections/postponed-removals.ts';
import { OwnSearch } from './projections/own-search.ts';
import { toolConnections } from './projections/tool-connections.ts';
import { restatementList } from './projections/restatement/restatements.ts';
import { suspiciousCharges } from './projections/restatement/suspicious-charges.ts';
import { shareList } from './projections/shares/shares.ts';
import { ownData } from './own-data.ts';
import { memoryParts } from './memory.ts';
import { projectParts } from './projects.ts';
import { memoryList } from './projections/memory/memories.ts';
import { projectList } from './projections/projects/projects.ts';
import { ownExports } from './projections/own-data/own-exports.ts';
import { modelCalls } from './model-calls.ts';
import { gateway } from './gateway.ts';
import { publishedApis } from './published.ts';
import { tooling } from './tooling.ts';
import { catalogueParts } from './catalogue.ts';
import { pricing } from './pricing.ts';
import { writing } from './writing.ts';
import { sharing } from './sharing.ts';

@Module({})
export class InferenceModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: InferenceModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'inference',
          projections: [
            messages,
            conversationList,
            botQueries,
            imports,
            modelPrices,
            toolConnections,
            shareList,
            projectList,
            memoryList,
            restatementList,
            suspiciousCharges,
            ownExports,
            postponedRemovals,
            messageFiles,
            callRecords,
            storedResponses,
            gatewayFileList,
            gatewayBatchList,
          ],
          foreign: [knownBudgets],
          publish: publishInference,
          storesFiles: true,
        }),
        FilesModule.of(host),
      ],
      controllers: [
        RetentionController,
        InternalRetentionController,
        ConversationController,
        ConversationsController,
        OwnConversationController,
        ReplyController,
        GlobalConfigController,
        InternalExportsController,
        InternalFeedbackController,
        InternalHoldsController,
        InternalImportsController,
        InternalOffersController,
        InternalSeenTitlesController,
        OwnImportsController,
        InternalRepliesController,
        RelatedDocumentsController,
        MessageFilesController,
        ProvenanceController,
        UserConversationsController,
        PopularQueriesController,
        ...publishedApis.controllers,
        ...modelCalls.controllers,
        ...gateway.controllers,
        ...tooling.controllers,
        ...pricing.controllers,
        ...catalogueParts.controllers,
        ...writing.controllers,
        ...sharing.controllers,
        ...projectParts.controllers,
        ...memoryParts.controllers,
        ...ownData.controllers,
        ErasuresController,
        ChargeKnowledgeWhenBotsUsedIt,
        DeleteConversationsWhenPublicationRemoved,
      ],
      providers: [
        ...publishedApis.providers,
        ...modelCalls.providers,
        ...gateway.providers,
        ...tooling.providers,
        ...pricing.providers,
        ...catalogueParts.providers,
        ...writing.providers,
        ...sharing.providers,
        ...projectParts.providers,
        ...memoryParts.providers,
        ...ownData.providers,
        NewFiles,
        NewestOfLog,
        QueryCounts,
        SubmitMessageHandler,
        Catalogue,
        KnownSubjects,
        { provide: ModelRouter, useFactory: ({ router }: Catalogue) => router, inject: [Catalogue] },
        ModelProvidersLifecycle,
        BotKnowledge,
        BotTitles,
        { provide: LiveReplies, useFactory: (config: Config) => new LiveReplies(replicaUrlOf(config)), inject: [Config] },
        OtherReplicas,
        OpenedMessages,
        ReplyAcceptance,
        WholeConversations,
        ReplyAnswers,
        FollowReply,
        EventStreams,
        RequestReplyHandler,
        ConversationSummaries,
        OwnSearch,
        TitleProposals,
        ConversationImports,
        OwnImports,
        ImportReader,
        ConversationRemoval,
        FinishDeletionWhenItBrokeOff,
        MessageFileRemoval,
        FinishRemovalOfFilesWhenItBrokeOff,
        DeleteTemporaryConversationsWhenTheirTimeIsOver,
        FoundByRules,
        RetentionRounds,
        HoldsOnConversations,
        RemovedPublications,
        RemoveFilesThatNoMessageHas,
        { provide: Erasing, useClass: EraseConversationsWhenUserErased },
      ],
    };
  }
}
