import { Body, Controller, Delete, Get, Headers, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Audited, Caller, etagOf, FreshId, IdParam, Needs, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { RevocationFeed } from '@parlance/revocation';
import type { FastifyReply } from 'fastify';
import { BotReservations } from '../adapters/bot-reservations.ts';
import { ExecutePublication } from '../commands/aggregates.ts';
import { Deployments } from '../workflows/deployments.ts';
import { Publication, publicationAnswer } from './answers.ts';
import { ChangePublicationBody, PublishBody, publishRequestOf, termsChangeOf } from './bodies/publication-bodies.ts';
import { VisiblePublications } from './visible-publications.ts';

@Controller('bot/:botId/publication')
export class PublicationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly visible: VisiblePublications,
    private readonly bots: BotReservations,
    private readonly deployments: Deployments,
    private readonly edges: RevocationFeed,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(202)
  @Needs('PublishAllowed')
  @Audited('publish_bot', 'bot', 'botId')
  @Summary('Publish a bot as an API. For its owner and administrators. The bot must be shared with all users, and its knowledge read.')
  @Answers(202, Publication)
  @Refuses('not_owner', 403)
  @Refuses('bot_not_found', 404)
  @Refuses('already_published', 409)
  @Refuses('bot_not_public', 409)
  @Refuses('deployment_in_progress', 409)
  @Refuses('deployment_is_over', 409)
  @Refuses('sync_not_succeeded', 409)
  async publish(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @FreshId() deploymentId: string,
    @Body() body: PublishBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Publication> {
    const request = publishRequestOf(body);
    // Nothing is written for a bot that the caller may not publish.
    const ownerUserId = await this.bots.ownerOf(botId);
    await this.deployments.publish({ botId, by: caller.userId, deploymentId, ownerUserId, ...request });
    return this.answer(caller, botId, reply);
  }

  @Get()
  @SignedIn()
  @Audited('view_publication', 'bot', 'botId')
  @Summary('Get the publication of a bot. For its owner and administrators.')
  @Answers(200, Publication)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  async find(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Publication> {
    await this.visible.recordRead(caller, await this.visible.find(caller, botId));
    return this.answer(caller, botId, reply);
  }

  @Patch()
  @Needs('PublishAllowed')
  @Audited('change_publication', 'bot', 'botId')
  @Summary('Change the quota, the throttle or the allowed origins of a published bot. The change applies immediately.')
  @Answers(200, Publication)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('publication_not_succeeded', 409)
  async change(
    @Caller() caller: Caller,
    @IdParam('botId') botId: string,
    @Body() body: ChangePublicationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Publication> {
    await this.visible.find(caller, botId);
    const command = { type: 'Change', by: caller.userId, change: termsChangeOf(body) } as const;
    const { position } = await this.commands.execute(new ExecutePublication(botId, command, { ifMatch }));
    await this.edges.seenByAll(position);
    return this.answer(caller, botId, reply);
  }

  @Delete()
  @HttpCode(204)
  @Needs('PublishAllowed')
  @Audited('unpublish_bot', 'bot', 'botId')
  @Summary('Remove the publication of a bot with all its API keys. Its keys are no longer accepted by the time the answer arrives.')
  @Answers(204)
  @Refuses('bot_not_found', 404)
  @Refuses('not_published', 404)
  @Refuses('deployment_in_progress', 409)
  async remove(@Caller() caller: Caller, @IdParam('botId') botId: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    await this.visible.find(caller, botId);
    await this.deployments.remove(botId, caller.userId, ifMatch);
  }

  private async answer(caller: Caller, botId: string, reply: FastifyReply): Promise<Publication> {
    const row = await this.visible.find(caller, botId);
    reply.header('etag', etagOf(row.version));
    return publicationAnswer(row, this.config);
  }
}
