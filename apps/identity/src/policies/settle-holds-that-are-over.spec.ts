import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { Holds } from '../workflows/holds/holds.ts';
import { SettleHoldsThatAreOver } from './settle-holds-that-are-over.ts';

const clock = { now: () => Instant.ofSeconds(1_800_000_000) } as Clock;

describe('holds that are over', () => {
  it.each(['requested', 'ending'])('are settled even if a hundred %s holds before them cannot be settled', async (wanted) => {
    const ids = Array.from({ length: 130 }, (_, index) => `h${String(index).padStart(3, '0')}`);
    const left = new Set(ids);
    const execute = async ({ args: [status, after, limit] }: { args: readonly [string, string | null, number] }) =>
      status === wanted
        ? [...left]
            .filter((id) => after === null || id > after)
            .slice(0, limit)
            .map((hold_id) => ({ hold_id, create_time: 0 }))
        : [];
    const tried: string[] = [];
    const settle = async (id: string) => {
      tried.push(id);
      if (id < 'h100') throw new Error('bots does not answer');
      left.delete(id);
    };
    const holds = { settle, withdraw: settle } as unknown as Holds;
    const policy = new SettleHoldsThatAreOver(holds, { execute } as unknown as QueryBus, clock);
    await expect(policy.settle()).rejects.toThrow('100 holds could not be settled');
    await policy.settle();
    expect([...left]).toEqual(ids.slice(0, 100));
    // This round begins with the first hold again.
    await expect(policy.settle()).rejects.toThrow('100 holds could not be settled');
    expect(tried).toHaveLength(230);
  });
  it('that cannot be settled are all reported, the requested ones and the ending ones', async () => {
    const execute = async ({ args: [status] }: { args: readonly [string] }) => [{ hold_id: `a hold ${status}`, create_time: 0 }];
    const settle = async (id: string) => {
      throw new Error(`${id} cannot be settled`);
    };
    const holds = { settle, withdraw: settle } as unknown as Holds;
    const policy = new SettleHoldsThatAreOver(holds, { execute } as unknown as QueryBus, clock);
    await expect(policy.settle()).rejects.toMatchObject({
      message: '1 holds could not be settled: a hold requested; 1 holds could not be settled: a hold ending',
    });
  });
});
