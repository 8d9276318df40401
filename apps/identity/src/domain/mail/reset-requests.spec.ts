import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { RESET_GAP_MILLIS, resetRequests, type ResetRequestsEvent } from './reset-requests.ts';

const given = specify(resetRequests);
const noon = Instant.ofMillis(1_800_000_000_000);
const after = (millis: number) => Instant.plus(noon, millis);
const requested: ResetRequestsEvent = { type: 'PasswordResetRequested', mailId: 'a', at: noon };
const settled: ResetRequestsEvent = { type: 'PasswordResetRequestSettled', mailId: 'a' };

describe('requesting a password reset', () => {
  it('records the request', () => given().when({ type: 'Request', mailId: 'a', now: noon }).emits(requested));
  it('changes nothing when it is repeated, even later', () =>
    given(requested, settled)
      .when({ type: 'Request', mailId: 'a', now: after(RESET_GAP_MILLIS) })
      .emits());
  it('changes nothing within five minutes', () =>
    given(requested, settled)
      .when({ type: 'Request', mailId: 'b', now: after(RESET_GAP_MILLIS - 1) })
      .emits());
  it('is possible again after five minutes', () =>
    given(requested, settled)
      .when({ type: 'Request', mailId: 'b', now: after(RESET_GAP_MILLIS) })
      .emits({ type: 'PasswordResetRequested', mailId: 'b', at: after(RESET_GAP_MILLIS) }));
});

describe('settling a request', () => {
  it('is recorded once', () => {
    given(requested).when({ type: 'Settle', mailId: 'a' }).emits(settled);
    given(requested, settled).when({ type: 'Settle', mailId: 'a' }).emits();
  });
  it('does nothing for any other request', () => given(requested).when({ type: 'Settle', mailId: 'b' }).emits());
});

it('gives an address one mail in five minutes, whatever is requested', () => {
  const step = fc.record({ mailId: fc.constantFrom('a', 'b', 'c'), after: fc.integer({ min: 0, max: RESET_GAP_MILLIS }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const events: ResetRequestsEvent[] = [];
      let now = noon;
      for (const { mailId, after: millis } of steps) {
        now = Instant.plus(now, millis);
        const decided = resetRequests.decide({ type: 'Request', mailId, now }, fold(resetRequests, events));
        if (!(decided instanceof Refusal)) events.push(...decided);
      }
      const times = events.flatMap((event) => (event.type === 'PasswordResetRequested' ? [event.at] : []));
      for (const [index, at] of times.entries()) if (index > 0) expect(at - times[index - 1]!).toBeGreaterThanOrEqual(RESET_GAP_MILLIS);
    }),
  );
});
