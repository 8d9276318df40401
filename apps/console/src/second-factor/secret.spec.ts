import { expect, it } from '@jest/globals';
import { inGroups, wholeSecretOf } from './secret.ts';

it('shows a secret in groups of four', () => {
  expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ');
});
it('accepts neither a missing nor a masked secret', () => {
  expect([undefined, 'ABCD…', 'ABCD2345'].map((secret) => wholeSecretOf({ factor_id: 'f', secret }))).toEqual([null, null, 'ABCD2345']);
});
