import { describe, expect, it } from '@jest/globals';
import { type Decision, fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { CHALLENGE_VALID_MILLIS, type Factors, factors, type FactorsCommand, type FactorsEvent, hasFactor } from './factors.ts';
import { MOST_PASSKEYS, PASSKEY_OFFER_VALID_MILLIS } from './passkeys.ts';
import { FREE_FAILURES } from './sign-in-attempts.ts';

const given = specify(factors);
const noon = Instant.ofSeconds(1_800_000_000);
const later = Instant.plus(noon, PASSKEY_OFFER_VALID_MILLIS);
const challenge = { id: 'c', expiresAt: Instant.plus(noon, CHALLENGE_VALID_MILLIS) };
const credential = { credentialHash: 'h', details: 's1.x.y', counter: 7, backupEligible: true, backedUp: false };
const offered: FactorsEvent = { type: 'PasskeyOffered', factorId: 'p', expiresAt: later };
const added: FactorsEvent = { type: 'PasskeyAdded', factorId: 'p', ...credential, at: noon };
const codes: FactorsEvent = { type: 'RecoveryCodesMade', hashes: ['r1'] };
const failed: FactorsEvent = { type: 'SecondFactorFailed', at: noon };
const removed: FactorsEvent = { type: 'FactorRemoved', factorId: 'p', kind: 'passkey' };
const enrolled: readonly FactorsEvent[] = [offered, added, codes];
const another = (n: number, over: object = {}): FactorsEvent =>
  ({ ...added, factorId: `p${n}`, credentialHash: `h${n}`, ...over }) as FactorsEvent;
const stateAfter = (...events: readonly FactorsEvent[]) => fold<FactorsEvent, Factors>(factors, events);

const offer = { type: 'OfferPasskey', factorId: 'p', now: noon } as const;
const confirm = { type: 'ConfirmPasskey', factorId: 'p', credential, takeovers: 0, recoveryHashes: ['r1'], now: noon } as const;
const prove = (counter: number, over: object = {}) =>
  ({
    type: 'Prove',
    proof: { kind: 'passkey', assertion: { factorId: 'p', counter, backedUp: true } },
    challenge,
    now: noon,
    ...over,
  }) as FactorsCommand;
const wrong = { proof: { kind: 'passkey', assertion: null } };
const used = (counter: number, over: object = {}): FactorsEvent =>
  ({ type: 'PasskeyUsed', factorId: 'p', counter, backedUp: true, challenge, at: noon, ...over }) as FactorsEvent;

describe('a passkey', () => {
  it('is offered for five minutes', () => given().when(offer).emits(offered));
  it('is offered once for a request', () => given(offered).when(offer).emits());
  it('is added with recovery codes, if it is the first factor', () => given(offered).when(confirm).emits(added, codes));
  it('is added beside another factor without new recovery codes', () => given(codes, another(1), offered).when(confirm).emits(added));
  it('is added once', () =>
    given(...enrolled)
      .when(confirm)
      .emits());
  it('remembers which person it belongs to, if the account passed from one person to another', () =>
    given(codes, offered)
      .when({ ...confirm, takeovers: 2 })
      .emits({ ...added, takeovers: 2 } as FactorsEvent));
  it('is not added without an offer', () => given().when(confirm).refuses('passkey_not_offered'));
  it('is not added for an earlier offer', () =>
    given({ ...offered, factorId: 'q' } as FactorsEvent)
      .when(confirm)
      .refuses('passkey_not_offered'));
  it('is not added when the offer has expired', () =>
    given(offered)
      .when({ ...confirm, now: later })
      .refuses('passkey_not_offered'));
  it('is not added twice under two offers', () =>
    given(...enrolled, { ...offered, factorId: 'q' } as FactorsEvent)
      .when({ ...confirm, factorId: 'q' })
      .refuses('passkey_exists'));
  it('is one of ten at most', () => {
    const ten = Array.from({ length: MOST_PASSKEYS }, (_, n) => another(n));
    given(...ten)
      .when(offer)
      .refuses('too_many_passkeys');
    given(offered, ...ten.map((event) => ({ ...event })))
      .when({ ...offer, factorId: 'q' })
      .refuses('too_many_passkeys');
  });
  it('is not added beyond ten, even if it was offered before', () => {
    const ten = Array.from({ length: MOST_PASSKEYS }, (_, n) => another(n));
    given(...ten, offered)
      .when(confirm)
      .refuses('too_many_passkeys');
  });
  it('is removed', () =>
    given(...enrolled)
      .when({ type: 'Remove', factorId: 'p' })
      .emits(removed));
  it('is removed with the recovery codes, if it was the last factor', () => {
    expect(stateAfter(...enrolled, removed)).toMatchObject({ passkeys: [], recoveryHashes: [] });
    expect(stateAfter(...enrolled, another(1), removed)).toMatchObject({ passkeys: [{ factorId: 'p1' }], recoveryHashes: ['r1'] });
  });
  it('is a factor', () => expect([hasFactor(stateAfter(offered)), hasFactor(stateAfter(...enrolled))]).toEqual([false, true]));
});

describe('the claims of removed passkeys', () => {
  it.each<[string, FactorsEvent]>([
    ['a removal', removed],
    ['a reset', { type: 'FactorsReset' }],
    ['an erasure', { type: 'FactorsForgotten' }],
  ])('are known after %s, so that they can be released', (_, event) =>
    expect(stateAfter(...enrolled, event)).toMatchObject({ passkeys: [], former: ['h'] }),
  );
  it('are dropped once the passkey was added again', () => expect(stateAfter(...enrolled, removed, offered, added).former).toEqual([]));
  it('are remembered in a limited number', () => {
    const many = Array.from({ length: 50 }, (_, n) => [another(n), { ...removed, factorId: `p${n}` } as FactorsEvent]).flat();
    expect(stateAfter(...many).former).toHaveLength(2 * MOST_PASSKEYS);
  });
});

describe('an assertion', () => {
  it('is accepted', () =>
    given(...enrolled)
      .when(prove(8))
      .emits(used(8)));
  it.each([7, 6, 0])('is not accepted if the counter has not grown: %d', (counter) =>
    given(...enrolled)
      .when(prove(counter))
      .emits(failed),
  );
  it('is accepted from an authenticator that does not count', () =>
    given(offered, { ...added, counter: 0 } as FactorsEvent)
      .when(prove(0))
      .emits(used(0)));
  it('is not accepted if it is wrong', () =>
    given(...enrolled)
      .when(prove(8, wrong))
      .emits(failed));
  it('is not accepted after the passkey was removed', () =>
    given(...enrolled, removed)
      .when(prove(8))
      .emits(failed));
  it('is not accepted twice', () =>
    given(...enrolled, used(8))
      .when(prove(9))
      .refuses('invalid_challenge'));
  it('is not accepted when its challenge has expired', () =>
    given(...enrolled)
      .when(prove(8, { now: challenge.expiresAt }))
      .refuses('invalid_challenge'));
  it('is not accepted without a challenge', () =>
    given(...enrolled)
      .when(prove(8, { challenge: null }))
      .refuses('invalid_challenge'));
  it('is not checked after ten wrong ones', () =>
    given(...enrolled, ...Array.from({ length: FREE_FAILURES }, () => failed))
      .when(prove(8))
      .refuses('too_many_attempts'));
});

describe('many assertions', () => {
  const proofs = fc.array(
    fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), counter: fc.integer({ min: 0, max: 12 }), right: fc.boolean() }),
    { maxLength: 60 },
  );
  it('accept each challenge once, with growing counters, and report at most ten wrong ones in a row', () =>
    fc.assert(
      fc.property(proofs, (all) => {
        const log: FactorsEvent[] = [...enrolled];
        for (const { id, counter, right } of all) {
          const answered = { challenge: { ...challenge, id } };
          log.push(...decided(prove(counter, right ? answered : { ...answered, ...wrong }), log));
        }
        const accepted = log.filter((event) => event.type === 'PasskeyUsed');
        expect(new Set(accepted.map((event) => event.challenge.id)).size).toBe(accepted.length);
        const counters = [credential.counter, ...accepted.map(({ counter }) => counter)];
        expect(counters).toEqual([...new Set(counters)].sort((one, other) => one - other));
        let row = 0;
        for (const { type } of log) {
          row = type === 'SecondFactorFailed' ? row + 1 : 0;
          expect(row).toBeLessThanOrEqual(FREE_FAILURES);
        }
      }),
    ));
});

function decided(command: FactorsCommand, log: readonly FactorsEvent[]): readonly FactorsEvent[] {
  const decision: Decision<FactorsEvent> = factors.decide(command, fold(factors, log));
  return decision instanceof Refusal ? [] : decision;
}
