import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { FoundByRules, MOST_COUNTED } from './found-by-rules.ts';

const clock = { now: () => Instant.ofSeconds(1_800_000_000) } as Clock;

/** Answers this many conversations, page by page. */
const withRows = (count: number): QueryBus => {
  let left = count;
  const execute = async () => {
    const rows = Array.from({ length: Math.min(40, left) }, () => ({}));
    left -= rows.length;
    return { rows, keys: [], next: left > 0 ? [left] : null };
  };
  return { execute } as unknown as QueryBus;
};

describe('the count of what a rule names', () => {
  const counted = (count: number) =>
    new FoundByRules(withRows(count), {} as ServiceCalls, clock).countConversations({ inactiveDays: 1, scope: { appliesTo: 'all' } });

  it('is complete up to its limit', async () => expect(await counted(MOST_COUNTED)).toEqual({ count: MOST_COUNTED, isComplete: true }));
  it('says beyond its limit that it has only a part', async () =>
    expect(await counted(MOST_COUNTED + 1)).toEqual({ count: MOST_COUNTED, isComplete: false }));
});
