import { type DynamicModule, Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Vault } from '@parlance/privacy';
import { Clock, Erasing, ErasuresController, FoundationModule, handlersOf, type Host, LOGGER } from '@parlance/foundation';
import { Config } from '@parlance/config';
import { type Logger, Readiness } from '@parlance/observability';
import { Catalogue } from './adapters/catalogue.ts';
import { ExecuteConversation } from './commands/aggregates.ts';
import { SubmitMessageHandler } from './commands/submit-message.ts';
import { publishInference } from './contracts/inference-events.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { EraseWhatWasAUsersWhenUserErased } from './policies/erase-what-was-a-users-when-user-erased.ts';
import { RepliesInHand } from './workflows/replies-in-hand.ts';
import { ReplyWriter } from './workflows/reply-writer.ts';
import { TakeOverReplyWhenWorkerIsLost } from './workflows/take-over-reply-when-worker-is-lost.ts';
import { ContentErasedOf, ConversationsOf, MessagesLeft } from './projections/content-of-user.ts';
import { MessageById, messages } from './projections/messages.ts';
import { CountOwedReplies, OwedReplies, QuestionOf } from './projections/owed-replies.ts';
import { Transcript } from './projections/transcript.ts';

@Module({})
export class InferenceModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: InferenceModule,
      imports: [await FoundationModule.of(host, { name: 'inference', projections: [messages], publish: publishInference })],
      controllers: [ConversationController, ErasuresController],
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
        ),
        SubmitMessageHandler,
        TakeOverReplyWhenWorkerIsLost,
        { provide: Erasing, useClass: EraseWhatWasAUsersWhenUserErased },
        {
          provide: Catalogue,
          useFactory: (config: Config) => new Catalogue(config.models, config.globalAvailableModels),
          inject: [Config],
        },
        {
          provide: RepliesInHand,
          useFactory: (
            commands: CommandBus,
            queries: QueryBus,
            vault: Vault,
            catalogue: Catalogue,
            clock: Clock,
            log: Logger,
            readiness: Readiness,
          ) => {
            const writer = new ReplyWriter(commands, queries, vault, catalogue, clock, log);
            const replies = new RepliesInHand(commands, queries, writer, clock, log, host.config.maxOwedReplies);
            readiness.shows('replies', async () => ({ ...(await replies.numbers()) }));
            host.metrics.for('inference').repliesOwed(async () => (await replies.numbers()).owed);
            host.shutdown.stop('consumers', 'inference: replies', () => replies.stop());
            return replies;
          },
          inject: [CommandBus, QueryBus, Vault, Catalogue, Clock, LOGGER, Readiness],
        },
      ],
    };
  }
}
