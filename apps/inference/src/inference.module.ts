import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host } from '@parlance/foundation';
import { ApplyingBudgets } from './adapters/applying-budgets.ts';
import { BorrowedBlocks } from './adapters/borrowed-blocks.ts';
import { BotKnowledge } from './adapters/bot-knowledge.ts';
import { ModelRouter } from '@parlance/chat-models';
import { Budgets } from './adapters/budgets.ts';
import { Catalogue } from './adapters/catalogue.ts';
import { ModelPrices } from './adapters/model-prices.ts';
import { OtherReplicas, replicaUrlOf } from './adapters/other-replicas.ts';
import { ModelProvidersLifecycle } from './adapters/model-providers-lifecycle.ts';
import { Guardrail } from './adapters/guardrail.ts';
import { ExecuteConversation, ExecuteModelPrices } from './commands/aggregates.ts';
import { RequestReplyHandler } from './commands/request-reply.ts';
import { ReplyReservations } from './commands/reply-reservations.ts';
import { SubmitMessageHandler } from './commands/submit-message.ts';
import { publishInference } from './contracts/inference-events.ts';
import { AdminModelsController } from './http/admin-models.controller.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { InternalRepliesController } from './http/internal-replies.controller.ts';
import { OpenedMessages } from './http/opened-messages.ts';
import { GlobalConfigController } from './http/global-config.controller.ts';
import { ProvenanceController } from './http/provenance.controller.ts';
import { RelatedDocumentsController } from './http/related-documents.controller.ts';
import { ReplyController } from './http/reply.controller.ts';
import { EventStreams } from './http/streams/event-streams.ts';
import { FollowReply } from './http/streams/follow-reply.ts';
import { ConversationsController } from './http/conversations.controller.ts';
import { ConversationSummaries } from './http/conversation-summaries.ts';
import { OwnConversationController } from './http/own-conversation.controller.ts';
import { FinishDeletionWhenItBrokeOff } from './policies/finish-deletion-when-it-broke-off.ts';
import { VersionOf } from './commands/version-of.ts';
import { ConversationRemoval } from './workflows/conversation-removal.ts';
import { TitleProposals } from './workflows/title-proposals.ts';
import { EraseConversationsWhenUserErased } from './policies/erase-conversations-when-user-erased.ts';
import { LiveReplies } from './workflows/live-replies.ts';
import { RenewLeasesWhileRepliesAreWritten } from './workflows/renew-leases-while-replies-are-written.ts';
import { GiveBackBlocksThatAreNotUsed } from './policies/give-back-blocks-that-are-not-used.ts';
import { RepliesInHand } from './workflows/replies-in-hand.ts';
import { RepliesLifecycle } from './workflows/replies-lifecycle.ts';
import { ReplyGuard } from './workflows/reply-guard.ts';
import { ReplyPrompt } from './workflows/reply-prompt.ts';
import { ReplyWriter } from './workflows/reply-writer.ts';
import { TakeOverReplyWhenWorkerIsLost } from './workflows/take-over-reply-when-worker-is-lost.ts';
import { ContentErasedOf, ConversationsOf, MessagesLeft } from './projections/content-of-user.ts';
import { conversationList } from './projections/conversation-list.ts';
import {
  BesideMessage,
  ConversationOf,
  DeletionsBegun,
  FirstExchange,
  MessagesBefore,
  OwnConversations,
} from './projections/conversations.ts';
import { MessageById, messages } from './projections/messages.ts';
import { knownBudgets, KnownBudgets } from './projections/known-budgets.ts';
import { modelPrices } from './projections/model-prices.ts';
import { CountOwedReplies, OwedReplies, QuestionOf, WorkerOf } from './projections/owed-replies.ts';
import { OwnSearch } from './projections/own-search.ts';
import { ProvenanceOf } from './projections/provenance.ts';
import { Transcript } from './projections/transcript.ts';
import { CitedDocuments, UsedChunksOf, UsedChunksOfReplies } from './projections/used-chunks.ts';

@Module({})
export class InferenceModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: InferenceModule,
      imports: [
        await FoundationModule.of(host, {
          name: 'inference',
          projections: [messages, conversationList, modelPrices],
          foreign: [knownBudgets],
          publish: publishInference,
        }),
      ],
      controllers: [
        AdminModelsController,
        ConversationController,
        ConversationsController,
        OwnConversationController,
        ReplyController,
        GlobalConfigController,
        InternalRepliesController,
        RelatedDocumentsController,
        ProvenanceController,
        ErasuresController,
      ],
      providers: [
        ...handlersOf(
          ExecuteConversation,
          VersionOf,
          BesideMessage,
          ConversationOf,
          OwnConversations,
          MessagesBefore,
          ExecuteModelPrices,
          MessageById,
          FirstExchange,
          DeletionsBegun,
          OwedReplies,
          CountOwedReplies,
          QuestionOf,
          WorkerOf,
          Transcript,
          ConversationsOf,
          MessagesLeft,
          ContentErasedOf,
          UsedChunksOf,
          UsedChunksOfReplies,
          CitedDocuments,
          ProvenanceOf,
          KnownBudgets,
        ),
        SubmitMessageHandler,
        Catalogue,
        ModelPrices,
        { provide: ModelRouter, useFactory: ({ router }: Catalogue) => router, inject: [Catalogue] },
        ModelProvidersLifecycle,
        ApplyingBudgets,
        BorrowedBlocks,
        Budgets,
        ReplyReservations,
        GiveBackBlocksThatAreNotUsed,
        BotKnowledge,
        ReplyPrompt,
        { provide: LiveReplies, useFactory: (config: Config) => new LiveReplies(replicaUrlOf(config)), inject: [Config] },
        OtherReplicas,
        OpenedMessages,
        FollowReply,
        EventStreams,
        RequestReplyHandler,
        Guardrail,
        ReplyGuard,
        ReplyWriter,
        RepliesInHand,
        RepliesLifecycle,
        TakeOverReplyWhenWorkerIsLost,
        RenewLeasesWhileRepliesAreWritten,
        ConversationSummaries,
        OwnSearch,
        TitleProposals,
        ConversationRemoval,
        FinishDeletionWhenItBrokeOff,
        { provide: Erasing, useClass: EraseConversationsWhenUserErased },
      ],
    };
  }
}
