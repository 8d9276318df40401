import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent, Usage } from './conversation-events.ts';
import { MESSAGES_REMOVED_AT_ONCE, MAX_RUNNING_REPLIES } from './conversation-limits.ts';

const given = specify(conversation);
const noon = Instant.ofSeconds(1_800_000_000);
const later = Instant.plus(noon, 30_000);
const usage: Usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

const submit = {
  type: 'Submit',
  userId: 'ann',
  botId: 'b',
  messageId: 'm1',
  replyId: 'r1',
  parent: null,
  content: 's1.x',
  model: 'local',
  claim: null,
} as const;
const started = { type: 'ConversationStarted', userId: 'ann', botId: 'b' } as const;
const submitted = {
  type: 'MessageSubmitted',
  userId: 'ann',
  botId: 'b',
  messageId: 'm1',
  replyId: 'r1',
  parentId: null,
  content: 's1.x',
  model: 'local',
} as const;
const claim = { type: 'ClaimReply', replyId: 'r1', claim: 'one', now: noon, leaseUntil: later } as const;
const claimed = { type: 'ReplyClaimed', replyId: 'r1', claim: 'one', leaseUntil: later } as const;
const complete = {
  type: 'CompleteReply',
  replyId: 'r1',
  claim: 'one',
  content: 's1.y',
  usage,
  costNanoDollars: 7,
  usedChunks: null,
} as const;
const completed = {
  type: 'ReplyCompleted',
  userId: 'ann',
  botId: 'b',
  replyId: 'r1',
  content: 's1.y',
  model: 'local',
  usage,
  costNanoDollars: 7,
  claim: 'one',
} as const;
const failed = {
  type: 'ReplyFailed',
  userId: 'ann',
  botId: 'b',
  replyId: 'r1',
  model: 'local',
  code: 'provider_failed',
  reason: 'it hung',
} as const;
const next = { ...submit, messageId: 'm2', replyId: 'r2' } as const;

describe('submitting a message', () => {
  it('names the files that it has', () => {
    const files = [{ id: 'm1.0', kind: 'image', mediaType: 'image/png', bytes: 9, sealed: 's1.f' }] as const;
    given()
      .when({ ...submit, files })
      .emits(started, { ...submitted, files });
  });
  it('starts a conversation with the first', () => given().when(submit).emits(started, submitted));
  it('claims its reply in the same append for the process that accepts it', () =>
    given()
      .when({ ...submit, claim: { claim: 'one', leaseUntil: later } })
      .emits(started, submitted, claimed));
  it('answers the last reply unless told otherwise', () =>
    given(started, submitted, claimed, completed)
      .when(next)
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('may branch off an earlier message', () =>
    given(started, submitted, claimed, completed)
      .when({ ...next, parent: { id: 'm1', exists: true } })
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'm1' }));
  it('does nothing the second time, also while the reply is being written', () => given(started, submitted, claimed).when(submit).emits());
  it('refuses while the reply before it is being written', () =>
    given(started, submitted, claimed).when(next).refuses('reply_in_progress'));
  it('goes on after a reply that failed', () =>
    given(started, submitted, claimed, failed)
      .when(next)
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('does nothing the second time, when the reply is over', () => given(started, submitted, claimed, completed).when(submit).emits());
  it('refuses an unknown parent', () =>
    given(started, submitted)
      .when({ ...next, parent: { id: 'zz', exists: false } })
      .refuses('parent_message_unknown'));
  it('takes the newest reply as a parent, also while the rows do not show it', () =>
    given(started, submitted, claimed, completed)
      .when({ ...next, parent: { id: 'r1', exists: false } })
      .emits({ ...submitted, messageId: 'm2', replyId: 'r2', parentId: 'r1' }));
  it('refuses more branches at once than wait for a reply', () => {
    const branches = Array.from({ length: MAX_RUNNING_REPLIES }, (_, n) => ({ ...submitted, messageId: `m${n}`, replyId: `r${n}` }));
    given(started, ...branches)
      .when({ ...next, replyId: 'new', parent: { id: 'm1', exists: true } })
      .refuses('reply_in_progress');
  });
  it('refuses a conversation id of another user', () =>
    given(started, submitted)
      .when({ ...next, userId: 'ben' })
      .refuses('conversation_id_taken'));
  it('refuses to change the bot on the way', () =>
    given(started, submitted)
      .when({ ...next, botId: null })
      .refuses('conversation_of_another_bot'));
});

describe('claiming a reply', () => {
  it('gives it to the first worker', () => given(started, submitted).when(claim).emits(claimed));
  it('refuses a second worker while the lease runs', () =>
    given(started, submitted, claimed)
      .when({ ...claim, claim: 'two' })
      .refuses('reply_claimed'));
  it('gives it to another when the lease has run out', () =>
    given(started, submitted, claimed)
      .when({ ...claim, claim: 'two', now: later, leaseUntil: Instant.plus(later, 30_000) })
      .emits({ ...claimed, claim: 'two', leaseUntil: Instant.plus(later, 30_000) }));
  it('refuses a reply that is over', () => given(started, submitted, claimed, completed).when(claim).refuses('reply_is_over'));
  it('refuses one that never was owed', () => given(started).when(claim).refuses('reply_is_over'));
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
  it('extends also a lease that has run out, as long as no other worker has taken the reply', () =>
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
  it('is on record, for the worker that has it or takes it', () => given(started, submitted).when(cancel).emits(cancelled));
  it('leaves the reply to its worker, which stores what it has', () =>
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
  it('does nothing the second time', () => given(started, submitted, claimed, cancelled).when(cancel).emits());
  it('refuses a reply that is over', () => given(started, submitted, claimed, completed).when(cancel).refuses('reply_is_over'));
  it("refuses another user's", () =>
    given(started, submitted)
      .when({ ...cancel, userId: 'ben' })
      .refuses('conversation_not_found'));
});

describe('a reply whose stream broke', () => {
  const partial = { content: 's1.half', usage, costNanoDollars: 3 };
  const fail = { type: 'FailReply', replyId: 'r1', claim: 'one', code: 'provider_failed', reason: 'it hung' } as const;
  const parties = { userId: 'ann', botId: 'b' };
  it('keeps what was produced, and is charged once by an event of its own', () =>
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
  it('is not charged where the provider was not reached', () =>
    given(started, submitted, claimed)
      .when({ ...fail, partial: null })
      .emits(failed));
  it('is over: a second failure is not charged', () =>
    given(started, submitted, claimed, failed)
      .when({ ...fail, partial })
      .refuses('reply_is_over'));
});

describe('a reply whose cost is reserved in budgets', () => {
  const budgets = ['budget/block'];
  const marked = { ...submitted, budgets } as const;
  const charge = { chargeId: 'r1', purpose: 'chat', model: 'local', usage, costNanoDollars: 3 } as const;

  it('says so with its message', () =>
    given()
      .when({ ...submit, budgets })
      .emits(started, marked));
  it('says nothing where no budget applies', () =>
    given()
      .when({ ...submit, budgets: [] })
      .emits(started, submitted));
  it('says so with its end', () =>
    given(started, marked, claimed)
      .when(complete)
      .emits({ ...completed, budgets }));
  it('says so with its charges, which are before its end', () =>
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

describe('what a reply has beside its text', () => {
  it('names the model that answered in place of the one that was asked, and charges the calls that failed', () => {
    const charge = { chargeId: 'one-1', purpose: 'chat', model: 'local', usage, costNanoDollars: 2 } as const;
    return given(started, submitted, claimed)
      .when({ ...complete, fallback: 'other', failedCalls: [charge] })
      .emits({ type: 'TokensCharged', ...charge, userId: 'ann', botId: 'b' }, { ...completed, model: 'other' });
  });
  it('is stored with it', () =>
    given(started, submitted, claimed)
      .when({ ...complete, stopReason: 'max_tokens', reasoning: 's1.hm' })
      .emits({ ...completed, stopReason: 'max_tokens', reasoning: 's1.hm' }));
  it('leaves no trace in the event of a usual end', () => {
    const [event] = conversation.decide(
      { ...complete, stopReason: 'end_turn', reasoning: null, provenance: null },
      fold(conversation, [started, submitted, claimed]),
    ) as object[];
    expect(event).toEqual(completed);
    for (const name of ['stopReason', 'reasoning', 'provenance']) expect(Object.keys(event!)).not.toContain(name);
  });
});

describe('asking for another reply', () => {
  const ask = {
    type: 'RequestReply',
    userId: 'ann',
    botId: 'b',
    replyId: 'r2',
    message: { id: 'm1', exists: true },
    continues: null,
    model: 'local',
    claim: null,
  } as const;
  const requested = { type: 'ReplyRequested', userId: 'ann', botId: 'b', messageId: 'm1', replyId: 'r2', model: 'local' } as const;
  const done = [started, submitted, claimed, completed] as const;
  it('to a message is owed like the first', () =>
    given(...done)
      .when(ask)
      .emits(requested));
  it('is claimed in the same append for the process that accepts it', () =>
    given(...done)
      .when({ ...ask, claim: { claim: 'two', leaseUntil: later } })
      .emits(requested, { ...claimed, replyId: 'r2', claim: 'two' }));
  it('that continues one names it', () =>
    given(...done)
      .when({ ...ask, continues: 'r1', reasoning: true })
      .emits({ ...requested, continues: 'r1', reasoning: true }));
  it('is the last message from then on', () =>
    given(...done, requested, { ...completed, replyId: 'r2' })
      .when({ ...next, messageId: 'm3', replyId: 'r3' })
      .emits({ ...submitted, messageId: 'm3', replyId: 'r3', parentId: 'r2' }));
  it('may be asked for while an earlier one is being written', () => given(started, submitted, claimed).when(ask).emits(requested));
  it('does nothing the second time', () =>
    given(...done, requested)
      .when(ask)
      .emits());
  it('refuses to continue a reply that is being written', () =>
    given(started, submitted, claimed)
      .when({ ...ask, continues: 'r1' })
      .refuses('reply_in_progress'));
  it('refuses a message that the conversation does not have', () =>
    given(...done)
      .when({ ...ask, message: { id: 'zz', exists: false } })
      .refuses('parent_message_unknown'));
  it("refuses another user's conversation, and one that is being erased", () => {
    given(...done)
      .when({ ...ask, userId: 'ben' })
      .refuses('conversation_not_found');
    given(...done, { type: 'ConversationErasureBegun', userId: 'ann' })
      .when(ask)
      .refuses('conversation_not_found');
  });
  it('refuses more replies at once than may be written', () => {
    const branches = Array.from({ length: MAX_RUNNING_REPLIES }, (_, n) => ({ ...requested, replyId: `x${n}` }));
    given(...done, ...branches)
      .when(ask)
      .refuses('reply_in_progress');
  });
});

describe('erasing a conversation', () => {
  const erase = { type: 'Erase', userId: 'ann', messageIds: ['m1', 'r1'], isBegun: false } as const;
  const begun = { type: 'ConversationErasureBegun', userId: 'ann' } as const;
  const removed = { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'r1'] } as const;
  const erased = { type: 'ConversationErased', userId: 'ann' } as const;
  const second = { ...submitted, messageId: 's1', replyId: 't1' } as const;
  it('takes one step when all of it is named', () =>
    given(started, submitted, claimed)
      .when(erase)
      .emits({ ...begun, botId: 'b', messages: 2 }, removed, erased));
  it('only begins when messages may be missing among those named', () =>
    given(started, submitted, claimed, second, { ...claimed, replyId: 't1' })
      .when(erase)
      .emits({ ...begun, botId: 'b', messages: 4 }));
  it('removes those named once it has begun', () =>
    given(started, submitted, second, begun)
      .when({ ...erase, isBegun: true })
      .emits(removed));
  it('removes none that were read before it began', () => given(started, submitted, second, begun).when(erase).emits());
  it('ends with the last of them', () =>
    given(started, submitted, second, begun, removed)
      .when({ ...erase, isBegun: true, messageIds: ['s1', 't1'] })
      .emits({ ...removed, messageIds: ['s1', 't1'] }, erased));
  it('removes nothing twice', () =>
    given(started, submitted, second, begun, removed)
      .when({ ...erase, isBegun: true })
      .emits());
  it('removes so many at once', () => {
    const all = Array.from({ length: MESSAGES_REMOVED_AT_ONCE / 2 + 1 }, (_, n) => ({
      ...submitted,
      messageId: `m${n}`,
      replyId: `r${n}`,
    }));
    const messageIds = all.flatMap(({ messageId, replyId }) => [messageId, replyId]).toSorted();
    given(started, ...all, begun)
      .when({ ...erase, isBegun: true, messageIds })
      .emits({ ...removed, messageIds: messageIds.slice(0, MESSAGES_REMOVED_AT_ONCE) });
  });
  it('does nothing the second time', () => given(started, submitted, begun, removed, erased).when(erase).emits());
  it.each([[[begun]], [[begun, removed, erased]]])('leaves its id taken from its beginning, for its user too', (steps) => {
    given(started, submitted, ...steps)
      .when(next)
      .refuses('conversation_id_taken');
  });
  it('leaves a reply that was being written without effect', () =>
    given(started, submitted, claimed, begun).when(complete).refuses('reply_is_over'));
  it('lets no worker take such a reply over', () =>
    given(started, submitted, claimed, begun)
      .when({ ...claim, now: later })
      .refuses('reply_is_over'));
  it("leaves another user's alone", () =>
    given(started, submitted)
      .when({ ...erase, userId: 'ben' })
      .refuses('conversation_not_found'));
  it('refuses one that never was', () => given().when(erase).refuses('conversation_not_found'));
});

describe('the chunks that a reply cites', () => {
  const usedChunks = { content: 's1.z', sourceIds: ['d1', 'd2'] };
  it('are stored with the reply', () =>
    given(started, submitted, claimed)
      .when({ ...complete, usedChunks })
      .emits({ ...completed, usedChunks }));
  it('leave no trace in the event where there are none', () => {
    const decision = conversation.decide(complete, fold(conversation, [started, submitted, claimed]));
    expect(decision).toEqual([completed]);
    expect(Object.keys((decision as object[])[0]!)).not.toContain('usedChunks');
  });
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
  it('a reply is charged and ended at most once, by the one who holds it', () => {
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
