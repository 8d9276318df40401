import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventPattern, Payload } from '@nestjs/microservices';
import { GroupDeleted } from '@parlance/contracts';
import { eraseEach } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { ExecuteBot } from '../commands/aggregates.ts';
import { PromptWriter } from '../commands/prompts/prompt-writer.ts';
import { groupAudience } from '../domain/sharing.ts';
import { BotsListedUnder } from '../projections/bots/bot-queries.ts';
import { PromptOwnersListing } from '../projections/prompts/prompts.ts';

/** Removes a deleted group from the lists of all bots and prompts, so that a later group of the same name gets no access. */
@Controller()
export class ForgetGroupWhenGroupDeleted {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly prompts: PromptWriter,
  ) {}

  @EventPattern(GroupDeleted.type)
  async on(@Payload() { data: { group } }: CloudEvent<GroupDeleted>) {
    await eraseEach(
      () => this.queries.execute(new BotsListedUnder(groupAudience(group))),
      (id) => this.commands.execute(new ExecuteBot(id, { type: 'ForgetListed', gone: { group } })),
    );
    await eraseEach(
      () => this.queries.execute(new PromptOwnersListing(groupAudience(group))),
      (ownerId) => this.prompts.forgetListed(ownerId, { group }),
    );
  }
}
