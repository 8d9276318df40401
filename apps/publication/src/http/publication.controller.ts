import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Caller, IdParam, SignedIn } from '@parlance/http';
import { KnownBotById } from '../projections/known-bots.ts';

@Controller('bot/:botId/publication')
export class PublicationController {
  constructor(private readonly queries: QueryBus) {}

  /** No bot can be published yet. The owner of a bot learns that it is not published, other users that there is no such bot. */
  @Get()
  @SignedIn()
  @Summary('Get the publication of a bot.')
  @Answers(200, { type: 'object' })
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  async find(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<never> {
    const bot = await this.queries.execute(new KnownBotById(botId));
    if (!bot || bot.owner_user_id !== caller.userId)
      throw refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');
    throw refuse('missing', 'not_published', 'This bot is not published.');
  }
}
