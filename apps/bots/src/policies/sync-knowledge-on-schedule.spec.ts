import { expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { SyncKnowledgeOnSchedule } from './sync-knowledge-on-schedule.ts';

it('starts the runs of other bots although the events of one cannot be read, and names that one', async () => {
  const rows = ['one', 'damaged', 'other'].map((bot_id) => ({ bot_id, next_time: 1 }));
  const started: string[] = [];
  const queries = { execute: async () => ({ rows, next: null }) } as unknown as QueryBus;
  const execute = async ({ id }: { id: string }) => {
    if (id === 'damaged') throw new SyntaxError('Unexpected end of JSON input');
    started.push(id);
  };
  const clock = { now: () => Instant.ofMillis(2) } as Clock;
  const policy = new SyncKnowledgeOnSchedule({ execute } as unknown as CommandBus, queries, clock);
  await expect(policy.startDue()).rejects.toThrow('1 scheduled runs could not be requested: damaged');
  expect(started).toEqual(['one', 'other']);
});
