import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent, Usage } from './conversation-events.ts';

const given = specify(conversation);
const at = Instant.ofMillis;
const usage: Usage = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const parties = { userId: 'ann', botId: 'b' } as const;
const started = { type: 'ConversationStarted', ...parties } as const;
const submitted = {
  type: 'MessageSubmitted',
  ...parties,
  messageId: 'm1',
  replyId: 'r',
  parentId: null,
  content: 's1.x',
  model: 'local',
} as const;
const of = { replyId: 'r', claim: 'c' } as const;
const claimed = { type: 'ReplyClaimed', ...of, leaseUntil: at(10) } as const;
const owed: ConversationEvent[] = [started, submitted, claimed];

const charge = { chargeId: 'r-1', purpose: 'chat', model: 'local', usage, costNanoDollars: 7 } as const;
const [free, asked] = [
  { callId: 'free', name: 'calculator', input: 's1.f', hash: 'hf' },
  { callId: 'asked', name: 'mail', input: 's1.a', hash: 'ha', needsApproval: true },
] as const;
const round = { ...of, round: 1, said: 's1.s', textAt: 4, reasoningAt: 0, calls: [free, asked], approvalUntil: at(100) } as const;
const call = { type: 'CallTools', ...round, charge, failedCalls: [] } as const;
const charged = { type: 'TokensCharged', ...charge, ...parties } as const;
const called = { type: 'ToolsCalled', ...round, model: 'local', usage, costNanoDollars: 7 } as const;
const decide = { type: 'DecideToolCall', replyId: 'r', callId: 'asked', userId: 'ann', isApproved: true, now: at(20) } as const;
const decided = { type: 'ToolCallDecided', replyId: 'r', callId: 'asked', isApproved: true, hash: 'ha', userId: 'ann' } as const;
const awaited = { type: 'ApprovalAwaited', ...of, until: at(100) } as const;
const answered = { type: 'ToolAnswered', ...of, callId: 'free', result: 's1.r', outcome: 'succeeded' } as const;
const begun = { type: 'ToolCallBegun', ...of, callId: 'asked' } as const;
const calling: ConversationEvent[] = [...owed, charged, called];
const awaiting: ConversationEvent[] = [...calling, answered, awaited];

describe('a model call that ends with calls of tools', () => {
  it('is recorded with its charge', () =>
    given(...owed)
      .when(call)
      .emits(charged, called));
  it('is recorded once', () =>
    given(...calling)
      .when(call)
      .refuses('claim_lost'));
  it('is followed by another one when each call has its result', () => {
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
  it('ends its reservation, and has another one for the next model call, and the end of the reply ends that', () => {
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
  it('is recorded with what the tool itself has cost', () => {
    const cost = { ...charge, chargeId: 'free-embedding', purpose: 'embedding' } as const;
    given(...calling)
      .when({ ...answer, charges: [cost] })
      .emits({ type: 'TokensCharged', ...cost, ...parties }, answered);
  });
  it('is refused of a worker that has lost the reply, and of a call that was not made', () => {
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
  it('begins with the arguments that were approved', () =>
    given(...calling, decided)
      .when(begin)
      .emits(begun));
  it('does not begin with others, or without approval', () => {
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
  it('is left by its worker, and taken by none', () => {
    given(...calling, answered)
      .when(wait)
      .emits(awaited);
    given(...awaiting)
      .when(claim)
      .refuses('reply_claimed');
  });
  it('is not left when all is decided', () =>
    given(...calling, decided)
      .when(wait)
      .emits());
  it('goes on when its user has decided', () => {
    given(...awaiting)
      .when(decide)
      .emits({ ...decided, resumes: true });
    given(...awaiting, { ...decided, resumes: true })
      .when(claim)
      .emits(next);
  });
  it('goes on when the time is over, without the calls', () => {
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
  it('goes on when it is cancelled', () => {
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
  it('is made once: the same again changes nothing, the other one is refused', () => {
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
  it('is that of the user, in time, about a call that needs it', () => {
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
  it('ends at once while it awaits its user, and gives its reservation back', () =>
    given(started, { ...submitted, budgets: ['g/b1'] }, claimed, charged, called, answered, awaited)
      .when({ type: 'Delete', userId: 'ann' })
      .emits(
        { type: 'ConversationErasureBegun', userId: 'ann', deleted: true, botId: 'b', messages: 2 },
        { ...failed, budgets: ['g/b1'], reason: 'This conversation was erased.' },
      ));
  it('is ended by its worker where it has one', () =>
    given(...calling)
      .when({ type: 'Delete', userId: 'ann' })
      .emits({ type: 'ConversationErasureBegun', userId: 'ann', deleted: true, botId: 'b', messages: 2 }));
});

describe('in any order of rounds, results, decisions, lost workers and stops', () => {
  const LEASE = 10;
  type Step = (world: { now: number; claims: string[]; log: ConversationEvent[]; run: (command: ConversationCommand) => void }) => void;
  const replyOf = (log: readonly ConversationEvent[]) => fold(conversation, log).running['r'];
  const anyClaim = (claims: readonly string[], place: number) => claims[claims.length - 1 - (place % Math.max(1, claims.length))] ?? 'none';
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.tuple(fc.nat(1), fc.nat(3), fc.boolean()).map(([place, count, needsApproval]): Step => ({ claims, log, run, now }) => {
      const nth = (replyOf(log)?.tools?.round ?? 0) + 1;
      const calls = Array.from({ length: count + 1 }, (_, each) => ({
        callId: `${nth}-${each}-${log.length}`,
        name: 't',
        input: 's1.i',
        hash: `${nth}-${each}`,
        ...(needsApproval && each % 2 === 0 && { needsApproval: true as const }),
      }));
      const its = { round: nth, calls, approvalUntil: at(now + 30), charge: { ...charge, chargeId: `r-${nth}` } };
      run({ ...call, ...its, claim: anyClaim(claims, place) });
    }),
    fc.tuple(fc.nat(1), fc.nat(3), fc.boolean()).map(([place, nth, begins]): Step => ({ claims, log, run }) => {
      const [callId, its] = Object.entries(replyOf(log)?.tools?.calls ?? {})[nth] ?? ['none', { hash: '' }];
      const worker = { replyId: 'r', claim: anyClaim(claims, place), callId };
      if (begins) run({ type: 'BeginToolCall', ...worker, hash: its.hash });
      else run({ type: 'AnswerToolCall', ...worker, result: 's1.r', outcome: 'succeeded' });
    }),
    fc.tuple(fc.nat(3), fc.boolean()).map(([nth, isApproved]): Step => ({ log, run, now }) => {
      const callId = Object.keys(replyOf(log)?.tools?.calls ?? {})[nth] ?? 'none';
      run({ ...decide, callId, isApproved, now: at(now) });
    }),
    fc.nat(1).map(
      (place): Step =>
        ({ claims, run, now }) =>
          run({ type: 'AwaitApproval', replyId: 'r', claim: anyClaim(claims, place), now: at(now) }),
    ),
    fc.constant<Step>((world) => {
      const claim = `c${world.claims.length}`;
      const before = world.log.length;
      world.run({ type: 'ClaimReply', replyId: 'r', claim, leaseUntil: at(world.now + LEASE), now: at(world.now) });
      if (world.log.length > before) world.claims.push(claim);
    }),
    fc.nat(LEASE * 2).map(
      (millis): Step =>
        (world) =>
          void (world.now += millis),
    ),
    fc.constant<Step>(({ run }) => run({ type: 'CancelReply', replyId: 'r', userId: 'ann' })),
  );

  it('each round is charged once, and each call has at most one decision, one beginning and one result', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const world = {
          now: 0,
          claims: ['c'],
          log: [...owed],
          run: (command: ConversationCommand) => {
            const decision = conversation.decide(command, fold(conversation, world.log));
            if (!(decision instanceof Refusal)) world.log.push(...decision);
          },
        };
        for (const one of steps) one(world);
        const idsOf = (type: ConversationEvent['type']) =>
          world.log.flatMap((event) => (event.type === type && 'callId' in event ? [event.callId] : []));
        for (const type of ['ToolCallDecided', 'ToolCallBegun', 'ToolAnswered'] as const)
          expect(idsOf(type)).toEqual([...new Set(idsOf(type))]);
        const rounds = world.log.filter(({ type }) => type === 'ToolsCalled');
        const charges = world.log.flatMap((event) => (event.type === 'TokensCharged' ? [event.chargeId] : []));
        expect(charges).toEqual(rounds.map((_, nth) => `r-${nth + 1}`));
        // A call that needs approval begins behind it only.
        const approved = new Set<string>();
        const needing = new Set(
          rounds.flatMap((event) =>
            (event as typeof called).calls.flatMap((each) => ('needsApproval' in each ? [each.callId as string] : [])),
          ),
        );
        for (const event of world.log) {
          if (event.type === 'ToolCallDecided' && event.isApproved) approved.add(event.callId);
          if (event.type === 'ToolCallBegun' && needing.has(event.callId)) expect(approved).toContain(event.callId);
        }
        // Whatever happened, a worker can take the reply once all leases and approvals have ended.
        world.now += 1_000;
        world.run({ type: 'ClaimReply', replyId: 'r', claim: 'last', leaseUntil: at(world.now + LEASE), now: at(world.now) });
        expect(replyOf(world.log)?.claim).toBe('last');
      }),
      { numRuns: 500 },
    ));
});
