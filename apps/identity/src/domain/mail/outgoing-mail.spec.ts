import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import {
  MAIL_GAPS_MILLIS,
  MAIL_LEASE_MILLIS,
  MOST_MAIL_TRIES,
  MOST_SUBJECTS,
  outgoingMail,
  type OutgoingMailEvent,
  type PendingMail,
  subjectsOf,
} from './outgoing-mail.ts';

const given = specify(outgoingMail);
const noon = Instant.ofSeconds(1_800_000_000);
const hour = Instant.plus(noon, 3_600_000);
const leaseEnd = Instant.plus(noon, MAIL_LEASE_MILLIS);
const facts = { kind: 'password_reset', userId: 'ann', expiresAt: hour } as const;
const requested: OutgoingMailEvent = { type: 'MailRequested', ...facts, dueAt: noon };
const begun: OutgoingMailEvent = { type: 'MailTryBegun', tryId: 'a', leasedUntil: leaseEnd };
const sent: OutgoingMailEvent = { type: 'MailSent', tryId: 'a' };

/** The events of a mail whose tries were all cut off by a crash. */
const cutOff = (tries: number): OutgoingMailEvent[] => [
  { ...requested, expiresAt: null },
  ...Array.from({ length: tries }, (_, index) => ({ ...begun, tryId: `t${index}` })),
];

describe('asking for a mail', () => {
  const request = { type: 'Request', ...facts, now: noon } as const;
  it('records it as due at once', () => given().when(request).emits(requested));
  it('changes nothing the second time', () => given(requested).when(request).emits());
  it('changes nothing after it was sent', () => given(requested, begun, sent).when(request).emits());
});

describe('asking for a mail about a notification', () => {
  const its = { kind: 'bot_shared', userId: 'ann', expiresAt: null } as const;
  const ask = (subjectId: string) => ({ type: 'Request', ...its, subjectId, dueAt: hour, now: noon }) as const;
  const asked = (subjectId: string): OutgoingMailEvent => ({ type: 'MailRequested', ...its, subjectId, dueAt: hour });
  const added = (subjectId: string): OutgoingMailEvent => ({ type: 'MailSubjectAdded', subjectId });
  const failed = (because: 'no_recipient' | 'too_many_tries'): OutgoingMailEvent => ({ type: 'MailFailed', because });
  it('adds its subject to the mail that is not sent yet, once', () => {
    given().when(ask('b1')).emits(asked('b1'));
    given(asked('b1')).when(ask('b2')).emits(added('b2'));
    given(asked('b1'), added('b2')).when(ask('b1')).emits();
    given(asked('b1'), added('b2')).when(ask('b2')).emits();
    given(asked('b1'), begun, sent).when(ask('b2')).emits();
  });
  it('asks again after the mail was withdrawn, and not after it failed', () => {
    given(asked('b1'), failed('no_recipient')).when(ask('b2')).emits(asked('b2'));
    given(asked('b1'), failed('too_many_tries')).when(ask('b2')).emits();
    given(requested, failed('no_recipient'))
      .when({ type: 'Request', ...facts, now: noon })
      .emits();
  });
  it('has a limit of subjects', () => {
    const events = [asked('b0'), ...Array.from({ length: MOST_SUBJECTS - 2 }, (_, n) => added(`b${n + 1}`))];
    given(...events)
      .when(ask('last'))
      .emits(added('last'));
    given(...events, added('last'))
      .when(ask('another'))
      .emits();
    expect(subjectsOf(fold(outgoingMail, events) as PendingMail).slice(0, 2)).toEqual(['b98', 'b97']);
  });
});

describe('beginning a try', () => {
  it('leases the mail', () => given(requested).when({ type: 'Begin', tryId: 'a', now: noon }).emits(begun));
  it('changes nothing when the command is repeated', () => given(requested, begun).when({ type: 'Begin', tryId: 'a', now: noon }).emits());
  it('is refused while another try has the lease', () =>
    given(requested, begun)
      .when({ type: 'Begin', tryId: 'b', now: Instant.plus(leaseEnd, -1) })
      .refuses('mail_not_due'));
  it('is possible after a try that a crash cut off, once its lease has ended', () =>
    given(requested, begun)
      .when({ type: 'Begin', tryId: 'b', now: leaseEnd })
      .emits({ type: 'MailTryBegun', tryId: 'b', leasedUntil: Instant.plus(leaseEnd, MAIL_LEASE_MILLIS) }));
  it('is possible after a try whose clock was ahead of all pauses', () =>
    given(requested, { ...begun, leasedUntil: Instant.plus(noon, 86_400_000) })
      .when({ type: 'Begin', tryId: 'b', now: noon })
      .emits({ ...begun, tryId: 'b' }));
  it('ends a mail whose link has expired', () =>
    given(requested).when({ type: 'Begin', tryId: 'a', now: hour }).emits({ type: 'MailFailed', because: 'expired' }));
  it('ends a mail after too many tries that a crash cut off', () => {
    given(...cutOff(MOST_MAIL_TRIES))
      .when({ type: 'Begin', tryId: 'z', now: hour })
      .emits({ type: 'MailFailed', because: 'too_many_tries' });
  });
  it('is refused for a mail that was never requested', () =>
    given().when({ type: 'Begin', tryId: 'a', now: noon }).refuses('mail_not_found'));
});

describe('the outcome of a try', () => {
  const conclude = { type: 'Conclude', tryId: 'a', now: noon } as const;
  it('is final when the server accepts the mail', () =>
    given(requested, begun)
      .when({ ...conclude, outcome: 'accepted' })
      .emits(sent));
  it('is final when the server refuses the mail', () =>
    given(requested, begun)
      .when({ ...conclude, outcome: 'refused' })
      .emits({ type: 'MailFailed', because: 'refused_by_server' }));
  it('delays the mail when the server is unavailable', () =>
    given(requested, begun)
      .when({ ...conclude, outcome: 'unavailable' })
      .emits({ type: 'MailDelayed', tryId: 'a', dueAt: Instant.plus(noon, MAIL_GAPS_MILLIS[0]) }));
  it('ends the mail when the server is unavailable at the last try', () =>
    given(...cutOff(MOST_MAIL_TRIES))
      .when({ ...conclude, tryId: `t${MOST_MAIL_TRIES - 1}`, outcome: 'unavailable' })
      .emits({ type: 'MailFailed', because: 'too_many_tries' }));
  it('counts as sent although another try has begun since', () =>
    given(requested, begun, { ...begun, tryId: 'b' })
      .when({ ...conclude, outcome: 'accepted' })
      .emits(sent));
  it('does not end another try', () => {
    for (const outcome of ['refused', 'unavailable'] as const)
      given(requested, begun, { ...begun, tryId: 'b' })
        .when({ ...conclude, outcome })
        .emits();
  });
});

const step = fc.record({
  by: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom('Begin' as const, 'accepted' as const, 'refused' as const, 'unavailable' as const),
  after: fc.constantFrom(0, 1, 5_000, MAIL_LEASE_MILLIS - 1, MAIL_LEASE_MILLIS, 18_000_000),
});

describe('withdrawing a mail', () => {
  it('ends the mail, even while it is being sent, and changes nothing after the mail has ended', () => {
    given(requested).when({ type: 'Withdraw' }).emits({ type: 'MailFailed', because: 'no_recipient' });
    given(requested, { type: 'MailSent', tryId: 't' }).when({ type: 'Withdraw' }).emits();
  });
});

it('tries never overlap, are few, and end once, whatever the senders do', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const events: OutgoingMailEvent[] = [{ ...requested, expiresAt: null }];
      let now = noon;
      let leasedUntil: number = noon;
      for (const [index, { by, does, after }] of steps.entries()) {
        now = Instant.plus(now, after);
        const mail = fold(outgoingMail, events);
        const tryId = does === 'Begin' ? `${by}${index}` : mail.status === 'pending' ? (mail.tryId ?? by) : by;
        const command =
          does === 'Begin' ? ({ type: 'Begin', tryId, now } as const) : ({ type: 'Conclude', tryId, outcome: does, now } as const);
        const decided = outgoingMail.decide(command, mail);
        if (decided instanceof Refusal) continue;
        for (const event of decided) {
          if (event.type === 'MailTryBegun') {
            expect(now).toBeGreaterThanOrEqual(leasedUntil);
            leasedUntil = event.leasedUntil;
          } else if (event.type === 'MailDelayed') leasedUntil = event.dueAt;
          events.push(event);
        }
      }
      expect(events.filter(({ type }) => type === 'MailTryBegun').length).toBeLessThanOrEqual(MOST_MAIL_TRIES);
      const end = events.findIndex(({ type }) => type === 'MailSent' || type === 'MailFailed');
      expect([-1, events.length - 1]).toContain(end);
    }),
  );
});
