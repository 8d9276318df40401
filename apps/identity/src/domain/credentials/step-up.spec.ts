import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { FRESH_MILLIS, needsSecondFactor, requireFresh, requireSessionForStepUp } from './step-up.ts';

const noon = Instant.ofSeconds(1_800_000_000);
const refused = expect.objectContaining({ kind: 'forbidden', code: 'step_up_required' });

describe('a second factor', () => {
  it('is fresh for ten minutes', () => {
    expect(() => requireFresh(noon, Instant.plus(noon, FRESH_MILLIS - 1))).not.toThrow();
    expect(() => requireFresh(noon, Instant.plus(noon, FRESH_MILLIS))).toThrow(refused);
  });
  it('is not fresh if none was proved', () => expect(() => requireFresh(undefined, noon)).toThrow(refused));
  it('is proved in a session only, so a token is told to sign in', () => {
    expect(() => requireSessionForStepUp('s')).not.toThrow();
    expect(() => requireSessionForStepUp(null)).toThrow(refused);
    expect(() => requireSessionForStepUp(null)).toThrow(/personal access token.*POST \/auth\/sign-in.*POST \/user\/me\/step-up/);
  });
  it.each([
    [true, ['Admin'], ['Admin']],
    [true, ['Other', 'admin'], ['ADMIN']],
    [false, ['Other'], ['Admin']],
    [false, ['Admin'], []],
  ])('is needed (%s) by members of %j where %j need one', (needed, groups, named) => expect(needsSecondFactor(groups, named)).toBe(needed));
});
