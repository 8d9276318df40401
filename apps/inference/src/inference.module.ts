import { type DynamicModule, Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Vault } from '@parlance/privacy';
import {
  Clock,
  Config,
  Erasing,
  ErasuresController,
  FoundationModule,
  type Host,
  LOGGER,
  type Logger,
  Streams,
} from '@parlance/service-kit';
import { Catalogue } from './adapters/catalogue.ts';
import { ConversationCommands } from './commands/conversation.ts';
import { publishInference } from './contracts/inference-events.ts';
import { ConversationController } from './http/conversation.controller.ts';
import { EraseWhatWasAUsersWhenUserErased } from './policies/erase-what-was-a-users-when-user-erased.ts';
import { ReplyWriter } from './policies/reply-writer.ts';
import { TakeOverReplyWhenWorkerIsLost } from './policies/take-over-reply-when-worker-is-lost.ts';
import { WriteReplyWhenMessageSubmitted } from './policies/write-reply-when-message-submitted.ts';
import { CountContentErasedOf, FindConversationsOf } from './projections/content-of-user.ts';
import { FindAbandonedReplies, FindMessageById, messages } from './projections/messages.ts';

@Module({})
export class InferenceModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: InferenceModule,
      imports: [await FoundationModule.of(host, { name: 'inference', projections: [messages], publish: publishInference })],
      controllers: [ConversationController, WriteReplyWhenMessageSubmitted, ErasuresController],
      providers: [
        ConversationCommands,
        FindMessageById,
        FindAbandonedReplies,
        FindConversationsOf,
        CountContentErasedOf,
        TakeOverReplyWhenWorkerIsLost,
        { provide: Erasing, useClass: EraseWhatWasAUsersWhenUserErased },
        {
          provide: Catalogue,
          useFactory: (config: Config) => new Catalogue(config.models, config.globalAvailableModels),
          inject: [Config],
        },
        {
          provide: ReplyWriter,
          useFactory: (commands: CommandBus, streams: Streams, vault: Vault, catalogue: Catalogue, clock: Clock, log: Logger) => {
            const writer = new ReplyWriter(commands, streams, vault, catalogue, clock, log);
            host.shutdown.stop('consumers', 'inference: replies', () => writer.stop());
            return writer;
          },
          inject: [CommandBus, Streams, Vault, Catalogue, Clock, LOGGER],
        },
      ],
    };
  }
}
