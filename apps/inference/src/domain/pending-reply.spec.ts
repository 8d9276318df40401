import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { claim, claimed, complete, completed, failed, given, later, noon, started, submitted } from '../../test/conversation-events.ts';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent } from './conversation-events.ts';

describe('claiming a reply', () => {
  it('gives it to the first worker', () => given(started, submitted).when(claim).emits(claimed));
  it('refuses a second worker while the lease runs', () =>
    given(started, submitted, claimed)
      .when({ ...claim, claim: 'two' })
      .refuses('reply_claimed'));
  it('gives it to another worker when the lease has ended', () =>
    given(started, submitted, claimed)
      .when({ ...claim, claim: 'two', now: later, leaseUntil: Instant.plus(later, 30_000) })
      .emits({ ...claimed, claim: 'two', leaseUntil: Instant.plus(later, 30_000) }));
  it('gives it to another worker when the clock of the first was ahead', () =>
    given(started, submitted, { ...claimed, leaseUntil: Instant.plus(noon, 86_400_000) })
      .when({ ...claim, claim: 'two' })
      .emits({ ...claimed, claim: 'two' }));
  it('refuses a reply that is over', () => given(started, submitted, claimed, completed).when(claim).refuses('reply_is_over'));
  it('refuses a reply that was never pending', () => given(started).when(claim).refuses('reply_is_over'));
});

describe('ending a reply', () => {
  it('stores and charges it', () => given(started, submitted, claimed).when(complete).emits(completed));
  it('records a failure', () =>
    given(started, submitted, claimed)
      .when({ type: 'FailReply', replyId: 'r1', claim: 'one', code: 'provider_failed', reason: 'it hung' })
      .emits(failed));
  it('refuses the late result of a worker that lost its claim', () =>
    given(started, submitted, claimed, { ...claimed, claim: 'two' })
      .when(complete)
      .refuses('claim_lost'));
  it('refuses a second end', () => given(started, submitted, claimed, completed).when(complete).refuses('reply_is_over'));
});

describe('renewing a claim', () => {
  const renew = { type: 'RenewClaim', replyId: 'r1', claim: 'one', leaseUntil: Instant.plus(later, 30_000) } as const;
  const renewed = { ...claimed, leaseUntil: renew.leaseUntil } as const;
  it('extends the lease of the worker that has the reply', () => given(started, submitted, claimed).when(renew).emits(renewed));
  it('keeps other workers away for longer', () =>
    given(started, submitted, claimed, renewed)
      .when({ ...claim, claim: 'two', now: later })
      .refuses('reply_claimed'));
  it('extends even an expired lease, as long as no other worker has taken the reply', () =>
    given(started, submitted, { ...claimed, leaseUntil: noon })
      .when(renew)
      .emits(renewed));
  it('names the replica where the reply can be read', () =>
    given(started, submitted, claimed)
      .when({ ...renew, worker: 'http://10.0.0.1:8080' })
      .emits({ ...renewed, worker: 'http://10.0.0.1:8080' }));
  it('refuses a worker that lost its claim', () =>
    given(started, submitted, claimed, { ...claimed, claim: 'two' })
      .when(renew)
      .refuses('claim_lost'));
  it('refuses a reply that is over', () => given(started, submitted, claimed, completed).when(renew).refuses('reply_is_over'));
});

describe('cancelling a reply', () => {
  const cancel = { type: 'CancelReply', replyId: 'r1', userId: 'ann' } as const;
  const cancelled = { type: 'ReplyCancelled', replyId: 'r1' } as const;
  it('is recorded, for the worker that has it or takes it', () => given(started, submitted).when(cancel).emits(cancelled));
  it('leaves the reply to its worker, which stores the text so far', () =>
    given(started, submitted, claimed, cancelled)
      .when({ ...complete, stopReason: 'cancelled' })
      .emits({ ...completed, stopReason: 'cancelled' }));
  it('lets another worker take the reply over, to end it', () =>
    given(started, submitted, claimed, cancelled)
      .when({ ...claim, claim: 'two', now: later })
      .emits({ ...claimed, claim: 'two' }));
  it('is still known when the reply is claimed and renewed', () => {
    const { running } = fold(conversation, [started, submitted, cancelled, claimed, claimed]);
    expect(running['r1']?.isCancelled).toBe(true);
  });
  it('is idempotent', () => given(started, submitted, claimed, cancelled).when(cancel).emits());
  it('refuses a reply that is over', () => given(started, submitted, claimed, completed).when(cancel).refuses('reply_is_over'));
  it("refuses another user's reply", () =>
    given(started, submitted)
      .when({ ...cancel, userId: 'ben' })
      .refuses('conversation_not_found'));
});

describe('in any order of workers', () => {
  const command = fc.oneof(
    fc.record({
      type: fc.constant('ClaimReply' as const),
      replyId: fc.constant('r1'),
      claim: fc.constantFrom('a', 'b', 'c'),
      at: fc.nat(100_000),
    }),
    fc.record({ type: fc.constant('CompleteReply' as const), claim: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ type: fc.constant('FailReply' as const), claim: fc.constantFrom('a', 'b', 'c') }),
  );
  it('a reply is charged and ended at most once, by the worker that has it', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        const history: ConversationEvent[] = [started, submitted];
        let clock = noon;
        for (const each of commands) {
          if (each.type === 'ClaimReply') clock = Instant.plus(clock, each.at);
          const real: ConversationCommand =
            each.type === 'ClaimReply'
              ? { type: 'ClaimReply', replyId: 'r1', claim: each.claim, now: clock, leaseUntil: Instant.plus(clock, 30_000) }
              : each.type === 'CompleteReply'
                ? { ...complete, claim: each.claim }
                : { type: 'FailReply', replyId: 'r1', claim: each.claim, code: 'x', reason: 'y' };
          const decision = conversation.decide(real, fold(conversation, history));
          if (!(decision instanceof Refusal)) history.push(...decision);
        }
        const ends = history.filter((event) => event.type === 'ReplyCompleted' || event.type === 'ReplyFailed');
        expect(ends.length).toBeLessThanOrEqual(1);
        if (ends.length === 1) expect(history.at(-1)).toBe(ends[0]);
      }),
    );
  });
});
