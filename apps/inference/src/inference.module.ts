import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Erasing, ErasuresController, EventStreams, FoundationModule, handlersOf, type Host, LOGGER } from '@parlance/foundation';
import { ApplyingBudgets } from './adapters/applying-budgets.ts';
import { BorrowedBlocks } from './adapters/borrowed-blocks.ts';
import { BuiltinTools } from './adapters/tools/builtin-tools.ts';
import { Toolbox, toolboxOf } from './adapters/tools/toolbox.ts';
import { BotKnowledge } from './adapters/bot-knowledge.ts';
import { ModelRouter } from '@parlance/chat-models';
import { Budgets } from './adapters/budgets.ts';
import { Catalogue } from './adapters/catalogue.ts';
import { EffectivePrices } from './adapters/effective-prices.ts';
import { FreshSecondFactor } from './adapters/fresh-second-factor.ts';
import { ModelPrices } from './adapters/model-prices.ts';
import { OtherReplicas, replicaUrlOf } from './adapters/other-replicas.ts';
import { McpServers } from './adapters/tools/mcp-servers.ts';
import { McpToolSource } from './adapters/tools/mcp-tool-source.ts';
import { ToolTokens } from './adapters/tools/tool-tokens.ts';
import { ModelProvidersLifecycle } from './adapters/model-providers-lifecycle.ts';
import { Guardrail } from './adapters/guardrail.ts';
import { GuardrailPrices } from './adapters/guardrail-prices.ts';
import {
  ExecuteConversation,
  ExecuteModelCheck,
  ExecuteModelPrices,
  ExecuteRestatements,
  ExecuteHeldSubject,
  ExecuteRetention,
  ExecuteToolConnection,
} from './commands/aggregates.ts';
import { RequestReplyHandler } from './commands/request-reply.ts';
import { NewFiles } from './commands/new-files.ts';
import { ReplyReservations } from './commands/reply-reservations.ts';
import { SubmitMessageHandler } from './commands/submit-message.ts';
import { publishInference } from './contracts/inference-events.ts';
import { AdminModelsController } from './http/admin/admin-models.controller.ts';
import { RetentionController } from './http/admin/retention.controller.ts';
import { RestatementsController } from './http/admin/restatements.controller.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { InternalExportsController } from './http/internal-exports.controller.ts';
import { InternalOffersController } from './http/internal-offers.controller.ts';
import { InternalHoldsController } from './http/internal-holds.controller.ts';
import { InternalFeedbackController } from './http/internal-feedback.controller.ts';
import { InternalImportsController } from './http/imports/internal-imports.controller.ts';
import { InternalRepliesController } from './http/internal-replies.controller.ts';
import { FilesModule } from './files.module.ts';
import { MessageFilesController } from './http/message-files.controller.ts';
import { OpenedMessages } from './http/opened-messages.ts';
import { PredictController } from './http/published/predict.controller.ts';
import { PublishedConversationController } from './http/published/published-conversation.controller.ts';
import { BotTools } from './http/published/mcp/bot-tools.ts';
import { PublishedMcpController } from './http/published/mcp/mcp.controller.ts';
import { McpServing } from './http/published/mcp/mcp-server.ts';
import { ChatCompletionsController } from './http/published/openai/chat-completions.controller.ts';
import { PublishedModelsController } from './http/published/openai/models.controller.ts';
import { OpenAiReplies } from './http/published/openai/openai-replies.ts';
import { ResponsesController } from './http/published/openai/responses.controller.ts';
import { PublishedReplies } from './http/published/published-replies.ts';
import { ReplyAcceptance } from './http/replies/reply-acceptance.ts';
import { ReplyAnswers } from './http/replies/reply-answers.ts';
import { WholeConversations } from './http/whole-conversations.ts';
import { GlobalConfigController } from './http/global-config.controller.ts';
import { PopularQueriesController } from './http/admin/popular-queries.controller.ts';
import { ProvenanceController } from './http/provenance.controller.ts';
import { RelatedDocumentsController } from './http/related-documents.controller.ts';
import { ReplyController } from './http/replies/reply.controller.ts';
import { ToolConnectionCallbackController, ToolConnectionsController } from './http/tool-connections.controller.ts';
import { NewestOfLog } from './http/admin/newest-of-log.ts';
import { UserConversationsController } from './http/admin/user-conversations.controller.ts';
import { FollowReply } from './http/streams/follow-reply.ts';
import { ConversationsController } from './http/conversations.controller.ts';
import { ConversationSummaries } from './http/conversation-summaries.ts';
import { OwnConversationController } from './http/own-conversation.controller.ts';
import { ChargeEmbeddingWhenBotsUsedIt } from './policies/charge-embedding-when-bots-used-it.ts';
import { DeleteConversationsOfRemovedPublicationsAfterHolds } from './policies/delete-conversations-of-removed-publications-after-holds.ts';
import { DeleteConversationsWhenARetentionRuleNamesThem } from './policies/delete-conversations-when-a-retention-rule-names-them.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from './policies/delete-temporary-conversations-when-their-time-is-over.ts';
import { FinishDeletionWhenItBrokeOff } from './policies/finish-deletion-when-it-broke-off.ts';
import { RemoveFilesThatNoMessageHas } from './policies/remove-files-that-no-message-has.ts';
import { PromptFilesOf } from './workflows/files/prompt-files.ts';
import { VersionOf } from './commands/version-of.ts';
import { ImportReader } from './adapters/imports/import-reader.ts';
import { OwnImportsController } from './http/imports/own-imports.controller.ts';
import { ConversationImports } from './workflows/imports/conversation-imports.ts';
import { OwnImports } from './workflows/imports/own-imports.ts';
import { ConversationRemoval } from './workflows/conversation-removal.ts';
import { RenewedTokens } from './workflows/tools/renewed-tokens.ts';
import { ToolConnections } from './workflows/tools/tool-connections.ts';
import { ModelChecks } from './workflows/checks/model-checks.ts';
import { TitleProposals } from './workflows/title-proposals.ts';
import { DeleteConversationsWhenPublicationRemoved } from './policies/delete-conversations-when-publication-removed.ts';
import { EraseConversationsWhenUserErased } from './policies/erase-conversations-when-user-erased.ts';
import { ChargesBesideModel } from './workflows/writing/charges-beside-model.ts';
import { LiveReplies } from './workflows/live-replies.ts';
import { RenewLeasesWhileRepliesAreWritten } from './workflows/claiming/renew-leases-while-replies-are-written.ts';
import { GiveBackBlocksThatAreNotUsed } from './policies/give-back-blocks-that-are-not-used.ts';
import { RepliesInHand } from './workflows/claiming/replies-in-hand.ts';
import { RepliesLifecycle } from './workflows/claiming/replies-lifecycle.ts';
import { ReplyGuard } from './workflows/writing/reply-guard.ts';
import { ReplyPrompt } from './workflows/writing/reply-prompt.ts';
import { ToolRounds } from './workflows/tools/tool-rounds.ts';
import { ReplyCharges } from './workflows/writing/reply-charges.ts';
import { ReplyWriter } from './workflows/writing/reply-writer.ts';
import { TakeOverReplyWhenWorkerIsLost } from './workflows/claiming/take-over-reply-when-worker-is-lost.ts';
import { FoundByRules } from './workflows/retention/found-by-rules.ts';
import { HoldsOnConversations } from './workflows/holds/holds-on-conversations.ts';
import { RemovedPublications } from './workflows/holds/removed-publications.ts';
import { RetentionRounds } from './workflows/retention/retention-rounds.ts';
import { Restating } from './workflows/restatement/restating.ts';
import { ContentErasedOf, ConversationsHeldBy, ConversationsOf, MessagesLeft } from './projections/content-of-user.ts';
import { botQueries, QueriesToBot } from './projections/bot-queries.ts';
import { conversationList } from './projections/conversation-list.ts';
import {
  BesideMessage,
  ConversationOf,
  DeletionsBegun,
  DeletionsOf,
  FirstExchange,
  MessagesBefore,
  OwnConversations,
  TemporaryUntil,
} from './projections/conversations.ts';
import { ConversationsOfUser, FeedbackOn, PromptsOf } from './projections/conversations-of-user.ts';
import { InactiveUntil } from './projections/inactive-conversations.ts';
import { ImportedBy, imports } from './projections/imports.ts';
import { HeldMessage, MessageById } from './projections/messages/message-by-id.ts';
import { messages } from './projections/messages/messages.ts';
import { MessagesInSpan } from './projections/messages-in-hour.ts';
import { knownBudgets, KnownBudgets } from './projections/known-budgets.ts';
import { modelPrices } from './projections/model-prices.ts';
import { PostponedRemovals, postponedRemovals } from './projections/postponed-removals.ts';
import { CountOwedReplies, OwedReplies, QuestionOf, WorkerOf } from './projections/messages/owed-replies.ts';
import { OwnSearch } from './projections/own-search.ts';
import { ProvenanceOf } from './projections/messages/provenance.ts';
import { ToolRoundsOf } from './projections/messages/tool-calls.ts';
import { ErasedToolConnectionsOf, toolConnections, ToolConnectionsOf } from './projections/tool-connections.ts';
import { RestatementById, RestatementList, restatementList, RunningRestatement } from './projections/restatement/restatements.ts';
import { shareList } from './projections/shares/shares.ts';
import { ownData } from './own-data.ts';
import { ownExports } from './projections/own-data/own-exports.ts';
import { sharing } from './sharing.ts';
import { Transcript } from './projections/transcript.ts';
import { CitedDocuments, UsedChunksOf, UsedChunksOfReplies } from './projections/messages/used-chunks.ts';

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
            restatementList,
            ownExports,
            postponedRemovals,
          ],
          foreign: [knownBudgets],
          publish: publishInference,
          storesFiles: true,
        }),
        FilesModule.of(host),
      ],
      controllers: [
        AdminModelsController,
        RestatementsController,
        RetentionController,
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
        OwnImportsController,
        InternalRepliesController,
        RelatedDocumentsController,
        MessageFilesController,
        ProvenanceController,
        PublishedConversationController,
        PredictController,
        ToolConnectionsController,
        ToolConnectionCallbackController,
        UserConversationsController,
        PopularQueriesController,
        ...sharing.controllers,
        ...ownData.controllers,
        ErasuresController,
        ChargeEmbeddingWhenBotsUsedIt,
        DeleteConversationsWhenPublicationRemoved,
        ChatCompletionsController,
        ResponsesController,
        PublishedModelsController,
        PublishedMcpController,
      ],
      providers: [
        ...handlersOf(
          ExecuteConversation,
          VersionOf,
          BesideMessage,
          ConversationOf,
          OwnConversations,
          ConversationsOfUser,
          PromptsOf,
          FeedbackOn,
          MessagesInSpan,
          QueriesToBot,
          MessagesBefore,
          ExecuteModelCheck,
          ExecuteModelPrices,
          ExecuteRestatements,
          ExecuteRetention,
          ExecuteHeldSubject,
          PostponedRemovals,
          InactiveUntil,
          RunningRestatement,
          RestatementById,
          RestatementList,
          ExecuteToolConnection,
          ToolConnectionsOf,
          ErasedToolConnectionsOf,
          MessageById,
          HeldMessage,
          FirstExchange,
          DeletionsBegun,
          DeletionsOf,
          TemporaryUntil,
          OwedReplies,
          CountOwedReplies,
          QuestionOf,
          WorkerOf,
          Transcript,
          ConversationsOf,
          ConversationsHeldBy,
          MessagesLeft,
          ContentErasedOf,
          UsedChunksOf,
          UsedChunksOfReplies,
          CitedDocuments,
          ProvenanceOf,
          ImportedBy,
          KnownBudgets,
          ToolRoundsOf,
        ),
        ...sharing.providers,
        ...ownData.providers,
        NewFiles,
        NewestOfLog,
        SubmitMessageHandler,
        Catalogue,
        ModelPrices,
        EffectivePrices,
        Restating,
        { provide: ModelRouter, useFactory: ({ router }: Catalogue) => router, inject: [Catalogue] },
        ModelProvidersLifecycle,
        ApplyingBudgets,
        BorrowedBlocks,
        Budgets,
        ReplyReservations,
        GiveBackBlocksThatAreNotUsed,
        BotKnowledge,
        PromptFilesOf,
        ReplyPrompt,
        { provide: LiveReplies, useFactory: (config: Config) => new LiveReplies(replicaUrlOf(config)), inject: [Config] },
        OtherReplicas,
        OpenedMessages,
        ReplyAcceptance,
        WholeConversations,
        ReplyAnswers,
        PublishedReplies,
        OpenAiReplies,
        BotTools,
        McpServing,
        FollowReply,
        EventStreams,
        RequestReplyHandler,
        Guardrail,
        ReplyGuard,
        GuardrailPrices,
        ChargesBesideModel,
        ToolRounds,
        { provide: Toolbox, useFactory: toolboxOf, inject: [LOGGER, BuiltinTools, McpToolSource] },
        BuiltinTools,
        ReplyCharges,
        ReplyWriter,
        RepliesInHand,
        RepliesLifecycle,
        TakeOverReplyWhenWorkerIsLost,
        RenewLeasesWhileRepliesAreWritten,
        ConversationSummaries,
        OwnSearch,
        McpServers,
        ToolConnections,
        RenewedTokens,
        { provide: ToolTokens, useExisting: RenewedTokens },
        McpToolSource,
        ModelChecks,
        TitleProposals,
        ConversationImports,
        OwnImports,
        ImportReader,
        ConversationRemoval,
        FinishDeletionWhenItBrokeOff,
        DeleteTemporaryConversationsWhenTheirTimeIsOver,
        FoundByRules,
        FreshSecondFactor,
        RetentionRounds,
        DeleteConversationsWhenARetentionRuleNamesThem,
        HoldsOnConversations,
        RemovedPublications,
        DeleteConversationsOfRemovedPublicationsAfterHolds,
        RemoveFilesThatNoMessageHas,
        { provide: Erasing, useClass: EraseConversationsWhenUserErased },
      ],
    };
  }
}
