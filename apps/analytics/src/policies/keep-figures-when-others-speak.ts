import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotCreated, ReplyCompleted, UserEmailChanged, UserRegistered } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { applyForeign, ReadModels } from '@parlance/read-models';
import { directory } from '../projections/directory.ts';
import { spend } from '../projections/spend.ts';

/** What other services say, brought to this service's read models: once each, whatever is delivered twice. */
@Controller()
export class KeepFiguresWhenOthersSpeak {
  constructor(private readonly models: ReadModels) {}

  @EventPattern(ReplyCompleted.type)
  onReplyCompleted(@Payload() event: CloudEvent<ReplyCompleted>) {
    return applyForeign(this.models, spend, event);
  }

  @EventPattern(UserRegistered.type)
  onUserRegistered(@Payload() event: CloudEvent<UserRegistered>) {
    return applyForeign(this.models, directory, event);
  }

  @EventPattern(UserEmailChanged.type)
  onUserEmailChanged(@Payload() event: CloudEvent<UserEmailChanged>) {
    return applyForeign(this.models, directory, event);
  }

  @EventPattern(BotCreated.type)
  onBotCreated(@Payload() event: CloudEvent<BotCreated>) {
    return applyForeign(this.models, directory, event);
  }
}
