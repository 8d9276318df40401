import { describe, it } from '@jest/globals';
import {
  answered,
  at,
  awaited,
  awaiting,
  begun,
  call,
  called,
  calling,
  charge,
  charged,
  claimed,
  decide,
  decided,
  free,
  given,
  of,
  owed,
  parties,
  started,
  submitted,
} from '../../test/tool-call-events.ts';
import type { ConversationEvent } from './conversation-events.ts';

describe('a model call that ends with tool calls', () => {
  it('is recorded with its charge', () =>
    given(...owed)
      .when(call)
      .emits(charged, called));
  it('is recorded once', () =>
    given(...calling)
      .when(call)
      .refuses('claim_lost'));
  it('is followed by another one when every call has its result', () => {
    given(...calling)
      .when({ ...call, round: 2 })
      .refuses('claim_lost');
    given(...calling, answered, decided, { ...answered, callId: 'asked' })
      .when({ ...call, round: 2, calls: [free], charge: { ...charge, chargeId: 'r-2' } })
      .emits({ ...charged, chargeId: 'r-2' }, { ...called, round: 2, calls: [free] });
  });
  it('is recorded by the worker that has the reply', () =>
    given(...owed)
      .when({ ...call, claim: 'd' })
      .refuses('claim_lost'));
  it('replaces its reservation with one for the next model call, which ends with the reply', () => {
    const reserved: ConversationEvent[] = [started, { ...submitted, budgets: ['b/1'] }, claimed];
    const settled = { ...charged, budgets: ['b/1'], nextBudgets: ['b/2'] };
    given(...reserved)
      .when({ ...call, budgets: ['b/2'] })
      .emits(settled, { ...called, budgets: ['b/2'] });
    const failure = { code: 'x', reason: 'y' };
    given(...reserved, settled, { ...called, budgets: ['b/2'] })
      .when({ type: 'FailReply', ...of, ...failure, written: 's1.w' })
      .emits({ type: 'ReplyFailed', ...parties, ...of, model: 'local', ...failure, budgets: ['b/2'], content: 's1.w' });
  });
});

describe('the result of a call', () => {
  const answer = { ...answered, type: 'AnswerToolCall' } as const;
  it('is recorded once', () => {
    given(...calling)
      .when(answer)
      .emits(answered);
    given(...calling, answered)
      .when(answer)
      .emits();
  });
  it('is recorded with the images that the call has made, and whose they are', () => {
    const files = [{ id: 'r.free-0', kind: 'image', mediaType: 'image/png', bytes: 3, sealed: 's1.f' }] as const;
    given(...calling)
      .when({ ...answer, files })
      .emits({ ...answered, files, userId: parties.userId, botId: parties.botId });
  });
  it('is recorded with the cost of the tool itself', () => {
    const cost = { ...charge, chargeId: 'free-embedding', purpose: 'embedding' } as const;
    given(...calling)
      .when({ ...answer, charges: [cost] })
      .emits({ type: 'TokensCharged', ...cost, ...parties }, answered);
  });
  it('is refused from a worker that has lost the reply, and for an unknown call', () => {
    given(...calling)
      .when({ ...answer, claim: 'd' })
      .refuses('claim_lost');
    given(...calling)
      .when({ ...answer, callId: 'none' })
      .refuses('tool_call_not_found');
    given(...awaiting)
      .when(answer)
      .refuses('claim_lost');
  });
});

describe('a call that may change something', () => {
  const begin = { type: 'BeginToolCall', ...of, callId: 'asked', hash: 'ha' } as const;
  it('begins with the approved arguments', () =>
    given(...calling, decided)
      .when(begin)
      .emits(begun));
  it('does not begin with other arguments, or without approval', () => {
    given(...calling, decided)
      .when({ ...begin, hash: 'hx' })
      .refuses('tool_call_not_approved');
    given(...calling)
      .when(begin)
      .refuses('tool_call_not_approved');
    given(...calling, { ...decided, isApproved: false })
      .when(begin)
      .refuses('tool_call_not_approved');
  });
  it('does not begin twice', () =>
    given(...calling, decided, begun)
      .when(begin)
      .refuses('tool_call_begun'));
});

describe('a reply that awaits approval', () => {
  const wait = { type: 'AwaitApproval', ...of, now: at(20) } as const;
  const claim = { type: 'ClaimReply', replyId: 'r', claim: 'd', leaseUntil: at(60), now: at(50) } as const;
  const next = { type: 'ReplyClaimed', replyId: 'r', claim: 'd', leaseUntil: at(60) } as const;
  it('is left by its worker, and taken by no other', () => {
    given(...calling, answered)
      .when(wait)
      .emits(awaited);
    given(...awaiting)
      .when(claim)
      .refuses('reply_claimed');
  });
  it('is not left when all calls are decided', () =>
    given(...calling, decided)
      .when(wait)
      .emits());
  it('continues when its user has decided', () => {
    given(...awaiting)
      .when(decide)
      .emits({ ...decided, resumes: true });
    given(...awaiting, { ...decided, resumes: true })
      .when(claim)
      .emits(next);
  });
  it('continues without the calls when the time is over', () => {
    const late = { ...decided, isApproved: false, userId: null };
    given(...awaiting)
      .when({ ...claim, now: at(100) })
      .emits({ ...late, resumes: true }, next);
    given(...calling)
      .when({ ...wait, now: at(100) })
      .emits(late);
  });
  it('is not left when it was cancelled', () =>
    given(...calling, { type: 'ReplyCancelled', replyId: 'r' })
      .when(wait)
      .emits());
  it('continues when it is cancelled', () => {
    const cancelled = { type: 'ReplyCancelled', replyId: 'r', resumes: true } as const;
    given(...awaiting)
      .when({ type: 'CancelReply', replyId: 'r', userId: 'ann' })
      .emits(cancelled);
    given(...awaiting, cancelled)
      .when(claim)
      .emits(next);
  });
});

describe('the decision about a call', () => {
  it('is made once: repeating it changes nothing, and the opposite is refused', () => {
    given(...calling)
      .when(decide)
      .emits(decided);
    given(...calling, decided)
      .when(decide)
      .emits();
    given(...calling, decided)
      .when({ ...decide, isApproved: false })
      .refuses('tool_call_decided');
  });
  it('is made by the user, in time, about a call that needs it', () => {
    given(...calling)
      .when({ ...decide, userId: 'ben' })
      .refuses('conversation_not_found');
    given(...calling)
      .when({ ...decide, now: at(100) })
      .refuses('approval_expired');
    given(...calling)
      .when({ ...decide, callId: 'free' })
      .refuses('approval_not_needed');
    given(...calling)
      .when({ ...decide, callId: 'none' })
      .refuses('tool_call_not_found');
    given(...calling, { type: 'ConversationErasureBegun', userId: 'ann' })
      .when(decide)
      .refuses('conversation_not_found');
  });
});

describe('a reply whose conversation is erased', () => {
  const failed = { type: 'ReplyFailed', replyId: 'r', ...parties, model: 'local', code: 'conversation_erased' } as const;
  it('ends at once while it awaits its user, and releases its reservation', () =>
    given(started, { ...submitted, budgets: ['g/b1'] }, claimed, charged, called, answered, awaited)
      .when({ type: 'Delete', userId: 'ann' })
      .emits(
        { type: 'ConversationErasureBegun', userId: 'ann', deleted: true, botId: 'b', messages: 2 },
        { ...failed, budgets: ['g/b1'], reason: 'This conversation was erased.' },
      ));
  it('is ended by its worker if it has one', () =>
    given(...calling)
      .when({ type: 'Delete', userId: 'ann' })
      .emits({ type: 'ConversationErasureBegun', userId: 'ann', deleted: true, botId: 'b', messages: 2 }));
});
