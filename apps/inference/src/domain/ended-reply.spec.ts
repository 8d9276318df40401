import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { claimed, complete, completed, failed, given, started, submit, submitted, usage } from '../../test/conversation-events.ts';
import { conversation } from './conversation.ts';

describe('a reply whose stream broke', () => {
  const partial = { content: 's1.half', usage, costNanoDollars: 3 };
  const fail = { type: 'FailReply', replyId: 'r1', claim: 'one', code: 'provider_failed', reason: 'it hung' } as const;
  const parties = { userId: 'ann', botId: 'b' };
  it('keeps the text so far, and is charged once by its own event', () =>
    given(started, submitted, claimed)
      .when({ ...fail, partial })
      .emits(
        { type: 'TokensCharged', chargeId: 'r1', purpose: 'chat', model: 'local', usage, costNanoDollars: 3, ...parties },
        { ...failed, content: 's1.half', claim: 'one' },
      ));
  it('is charged for earlier calls that failed, too', () => {
    const charge = { chargeId: 'one-1', purpose: 'chat', model: 'first', usage, costNanoDollars: 2 } as const;
    return given(started, submitted, claimed)
      .when({ ...fail, partial: { ...partial, model: 'second' }, failedCalls: [charge] })
      .emits(
        { type: 'TokensCharged', ...charge, ...parties },
        { type: 'TokensCharged', chargeId: 'r1', purpose: 'chat', model: 'second', usage, costNanoDollars: 3, ...parties },
        { ...failed, content: 's1.half', claim: 'one' },
      );
  });
  it('is not charged if the provider was not reached', () =>
    given(started, submitted, claimed)
      .when({ ...fail, partial: null })
      .emits(failed));
  it('has ended: a second failure is not charged', () =>
    given(started, submitted, claimed, failed)
      .when({ ...fail, partial })
      .refuses('reply_is_over'));
});

describe('a reply whose cost is reserved in budgets', () => {
  const budgets = ['budget/block'];
  const marked = { ...submitted, budgets } as const;
  const charge = { chargeId: 'r1', purpose: 'chat', model: 'local', usage, costNanoDollars: 3 } as const;

  it('records it with its message', () =>
    given()
      .when({ ...submit, budgets })
      .emits(started, marked));
  it('records nothing if no budget applies', () =>
    given()
      .when({ ...submit, budgets: [] })
      .emits(started, submitted));
  it('records it with its end', () =>
    given(started, marked, claimed)
      .when(complete)
      .emits({ ...completed, budgets }));
  it('records it with its charges, which precede its end', () =>
    given(started, marked, claimed)
      .when({
        type: 'FailReply',
        replyId: 'r1',
        claim: 'one',
        code: 'provider_failed',
        reason: 'it hung',
        partial: { content: 's1.half', usage, costNanoDollars: 3 },
      })
      .emits(
        { type: 'TokensCharged', ...charge, userId: 'ann', botId: 'b', budgets },
        { ...failed, budgets, content: 's1.half', claim: 'one' },
      ));
});

describe('the facts of a reply besides its text', () => {
  it('include the model that answered instead of the requested one, and charges of the failed calls', () => {
    const charge = { chargeId: 'one-1', purpose: 'chat', model: 'local', usage, costNanoDollars: 2 } as const;
    return given(started, submitted, claimed)
      .when({ ...complete, fallback: 'other', failedCalls: [charge] })
      .emits({ type: 'TokensCharged', ...charge, userId: 'ann', botId: 'b' }, { ...completed, model: 'other' });
  });
  it('are stored with the reply', () =>
    given(started, submitted, claimed)
      .when({ ...complete, stopReason: 'max_tokens', reasoning: 's1.hm' })
      .emits({ ...completed, stopReason: 'max_tokens', reasoning: 's1.hm' }));
  it('are absent from the event of a usual end', () => {
    const [event] = conversation.decide(
      { ...complete, stopReason: 'end_turn', reasoning: null, provenance: null },
      fold(conversation, [started, submitted, claimed]),
    ) as object[];
    expect(event).toEqual(completed);
    for (const name of ['stopReason', 'reasoning', 'provenance']) expect(Object.keys(event!)).not.toContain(name);
  });
});

describe('the chunks that a reply cites', () => {
  const usedChunks = { content: 's1.z', sourceIds: ['d1', 'd2'] };
  it('are stored with the reply', () =>
    given(started, submitted, claimed)
      .when({ ...complete, usedChunks })
      .emits({ ...completed, usedChunks }));
  it('are absent from the event if there are none', () => {
    const decision = conversation.decide(complete, fold(conversation, [started, submitted, claimed]));
    expect(decision).toEqual([completed]);
    expect(Object.keys((decision as object[])[0]!)).not.toContain('usedChunks');
  });
});
