import { type DynamicModule, Module } from '@nestjs/common';
import { Erasing, ErasuresController, FoundationModule, handlersOf, type Host } from '@parlance/foundation';
import { BotKnowledge } from './adapters/bot-knowledge.ts';
import { Catalogue } from './adapters/catalogue.ts';
import { ExecuteConversation } from './commands/aggregates.ts';
import { SubmitMessageHandler } from './commands/submit-message.ts';
import { publishInference } from './contracts/inference-events.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { RelatedDocumentsController } from './http/related-documents.controller.ts';
import { EraseConversationsWhenUserErased } from './policies/erase-conversations-when-user-erased.ts';
import { LiveReplies } from './workflows/live-replies.ts';
import { RenewLeasesWhileRepliesAreWritten } from './workflows/renew-leases-while-replies-are-written.ts';
import { RepliesInHand } from './workflows/replies-in-hand.ts';
import { RepliesLifecycle } from './workflows/replies-lifecycle.ts';
import { ReplyPrompt } from './workflows/reply-prompt.ts';
import { ReplyWriter } from './workflows/reply-writer.ts';
import { TakeOverReplyWhenWorkerIsLost } from './workflows/take-over-reply-when-worker-is-lost.ts';
import { ContentErasedOf, ConversationsOf, MessagesLeft } from './projections/content-of-user.ts';
import { MessageById, messages } from './projections/messages.ts';
import { CountOwedReplies, OwedReplies, QuestionOf } from './projections/owed-replies.ts';
import { Transcript } from './projections/transcript.ts';
import { CitedDocuments, UsedChunksOf, UsedChunksOfReplies } from './projections/used-chunks.ts';

@Module({})
export class InferenceModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: InferenceModule,
      imports: [await FoundationModule.of(host, { name: 'inference', projections: [messages], publish: publishInference })],
      controllers: [ConversationController, RelatedDocumentsController, ErasuresController],
      providers: [
        ...handlersOf(
          ExecuteConversation,
          MessageById,
          OwedReplies,
          CountOwedReplies,
          QuestionOf,
          Transcript,
          ConversationsOf,
          MessagesLeft,
          ContentErasedOf,
          UsedChunksOf,
          UsedChunksOfReplies,
          CitedDocuments,
        ),
        SubmitMessageHandler,
        Catalogue,
        BotKnowledge,
        ReplyPrompt,
        LiveReplies,
        ReplyWriter,
        RepliesInHand,
        RepliesLifecycle,
        TakeOverReplyWhenWorkerIsLost,
        RenewLeasesWhileRepliesAreWritten,
        { provide: Erasing, useClass: EraseConversationsWhenUserErased },
      ],
    };
  }
}
