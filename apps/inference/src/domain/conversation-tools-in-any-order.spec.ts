import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import fc from 'fast-check';
import { at, call, called, charge, decide, owed } from '../../test/tool-call-events.ts';
import { conversation } from './conversation.ts';
import type { ConversationCommand } from './conversation-commands.ts';
import type { ConversationEvent } from './conversation-events.ts';

describe('in any order of rounds, results, decisions, lost workers and stops', () => {
  const LEASE = 10;
  type Step = (world: { now: number; claims: string[]; log: ConversationEvent[]; run: (command: ConversationCommand) => void }) => void;
  const replyOf = (log: readonly ConversationEvent[]) => fold(conversation, log).running['r'];
  const anyClaim = (claims: readonly string[], place: number) => claims[claims.length - 1 - (place % Math.max(1, claims.length))] ?? 'none';
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.tuple(fc.nat(1), fc.nat(3), fc.boolean()).map(([place, count, needsApproval]): Step => ({ claims, log, run, now }) => {
      const index = (replyOf(log)?.tools?.round ?? 0) + 1;
      const calls = Array.from({ length: count + 1 }, (_, each) => ({
        callId: `${index}-${each}-${log.length}`,
        name: 't',
        input: 's1.i',
        hash: `${index}-${each}`,
        ...(needsApproval && each % 2 === 0 && { needsApproval: true as const }),
      }));
      const its = { round: index, calls, approvalUntil: at(now + 30), charge: { ...charge, chargeId: `r-${index}` } };
      run({ ...call, ...its, claim: anyClaim(claims, place) });
    }),
    fc.tuple(fc.nat(1), fc.nat(3), fc.boolean()).map(([place, index, begins]): Step => ({ claims, log, run }) => {
      const [callId, its] = Object.entries(replyOf(log)?.tools?.calls ?? {})[index] ?? ['none', { hash: '' }];
      const worker = { replyId: 'r', claim: anyClaim(claims, place), callId };
      if (begins) run({ type: 'BeginToolCall', ...worker, hash: its.hash });
      else run({ type: 'AnswerToolCall', ...worker, result: 's1.r', outcome: 'succeeded' });
    }),
    fc.tuple(fc.nat(3), fc.boolean()).map(([index, isApproved]): Step => ({ log, run, now }) => {
      const callId = Object.keys(replyOf(log)?.tools?.calls ?? {})[index] ?? 'none';
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
        expect(charges).toEqual(rounds.map((_, index) => `r-${index + 1}`));
        // A call that needs approval begins only after the approval.
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
