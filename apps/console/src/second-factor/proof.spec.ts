import { expect, it } from '@jest/globals';
import { methodsOf, proofMethods, proofOf } from './proof.ts';

it.each(['123456', '123 456', ' 123456 '])('accepts %p as the code of an app', (entered) => {
  expect(proofOf('code', entered)).toEqual({ code: '123456' });
});
it.each(['', '12345', '1234567', '12345a', 'abcd-efgh'])('sends no request for the code %p', (entered) => {
  expect(proofOf('code', entered)).toBeNull();
});
it('sends a recovery code unchanged', () => {
  expect(proofOf('recovery_code', ' abcd-efgh-jkmn ')).toEqual({ recovery_code: 'abcd-efgh-jkmn' });
  expect(proofOf('recovery_code', ' ')).toBeNull();
});
it('asks for a passkey first, if the browser supports them', () => {
  const methods = ['recovery_code', 'totp', 'passkey', 'passkey'] as const;
  expect(proofMethods(methods, true)).toEqual(['passkey', 'totp', 'recovery_code']);
  expect(proofMethods(methods, false)).toEqual(['totp', 'recovery_code']);
});
it('asks for a recovery code if the browser does not support the only second factor, and for a code if nothing is known', () => {
  expect(proofMethods(['passkey', 'recovery_code'], false)).toEqual(['recovery_code']);
  expect(proofMethods(['passkey'], false)).toEqual(['totp']);
});
it('offers a recovery code only while one is left', () => {
  const factors = [{ factor_id: 'f', kind: 'passkey' as const, create_time: 1 }];
  expect(methodsOf({ factors, recovery_codes_left: 0, proof_to_add: 'second_factor', required: false })).toEqual(['passkey']);
  expect(methodsOf({ factors, recovery_codes_left: 3, proof_to_add: 'second_factor', required: false })).toEqual([
    'passkey',
    'recovery_code',
  ]);
});
