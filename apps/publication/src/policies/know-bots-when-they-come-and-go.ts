import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { BotCreated, BotDeleted } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { applyForeign, ReadModels } from '@parlance/read-models';
import { knownBots } from '../projections/known-bots.ts';

@Controller()
export class KnowBotsWhenTheyComeAndGo {
  constructor(private readonly models: ReadModels) {}

  @EventPattern(BotCreated.type)
  onBotCreated(@Payload() event: CloudEvent<BotCreated>) {
    return applyForeign(this.models, knownBots, event);
  }

  @EventPattern(BotDeleted.type)
  onBotDeleted(@Payload() event: CloudEvent<BotDeleted>) {
    return applyForeign(this.models, knownBots, event);
  }
}
