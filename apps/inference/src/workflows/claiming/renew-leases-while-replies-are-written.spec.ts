import type { CommandBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { Instant, refuse } from '@parlance/decider';
import type { Clock } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import type { ExecuteConversation } from '../../commands/aggregates.ts';
import { LiveReplies } from '../live-replies.ts';
import { RenewLeasesWhileRepliesAreWritten } from './renew-leases-while-replies-are-written.ts';
import { REPLY_MINUTES } from '../writing/reply-failures.ts';
import { LEASE_MILLIS } from './worker-lease.ts';

function keeper({ isCancelled = false, fails = null as Error | null } = {}) {
  let now = Instant.ofMillis(0);
  const renewed: unknown[] = [];
  const live = new LiveReplies();
  const keep = new RenewLeasesWhileRepliesAreWritten(
    {
      execute: async ({ command }: InstanceType<typeof ExecuteConversation>) => {
        renewed.push(command);
        if (fails) throw fails;
        return { state: { running: { r: { isCancelled } } } };
      },
    } as unknown as CommandBus,
    live,
    { now: () => now } as Clock,
    { warn: () => undefined } as unknown as Logger,
  );
  const reply = live.begin(
    { userId: 'ann', conversationId: 'c', replyId: 'r', claim: 'one', leaseUntil: Instant.plus(now, LEASE_MILLIS) },
    now,
  );
  const at = async (millis: number) => {
    now = Instant.ofMillis(millis);
    await keep.check();
  };
  return { live, reply, renewed, at };
}

describe('the lease of a reply that is being written', () => {
  it('is extended when half of it has passed, and not before', async () => {
    const { at, renewed, reply } = keeper();
    await at(LEASE_MILLIS / 2 - 1);
    expect(renewed).toEqual([]);
    await at(LEASE_MILLIS / 2);
    await at(LEASE_MILLIS / 2 + 1);
    expect(renewed).toEqual([{ type: 'RenewClaim', replyId: 'r', claim: 'one', leaseUntil: LEASE_MILLIS * 1.5 }]);
    expect(reply.leaseUntil).toBe(LEASE_MILLIS * 1.5);
  });
  it('is left alone when the reply has ended', async () => {
    const { at, renewed, live, reply } = keeper();
    live.end(reply);
    await at(LEASE_MILLIS);
    expect(renewed).toEqual([]);
  });
  it.each(['claim_lost', 'reply_is_over'])('ends the work at once after %s', async (code) => {
    const { at, reply } = keeper({ fails: refuse('conflict', code, 'It is over.') });
    await at(LEASE_MILLIS);
    expect(reply.signal.reason).toMatchObject({ because: 'lost' });
  });
  it('is tried again when the log cannot be reached, and the work continues', async () => {
    const { at, reply, renewed } = keeper({ fails: new Error('away') });
    await at(LEASE_MILLIS);
    await at(LEASE_MILLIS + 1);
    expect([renewed.length, reply.signal.aborted]).toEqual([2, false]);
  });
  it('stops a reply that was cancelled through another replica', async () => {
    const { at, reply } = keeper({ isCancelled: true });
    await at(LEASE_MILLIS);
    expect(reply.signal.reason).toMatchObject({ because: 'cancelled' });
  });
  it('is not extended beyond the maximum time of a reply', async () => {
    const { at, reply, renewed } = keeper();
    await at(REPLY_MINUTES * 60_000 + 1);
    expect([reply.signal.reason, renewed]).toMatchObject([{ because: 'out_of_time' }, []]);
  });
});
