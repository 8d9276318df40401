import { describe, expect, it } from '@jest/globals';
import { type Decision, fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { CHALLENGE_VALID_MILLIS, type Factors, factors, type FactorsCommand, type FactorsEvent } from './factors.ts';
import { FREE_FAILURES } from './sign-in-attempts.ts';

const given = specify(factors);
const noon = Instant.ofSeconds(1_800_000_000);
const later = Instant.plus(noon, CHALLENGE_VALID_MILLIS);
const hashes = ['h1', 'h2'];
const offered: FactorsEvent = { type: 'TotpOffered', factorId: 'f', secret: 's1.x.y' };
const added: FactorsEvent = { type: 'TotpAdded', factorId: 'f', step: 100, at: noon };
const codes: FactorsEvent = { type: 'RecoveryCodesMade', hashes };
const failed: FactorsEvent = { type: 'SecondFactorFailed', at: noon };
const tenFailures = Array.from({ length: FREE_FAILURES }, () => failed);
const enrolled: readonly FactorsEvent[] = [offered, added, codes];
const challenge = { id: 'c', expiresAt: later };
const totp = (step: number | null, over: object = {}) =>
  ({ type: 'Prove', proof: { kind: 'totp', step }, challenge: null, now: noon, ...over }) as FactorsCommand;
const recovery = (hash: string, over: object = {}) =>
  ({ type: 'Prove', proof: { kind: 'recovery_code', hash }, challenge: null, now: noon, ...over }) as FactorsCommand;
const confirm = { type: 'ConfirmTotp', factorId: 'f', step: 100, recoveryHashes: hashes, now: noon } as const;

describe('an authenticator app', () => {
  const offer = { type: 'OfferTotp', factorId: 'f', secret: 's1.x.y' } as const;
  it('is offered', () => given().when(offer).emits(offered));
  it('is offered once for a request', () => given(offered).when(offer).emits());
  it('is a factor after its first code, with recovery codes', () => given(offered).when(confirm).emits(added, codes));
  it('is not added with a wrong code', () =>
    given(offered)
      .when({ ...confirm, step: null })
      .refuses('wrong_code'));
  it('is not added with a code of an earlier offer', () =>
    given(offered, { ...offered, factorId: 'g' })
      .when(confirm)
      .refuses('totp_not_offered'));
  it('is not added without an offer', () => given().when(confirm).refuses('totp_not_offered'));
  it('is the only one', () =>
    given(...enrolled)
      .when({ ...offer, factorId: 'g' })
      .refuses('totp_exists'));
  it('remembers its last use, if the time was recorded', () => {
    const usedAt = (...events: readonly FactorsEvent[]) => fold<FactorsEvent, Factors>(factors, [...enrolled, ...events]).totp?.usedAt;
    const used = { type: 'TotpUsed', step: 101, challenge: null } as const;
    expect([usedAt(), usedAt(used), usedAt({ ...used, at: noon })]).toEqual([undefined, undefined, noon]);
  });
  it('is removed', () =>
    given(...enrolled)
      .when({ type: 'Remove', factorId: 'f' })
      .emits({ type: 'FactorRemoved', factorId: 'f', kind: 'totp' }));
  it('is not removed by another id', () =>
    given(...enrolled)
      .when({ type: 'Remove', factorId: 'g' })
      .refuses('factor_not_found'));
  it('is removed with its recovery codes', () => {
    const state = fold<FactorsEvent, Factors>(factors, [...enrolled, { type: 'FactorRemoved', factorId: 'f', kind: 'totp' }]);
    expect([state.totp, state.recoveryHashes]).toEqual([null, []]);
  });
});

describe('a code', () => {
  const used: FactorsEvent = { type: 'TotpUsed', step: 101, challenge: null, at: noon };
  it('is accepted', () =>
    given(...enrolled)
      .when(totp(101))
      .emits(used));
  it('is not accepted twice', () =>
    given(...enrolled, used)
      .when(totp(101))
      .emits(failed));
  it('is not accepted after a later one', () =>
    given(...enrolled, used)
      .when(totp(100))
      .emits(failed));
  it('is not accepted if it confirmed the app', () =>
    given(...enrolled)
      .when(totp(100))
      .emits(failed));
  it('is recorded when wrong', () =>
    given(...enrolled)
      .when(totp(null))
      .emits(failed));
  it('for recovery is accepted', () =>
    given(...enrolled)
      .when(recovery('h1'))
      .emits({ type: 'RecoveryCodeUsed', hash: 'h1', challenge: null }));
  it('for recovery is not accepted twice', () =>
    given(...enrolled, { type: 'RecoveryCodeUsed', hash: 'h1', challenge: null })
      .when(recovery('h1'))
      .emits(failed));
  it('for recovery is not accepted after new ones were made', () =>
    given(...enrolled, { type: 'RecoveryCodesMade', hashes: ['h3'] })
      .when(recovery('h1'))
      .emits(failed));
  it('is not checked after ten wrong ones, even if it is right', () =>
    given(...enrolled, ...tenFailures)
      .when(totp(101))
      .refuses('too_many_attempts'));
  it('is checked after the wait', () =>
    given(...enrolled, ...tenFailures)
      .when(totp(101, { now: Instant.plus(noon, 30_000) }))
      .emits({ ...used, at: Instant.plus(noon, 30_000) }));
});

describe('a challenge', () => {
  const used: FactorsEvent = { type: 'TotpUsed', step: 101, challenge, at: noon };
  it('is answered', () =>
    given(...enrolled)
      .when(totp(101, { challenge }))
      .emits(used));
  it('is not answered twice', () =>
    given(...enrolled, used)
      .when(totp(102, { challenge }))
      .refuses('invalid_challenge'));
  it('is not answered when it has expired', () =>
    given(...enrolled)
      .when(totp(101, { challenge, now: later }))
      .refuses('invalid_challenge'));
  it('may be answered after a wrong answer', () =>
    given(...enrolled, failed)
      .when(totp(101, { challenge }))
      .emits(used));
  it('is forgotten when it has expired', () => {
    const next = { id: 'd', expiresAt: Instant.plus(later, CHALLENGE_VALID_MILLIS) };
    const state = fold<FactorsEvent, Factors>(factors, [...enrolled, used, { type: 'TotpUsed', step: 120, challenge: next }]);
    expect(state.answered).toEqual([next]);
  });
});

describe('all second factors', () => {
  it('are reset', () =>
    given(...enrolled)
      .when({ type: 'Reset' })
      .emits({ type: 'FactorsReset' }));
  it('are reset once', () =>
    given(...enrolled, { type: 'FactorsReset' })
      .when({ type: 'Reset' })
      .emits());
  it('are forgotten with the user', () =>
    given(...enrolled)
      .when({ type: 'Forget' })
      .emits({ type: 'FactorsForgotten' }));
  it('are forgotten once, and none can be added afterwards', () => {
    given({ type: 'FactorsForgotten' }).when({ type: 'Forget' }).emits();
    given({ type: 'FactorsForgotten' }).when({ type: 'OfferTotp', factorId: 'f', secret: 's' }).refuses('user_not_found');
  });
  it('include recovery codes only together with another factor', () =>
    given().when({ type: 'MakeRecoveryCodes', hashes }).refuses('no_second_factor'));
});

describe('many proofs', () => {
  const proofs = fc.array(
    fc.oneof(
      fc.integer({ min: 98, max: 104 }).map((step) => totp(step)),
      fc.constant(totp(null)),
      fc.constantFrom('h1', 'h2', 'h3').map((hash) => recovery(hash)),
    ),
    { maxLength: 60 },
  );
  it('accept each code at most once, and report at most ten wrong codes in a row', () =>
    fc.assert(
      fc.property(proofs, (all) => {
        const log: FactorsEvent[] = [...enrolled];
        for (const command of all) log.push(...decided(command, log));
        const accepted = log.flatMap((event) =>
          event.type === 'TotpUsed' ? [`${event.step}`] : event.type === 'RecoveryCodeUsed' ? [event.hash] : [],
        );
        expect(new Set(accepted).size).toBe(accepted.length);
        expect(accepted).not.toContain('100');
        let row = 0;
        for (const { type } of log) {
          row = type === 'SecondFactorFailed' ? row + 1 : 0;
          expect(row).toBeLessThanOrEqual(FREE_FAILURES);
        }
      }),
    ));
});

function decided(command: FactorsCommand, log: readonly FactorsEvent[]): readonly FactorsEvent[] {
  try {
    const decision: Decision<FactorsEvent> = factors.decide(command, fold(factors, log));
    return decision instanceof Refusal ? [] : decision;
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
