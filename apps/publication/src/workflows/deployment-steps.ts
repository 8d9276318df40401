import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { RevocationFeed } from '@parlance/revocation';
import { Clock } from '@parlance/foundation';
import { BotReservations } from '../adapters/bot-reservations.ts';
import { ExecutePublication } from '../commands/aggregates.ts';
import { isUnderWay } from '../domain/publication.ts';
import type { Publication } from '../domain/publication-events.ts';

/** The work that a process has claimed, and a position of the log that includes the claim. */
export interface ClaimedWork {
  readonly botId: string;
  readonly claim: string;
  readonly position: number;
  readonly state: Publication;
}

const WAS_INTERRUPTED = 'The request to publish the bot was interrupted.';
const WAS_TOO_LATE = 'The deployment did not end in time. Publish the bot again.';
const BOT_IS_GONE = 'The bot was released or deleted while it was being published.';

/**
 * The steps of a publication after its request. Each can be repeated, so a process that takes over the work of a lost one repeats the
 * step that was in progress.
 */
@Injectable()
export class DeploymentSteps {
  constructor(
    private readonly commands: CommandBus,
    private readonly bots: BotReservations,
    private readonly edges: RevocationFeed,
    private readonly clock: Clock,
  ) {}

  /** Rejects if a step fails for a reason that may be temporary. The work is resumed when the lease has ended. */
  async carryOn({ botId, claim, position, state }: ClaimedWork): Promise<void> {
    if (!isUnderWay(state)) return;
    const { deploymentId, number } = state;
    switch (state.status) {
      case 'requested':
        // The request was never answered, so the user does not expect it to continue.
        return this.giveUp({ botId, deploymentId, number, claim, reason: WAS_INTERRUPTED });
      case 'deploying': {
        const isLate = state.deadline <= this.clock.now();
        if (!isLate && !(await this.isServed(botId, deploymentId, position))) return this.rollBack(botId, deploymentId, number);
        const reason = isLate ? WAS_TOO_LATE : await this.complete(botId, number);
        if (reason !== null) return this.giveUp({ botId, deploymentId, number, claim, reason });
        await this.commands.execute(new ExecutePublication(botId, { type: 'Succeed', claim }));
        return;
      }
      case 'given_up':
      case 'rolling_back':
        return this.rollBack(botId, deploymentId, number);
      case 'removing':
        return this.finishRemoval(botId, deploymentId, number);
    }
  }

  /** Ends an attempt and releases the bot. */
  async giveUp({
    botId,
    number,
    ...command
  }: {
    readonly botId: string;
    readonly number: number;
    readonly deploymentId: string;
    readonly claim: string;
    readonly reason: string;
  }): Promise<void> {
    await this.commands.execute(new ExecutePublication(botId, { type: 'GiveUp', ...command }));
    await this.rollBack(botId, command.deploymentId, number);
  }

  async finishRemoval(botId: string, deploymentId: string, number: number): Promise<void> {
    await this.bots.release(botId, number);
    await this.commands.execute(new ExecutePublication(botId, { type: 'FinishRemoval', deploymentId }));
  }

  /**
   * Each live edge learns of a deployment from the revocations. It tries the address before it acknowledges them. An edge that cannot
   * serve the address ends the deployment before that.
   */
  private async isServed(botId: string, deploymentId: string, position: number): Promise<boolean> {
    await this.edges.seenByAll(position);
    try {
      // This has no effect on a deployment that has begun, and is refused for one that has ended.
      await this.commands.execute(new ExecutePublication(botId, { type: 'StartDeployment', deploymentId }));
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'deployment_is_over') return false;
      throw error;
    }
  }

  /** Null, or why the deployment fails. */
  private async complete(botId: string, number: number): Promise<string | null> {
    try {
      await this.bots.complete(botId, number);
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') return BOT_IS_GONE;
      throw error;
    }
  }

  private async rollBack(botId: string, deploymentId: string, number: number): Promise<void> {
    await this.bots.release(botId, number);
    await this.commands.execute(new ExecutePublication(botId, { type: 'FinishRollback', deploymentId }));
  }
}
