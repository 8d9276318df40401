import { expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { NotificationStream } from './notification-stream.ts';

it('ends a stream at its time, and looks no further for its user', async () => {
  let now = Instant.ofMillis(0);
  let left = 0;
  let reads = 0;
  const lists = {
    after: async () => {
      reads++;
      return { all: [], positions: {} };
    },
  };
  const changed = async () => void (now = Instant.plus(now, 60_000));
  const watch = { join: () => ({ changed, leave: () => left++ }) };
  const stream = new NotificationStream(lists as never, watch as never, {} as never);
  const following = { user: { userId: 'ann', groups: [] }, from: {}, until: Instant.ofMillis(180_000), now: () => now };
  for await (const sent of stream.after(following, new AbortController().signal)) expect(sent).toBeUndefined();
  expect([reads, left]).toEqual([3, 1]);
});
