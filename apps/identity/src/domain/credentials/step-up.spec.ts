import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { FRESH_MILLIS, needsSecondFactor, proofToAdd, requireFresh, requireRecentSignIn, requireSessionForStepUp } from './step-up.ts';

const noon = Instant.ofSeconds(1_800_000_000);
const refused = expect.objectContaining({ kind: 'forbidden', code: 'step_up_required' });

describe('a second factor', () => {
  it('counts as fresh for ten minutes', () => {
    expect(() => requireFresh(noon, Instant.plus(noon, FRESH_MILLIS - 1))).not.toThrow();
    expect(() => requireFresh(noon, Instant.plus(noon, FRESH_MILLIS))).toThrow(refused);
  });
  it('is not fresh if it was never proved', () => expect(() => requireFresh(undefined, noon)).toThrow(refused));
  it('is proved only in a session, so the refusal of a token says to sign in', () => {
    expect(() => requireSessionForStepUp('s')).not.toThrow();
    expect(() => requireSessionForStepUp(null)).toThrow(refused);
    expect(() => requireSessionForStepUp(null)).toThrow(/personal access token.*POST \/auth\/sign-in.*POST \/user\/me\/step-up/);
  });
  it.each([
    [true, ['Admin'], ['Admin']],
    [true, ['Other', 'admin'], ['ADMIN']],
    [false, ['Other'], ['Admin']],
    [false, ['Admin'], []],
  ])('is needed (%s) by members of %j when the groups %j need one', (needed, groups, named) =>
    expect(needsSecondFactor(groups, named)).toBe(needed),
  );
});

describe('adding a second factor', () => {
  it.each([
    ['second_factor', true, true],
    ['second_factor', true, false],
    ['password', false, true],
    ['recent_sign_in', false, false],
  ] as const)('needs %s (has a factor: %s, a password: %s)', (proof, hasFactor, hasPassword) =>
    expect(proofToAdd(hasFactor, hasPassword)).toBe(proof),
  );
  it('needs a sign-in within the last ten minutes, and its time must be known', () => {
    const old = expect.objectContaining({ kind: 'forbidden', code: 'recent_sign_in_required' });
    expect(() => requireRecentSignIn(noon, Instant.plus(noon, FRESH_MILLIS - 1))).not.toThrow();
    expect(() => requireRecentSignIn(noon, Instant.plus(noon, FRESH_MILLIS))).toThrow(old);
    expect(() => requireRecentSignIn(undefined, noon)).toThrow(old);
  });
});
