import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { ACCEPTANCE_MILLIS, INVITATION_VALID_MILLIS, invitations, type InvitationsCommand, type InvitationsEvent } from './invitations.ts';

const given = specify(invitations);
const noon = Instant.ofSeconds(1_800_000_000);
const expiresAt = Instant.plus(noon, INVITATION_VALID_MILLIS);
const facts = { invitationId: 'one', email: 's1.e', firstName: null, lastName: null, groups: ['Marketing'], tokenHash: 'h1' };
const made: InvitationsEvent = { type: 'InvitationMade', ...facts, expiresAt };
const begun: InvitationsEvent = { type: 'AcceptanceBegun', invitationId: 'one', at: noon };
const accepted: InvitationsEvent = { type: 'InvitationAccepted', invitationId: 'one', userId: 'ann' };
const ended = (because: 'replaced' | 'revoked' | 'expired' | 'user_erased'): InvitationsEvent => ({
  type: 'InvitationEnded',
  invitationId: 'one',
  because,
});
const accept = { type: 'Accept', invitationId: 'one', tokenHash: 'h1', now: noon } as const;

describe('inviting an address', () => {
  const invite = { type: 'Invite', ...facts, now: noon } as const;
  it('creates an invitation for seven days', () => given().when(invite).emits(made));
  it('changes nothing the second time, even after the end', () => {
    given(made).when(invite).emits();
    given(made, ended('revoked')).when(invite).emits();
  });
  it('replaces the earlier invitation', () => {
    const later = { ...invite, invitationId: 'two', tokenHash: 'h2' };
    const second: InvitationsEvent = { ...made, invitationId: 'two', tokenHash: 'h2' };
    given(made).when(later).emits(ended('replaced'), second);
    given(made, ended('replaced'), second).when(accept).refuses('invalid_invitation');
  });
});

describe('accepting an invitation', () => {
  it('is recorded before the user is created', () => given(made).when(accept).emits(begun));
  it('can be repeated until the user is created', () => {
    given(made, begun).when(accept).emits();
    given(made, begun, accepted).when(accept).refuses('invalid_invitation');
  });
  it('is refused with another token, for another invitation, after its end and after seven days', () => {
    given(made)
      .when({ ...accept, tokenHash: 'h2' })
      .refuses('invalid_invitation');
    given(made)
      .when({ ...accept, invitationId: 'two' })
      .refuses('invalid_invitation');
    given(made, ended('revoked')).when(accept).refuses('invalid_invitation');
    given(made)
      .when({ ...accept, now: expiresAt })
      .refuses('invalid_invitation');
    given().when(accept).refuses('invalid_invitation');
  });
  it('ends the invitation once the user is created', () => {
    const complete = { type: 'Complete', invitationId: 'one', userId: 'ann' } as const;
    given(made, begun).when(complete).emits(accepted);
    given(made, begun, accepted).when(complete).emits();
  });
});

describe('ending an invitation', () => {
  const revoke = { type: 'Revoke', invitationId: 'one', now: noon } as const;
  it('is possible while it is open', () => given(made).when(revoke).emits(ended('revoked')));
  it('is possible again after an interrupted acceptance', () => {
    const [soon, over] = [ACCEPTANCE_MILLIS - 1, ACCEPTANCE_MILLIS].map((millis) => Instant.plus(noon, millis));
    given(made, begun)
      .when({ ...revoke, now: soon! })
      .refuses('invitation_being_accepted');
    given(made, begun)
      .when({ ...revoke, now: over! })
      .emits(ended('revoked'));
    given(made, begun)
      .when({ ...accept, now: soon! })
      .emits({ ...begun, at: soon! } as InvitationsEvent);
    given(made, { type: 'AcceptanceBegun', invitationId: 'one' }).when(revoke).emits(ended('revoked'));
  });
  it('is refused after its end, and after its link was used', () => {
    given(made, ended('revoked')).when(revoke).refuses('invitation_not_found');
    given(made, begun).when(revoke).refuses('invitation_being_accepted');
    given(made)
      .when({ ...revoke, invitationId: 'two' })
      .refuses('invitation_not_found');
  });
  it('happens when it expires, even if a crash interrupted the acceptance', () => {
    given(made, begun).when({ type: 'Expire', invitationId: 'one', now: expiresAt }).emits(ended('expired'));
    given(made)
      .when({ type: 'Expire', invitationId: 'one', now: Instant.plus(expiresAt, -1) })
      .emits();
  });
  it('happens when the user of the address is erased', () => {
    given(made).when({ type: 'Forget' }).emits(ended('user_erased'));
    given(made, accepted).when({ type: 'Forget' }).emits();
  });
});

const id = fc.constantFrom('one', 'two', 'three');
const command: fc.Arbitrary<(now: Instant) => InvitationsCommand> = fc.oneof(
  id.map((invitationId) => (now: Instant) => ({ type: 'Invite', ...facts, invitationId, tokenHash: `of ${invitationId}`, now }) as const),
  id.map((invitationId) => (now: Instant) => ({ type: 'Accept', invitationId, tokenHash: `of ${invitationId}`, now }) as const),
  id.map((invitationId) => () => ({ type: 'Complete', invitationId, userId: 'ann' }) as const),
  id.map((invitationId) => (now: Instant) => ({ type: 'Revoke', invitationId, now }) as const),
  id.map((invitationId) => (now: Instant) => ({ type: 'Expire', invitationId, now }) as const),
  fc.constant(() => ({ type: 'Forget' }) as const),
);

it('an address has at most one open invitation, and one that ended is never accepted, whatever is requested', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(command, fc.constantFrom(0, 1, INVITATION_VALID_MILLIS)), { maxLength: 40 }), (steps) => {
      const events: InvitationsEvent[] = [];
      let now = noon;
      for (const [step, millis] of steps) {
        now = Instant.plus(now, millis);
        const next = step(now);
        const known = events.flatMap((event) => (event.type === 'InvitationMade' ? event.invitationId : []));
        // The key of an invitation that has ended is destroyed, so its ID is refused before this.
        if (next.type === 'Invite' && known.slice(0, -1).includes(next.invitationId)) continue;
        const decided = invitations.decide(next, fold(invitations, events));
        if (decided instanceof Refusal) continue;
        for (const event of decided) {
          const earlier = events.filter((other) => other.invitationId === event.invitationId).map(({ type }) => type);
          const isOver = earlier.includes('InvitationEnded') || earlier.includes('InvitationAccepted');
          if (event.type !== 'InvitationMade') expect([event.type, isOver]).toEqual([event.type, false]);
          events.push(event);
        }
        const ends = events.filter(({ type }) => type === 'InvitationEnded' || type === 'InvitationAccepted').length;
        expect(events.filter(({ type }) => type === 'InvitationMade').length - ends).toBeLessThanOrEqual(1);
      }
    }),
  );
});
