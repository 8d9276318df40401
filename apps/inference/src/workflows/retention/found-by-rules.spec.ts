import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import { FoundByRules, MEMBERS_AT_ONCE, MOST_COUNTED } from './found-by-rules.ts';

const clock = { now: () => Instant.ofSeconds(1_800_000_000) } as Clock;

/** Returns this many conversations, page by page. */
const withRows = (count: number): QueryBus => {
  let left = count;
  const execute = async () => {
    const rows = Array.from({ length: Math.min(40, left) }, () => ({}));
    left -= rows.length;
    return { rows, keys: [], next: left > 0 ? [left] : null };
  };
  return { execute } as unknown as QueryBus;
};

describe('the members of a group', () => {
  it('are fetched from identity page by page', async () => {
    const members = Array.from({ length: 2 * MEMBERS_AT_ONCE + 3 }, (_, index) => `u${String(index).padStart(5, '0')}`);
    const sizes: number[] = [];
    const post = async (_service: string, _path: string, { after = '', limit }: { after?: string; limit: number }) => {
      const user_ids = members.filter((id) => id > after).slice(0, limit);
      sizes.push(user_ids.length);
      return { user_ids };
    };
    const lists: string[] = [];
    const execute = async ({ args: [which] }: { args: readonly [{ list: string }] }) => {
      lists.push(which.list);
      return { rows: [], keys: [], next: null };
    };
    const found = new FoundByRules({ execute } as unknown as QueryBus, { post } as unknown as ServiceCalls, clock);
    await found.countFiles({ inactiveDays: 1, scope: { appliesTo: 'group', group: 'Interns' } });
    expect(sizes).toEqual([MEMBERS_AT_ONCE, MEMBERS_AT_ONCE, 3]);
    expect(lists).toEqual(members);
  });
});

describe('the count for a rule', () => {
  const counted = (count: number) =>
    new FoundByRules(withRows(count), {} as ServiceCalls, clock).countConversations({ inactiveDays: 1, scope: { appliesTo: 'all' } });

  it('is complete up to its limit', async () => expect(await counted(MOST_COUNTED)).toEqual({ count: MOST_COUNTED, isComplete: true }));
  it('is incomplete beyond its limit', async () =>
    expect(await counted(MOST_COUNTED + 1)).toEqual({ count: MOST_COUNTED, isComplete: false }));
});
