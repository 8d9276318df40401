import { expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { RevocationFeed } from '@parlance/revocation';
import type { Logger } from 'pino';
import type { BotReservations } from '../adapters/bot-reservations.ts';
import type { DeploymentSteps } from './deployment-steps.ts';
import { Deployments } from './deployments.ts';

it('releases the bot of a removed publication once no edge serves it', async () => {
  const done: string[] = [];
  const state = { status: 'removing', deploymentId: 'd', number: 3 };
  const commands = { execute: async () => ({ state, position: 9 }) } as unknown as CommandBus;
  const steps = { finishRemoval: async () => void done.push('release') } as unknown as DeploymentSteps;
  const edges = { seenByAll: async (position: number) => void done.push(`edges ${position}`) } as unknown as RevocationFeed;
  const clock = { now: () => Instant.ofMillis(1) } as Clock;
  await new Deployments(commands, {} as QueryBus, {} as BotReservations, steps, edges, clock, {} as Logger).remove('b', 'ann', undefined);
  expect(done).toEqual(['edges 9', 'release']);
});
