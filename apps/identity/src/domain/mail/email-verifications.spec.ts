import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import {
  canVerify,
  emailVerifications,
  type EmailVerificationsCommand,
  type EmailVerificationsEvent,
  VERIFICATION_GAP_MILLIS,
  VERIFICATION_VALID_MILLIS,
} from './email-verifications.ts';

const given = specify(emailVerifications);
const noon = Instant.ofSeconds(1_800_000_000);
const requested: EmailVerificationsEvent = { type: 'EmailVerificationRequested', mailId: 'a', at: noon };
const settled: EmailVerificationsEvent = { type: 'EmailVerificationSettled', mailId: 'a' };
const used: EmailVerificationsEvent = { type: 'EmailVerificationUsed', mailId: 'a' };

describe('requesting a mail that verifies an address', () => {
  it('is recorded', () => given().when({ type: 'Request', mailId: 'a', now: noon }).emits(requested));
  it('changes nothing if it is repeated, or follows within five minutes', () => {
    given(requested)
      .when({ type: 'Request', mailId: 'a', now: Instant.plus(noon, VERIFICATION_GAP_MILLIS) })
      .emits();
    given(requested)
      .when({ type: 'Request', mailId: 'b', now: Instant.plus(noon, VERIFICATION_GAP_MILLIS - 1) })
      .emits();
  });
  it('is recorded again after five minutes', () => {
    const at = Instant.plus(noon, VERIFICATION_GAP_MILLIS);
    given(requested, settled)
      .when({ type: 'Request', mailId: 'b', now: at })
      .emits({ ...requested, mailId: 'b', at });
  });
  it('is settled once, and used once', () => {
    given(requested).when({ type: 'Settle', mailId: 'a' }).emits(settled);
    given(requested, settled).when({ type: 'Settle', mailId: 'a' }).emits();
    given(requested, settled).when({ type: 'Use', mailId: 'a' }).emits(used);
    given(requested, settled, used).when({ type: 'Use', mailId: 'a' }).emits();
    given(requested).when({ type: 'Use', mailId: 'b' }).emits();
  });
});

describe('the link of the mail', () => {
  const can = (millis: number, ...events: EmailVerificationsEvent[]) =>
    canVerify(fold(emailVerifications, events).last, Instant.plus(noon, millis));
  it('is valid for a day, until it is used', () => {
    expect([can(0), can(0, requested), can(VERIFICATION_VALID_MILLIS - 1, requested)]).toEqual([false, true, true]);
    expect([can(VERIFICATION_VALID_MILLIS, requested), can(0, requested, used)]).toEqual([false, false]);
  });
});

const step = fc.record({
  mailId: fc.constantFrom('a', 'b', 'c'),
  type: fc.constantFrom('Request' as const, 'Settle' as const, 'Use' as const),
  after: fc.constantFrom(0, 1, VERIFICATION_GAP_MILLIS - 1, VERIFICATION_GAP_MILLIS),
});

it('an address gets at most one mail in five minutes, whatever is requested', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const events: EmailVerificationsEvent[] = [];
      let now = noon;
      for (const { mailId, type, after } of steps) {
        now = Instant.plus(now, after);
        const command: EmailVerificationsCommand = type === 'Request' ? { type, mailId, now } : { type, mailId };
        const decided = emailVerifications.decide(command, fold(emailVerifications, events));
        if (!(decided instanceof Refusal)) events.push(...decided);
      }
      const times = events.flatMap((event) => (event.type === 'EmailVerificationRequested' ? event.at : []));
      for (const [index, at] of times.slice(1).entries()) expect(at - times[index]!).toBeGreaterThanOrEqual(VERIFICATION_GAP_MILLIS);
    }),
  );
});
