import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { RevocationFeed } from '@parlance/revocation';
import type { BotReservations } from '../adapters/bot-reservations.ts';
import type { ExecutePublication } from '../commands/aggregates.ts';
import type { Publication } from '../domain/publication-events.ts';
import { DeploymentSteps } from './deployment-steps.ts';

const at = Instant.ofMillis;
const work = {
  deploymentId: 'd',
  ownerUserId: 'ann',
  number: 3,
  claim: 'c',
  leaseUntil: at(15),
  stage: 'api',
  terms: { quota: null, throttle: { rate_limit: 50, burst_limit: 100 }, allowedOrigins: ['*'] },
  deadline: at(100),
};

/** The steps that are done for this work, in order. */
async function stepsOf(state: Publication, isProbeFailed = false): Promise<string[]> {
  const done: string[] = [];
  const commands = {
    execute: async ({ command }: InstanceType<typeof ExecutePublication>) => {
      done.push(command.type);
      if (command.type === 'StartDeployment' && isProbeFailed) throw refuse('conflict', 'deployment_is_over', 'It is over.');
    },
  } as unknown as CommandBus;
  const bots = {
    complete: async (_: string, number: number) => void done.push(`complete ${number}`),
    release: async (_: string, number: number) => void done.push(`release ${number}`),
  } as unknown as BotReservations;
  const edges = { seenByAll: async (position: number) => void done.push(`edges ${position}`) } as unknown as RevocationFeed;
  const steps = new DeploymentSteps(commands, bots, edges, { now: () => at(50) } as Clock);
  await steps.carryOn({ botId: 'b', claim: 'c', position: 7, state });
  return done;
}

describe('the steps of a publication', () => {
  it('mark the bot as published when all edges have tried the address', async () =>
    expect(await stepsOf({ ...work, status: 'deploying' })).toEqual(['edges 7', 'StartDeployment', 'complete 3', 'Succeed']));
  it('release the bot when an edge could not serve the address', async () =>
    expect(await stepsOf({ ...work, status: 'deploying' }, true)).toEqual(['edges 7', 'StartDeployment', 'release 3', 'FinishRollback']));
  it('release the bot after the deadline, without waiting for the edges', async () =>
    expect(await stepsOf({ ...work, status: 'deploying', deadline: at(50) })).toEqual(['GiveUp', 'release 3', 'FinishRollback']));
  it('release the bot before the end is recorded, so that the release is repeated when it fails', async () => {
    expect(await stepsOf({ ...work, status: 'rolling_back', reason: 'r' })).toEqual(['release 3', 'FinishRollback']);
    expect(await stepsOf({ ...work, status: 'removing', revision: 1, keyIds: [] })).toEqual(['release 3', 'FinishRemoval']);
  });
});
