import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Internal } from '@parlance/http';
import { Length } from 'class-validator';
import { ExecutePublication } from '../commands/aggregates.ts';
import { PublicationByApi } from '../projections/publications.ts';
import { type PublishedApi, publishedApi } from './internal-published.controller.ts';

const LONGEST_REASON = 500;

class FailureBody {
  /** A sentence for the user. */
  @Length(1, LONGEST_REASON) reason!: string;
}

/** Deployments in progress, for the edges. Each edge checks whether it can serve the address. */
@Controller('internal/deployments')
@Internal()
export class InternalDeploymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get(':apiId')
  async deployment(@Param('apiId') apiId: string): Promise<PublishedApi> {
    const row = await this.queries.execute(new PublicationByApi(apiId));
    if (row?.status !== 'deploying')
      throw refuse('missing', 'deployment_not_found', 'There is no deployment in progress with this address.');
    return publishedApi(row);
  }

  /** Ends the deployment, if it is still in progress. */
  @Post(':apiId/failures')
  @HttpCode(204)
  async fail(@Param('apiId') apiId: string, @Body() { reason }: FailureBody): Promise<void> {
    const row = await this.queries.execute(new PublicationByApi(apiId));
    if (!row) return;
    await this.commands.execute(new ExecutePublication(row.bot_id, { type: 'FailProbe', deploymentId: row.deployment_id, reason }));
  }
}
