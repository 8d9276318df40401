import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, LOGGER, PagedRounds } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import { RevocationFeed } from '@parlance/revocation';
import type { Logger } from 'pino';
import { BotReservations } from '../adapters/bot-reservations.ts';
import { ExecutePublication } from '../commands/aggregates.ts';
import type { Terms } from '../domain/publication-events.ts';
import { DeploymentsDue, type PublicationRow } from '../projections/publications.ts';
import { type ClaimedWork, DeploymentSteps } from './deployment-steps.ts';
import { type Cursor } from '@parlance/read-models';

/** How long a lost process keeps its work. A step takes less, because a call to another service ends after ten seconds. */
export const LEASE_MILLIS = 15_000;
/** A deployment that takes longer than this fails. */
export const DEADLINE_MILLIS = 120_000;
/** The most deployments that one round takes over, one by one. */
const TAKEN_AT_ONCE = 20;

export interface PublishRequest {
  readonly botId: string;
  readonly by: string;
  readonly deploymentId: string;
  readonly ownerUserId: string;
  readonly stage: string;
  readonly terms: Terms;
}

/** Begins and removes publications, and continues the work of lost processes. */
@Injectable()
export class Deployments {
  private readonly inHand = new Map<string, Promise<void>>();
  private readonly rounds = new PagedRounds<PublicationRow, Cursor>('deployments could not be taken over', ({ bot_id }) => bot_id);
  private isStopping = false;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly bots: BotReservations,
    private readonly steps: DeploymentSteps,
    private readonly edges: RevocationFeed,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Resolves when the bot is reserved; the deployment continues after the response. A refused request leaves nothing behind.
   * Throws `already_published` and `deployment_in_progress`, and the refusals of `BotReservations.reserve`.
   */
  async publish({ botId, ...facts }: PublishRequest): Promise<void> {
    const { deploymentId } = facts;
    const lease = this.lease();
    const deadline = Instant.plus(this.clock.now(), DEADLINE_MILLIS);
    const { state } = await this.commands.execute(new ExecutePublication(botId, { type: 'Request', ...facts, ...lease, deadline }));
    if (state.status !== 'requested') return;
    const { number, claim } = state;
    try {
      await this.bots.reserve(botId, number);
    } catch (error) {
      await this.steps.giveUp({ botId, deploymentId, number, claim, reason: 'The bot was not reserved.' }).catch((failure: unknown) => {
        this.log.warn({ err: failure, botId }, 'a refused request could not be withdrawn; another attempt follows');
      });
      throw error;
    }
    const started = await this.commands.execute(new ExecutePublication(botId, { type: 'StartDeployment', deploymentId }));
    this.start({ botId, claim, position: started.position, state: started.state });
  }

  /** Resolves when no edge serves the API and its keys are invalid. Throws `not_published` and `deployment_in_progress`. */
  async remove(botId: string, by: string, ifMatch: string | undefined): Promise<void> {
    const { state, position } = await this.commands.execute(
      new ExecutePublication(botId, { type: 'Remove', by, ...this.lease() }, { ifMatch }),
    );
    await this.edges.seenByAll(position);
    if (state.status !== 'removing') return;
    // The removal is already recorded. If a step fails here, the timer repeats it.
    await this.steps.finishRemoval(botId, state.deploymentId, state.number).catch((error: unknown) => {
      this.log.warn({ err: error, botId }, 'a bot could not be released after its publication was removed; another attempt follows');
    });
  }

  async takeOver(): Promise<void> {
    if (this.isStopping) return;
    await this.rounds.run(
      (after) => this.queries.execute(new DeploymentsDue(this.clock.now(), after, TAKEN_AT_ONCE)),
      async ({ bot_id: botId }) => {
        if (this.inHand.has(botId)) return;
        const claimed = await this.claim(botId);
        if (claimed) this.start(claimed);
      },
      { isStopping: () => this.isStopping },
    );
  }

  private lease() {
    return { claim: newId(), leaseUntil: Instant.plus(this.clock.now(), LEASE_MILLIS) };
  }

  /** Null if another process was faster. */
  private async claim(botId: string): Promise<ClaimedWork | null> {
    const lease = this.lease();
    try {
      const command = { type: 'TakeOver', now: this.clock.now(), ...lease } as const;
      const { state, position } = await this.commands.execute(new ExecutePublication(botId, command));
      return { botId, claim: lease.claim, position, state };
    } catch (error) {
      if (error instanceof Refusal && !isTransient(error)) return null;
      throw error;
    }
  }

  private start(work: ClaimedWork): void {
    const { botId } = work;
    const done = RequestContext.run(RequestContext.background(), () => this.steps.carryOn(work))
      .catch((error: unknown) => {
        this.log.warn({ err: error, botId }, 'a deployment could not continue; a process takes it over when its lease ends');
      })
      .finally(() => this.inHand.delete(botId));
    this.inHand.set(botId, done);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.inHand.values());
  }
}
