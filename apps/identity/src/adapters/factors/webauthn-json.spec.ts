import { describe, expect, it } from '@jest/globals';
import { isAssertion, isRegistration } from './webauthn-json.ts';

const credential = (response: object) => ({ id: 'Y3JlZA', rawId: 'Y3JlZA', type: 'public-key', response });
const registration = { clientDataJSON: 'e30', attestationObject: 'o2Nm', transports: ['usb', 'nfc'] };
const assertion = { clientDataJSON: 'e30', authenticatorData: 'SZYN', signature: 'MEUC', userHandle: 'YW5u' };
/** Invalid values for a member. Undefined removes the member. */
const wrong: [string, unknown][] = [
  ['is missing', undefined],
  ['is null', null],
  ['is not a string', 7],
  ['is empty', ''],
  ['is not base64url', 'a+b='],
  ['has a second line', 'YW5u\nYW5u'],
];

describe('a registration of a passkey', () => {
  it.each([
    ['with transports', registration],
    ['without transports', { ...registration, transports: undefined }],
    ['with other members', { ...registration, publicKeyAlgorithm: -7 }],
    ['with the longest values', { ...registration, clientDataJSON: 'a'.repeat(4_000), attestationObject: 'a'.repeat(6_000) }],
    ['with the most and longest transports', { ...registration, transports: Array.from({ length: 16 }, () => 'a'.repeat(40)) }],
  ])('is accepted %s', (_, response) => expect(isRegistration(credential(response))).toBe(true));

  it.each([
    ...['clientDataJSON', 'attestationObject'].flatMap((name) => wrong.map(([how, value]) => [name, how, value] as const)),
    ['clientDataJSON', 'is too long', 'a'.repeat(4_001)],
    ['attestationObject', 'is too long', 'a'.repeat(6_001)],
    ['transports', 'is not a list', 'usb'],
    ['transports', 'has too many', Array.from({ length: 17 }, () => 'usb')],
    ['transports', 'has one that is too long', ['a'.repeat(41)]],
    ['transports', 'has one that is not a string', ['usb', 7]],
  ] as const)('is refused if %s %s', (name, _, value) =>
    expect(isRegistration(credential({ ...registration, [name]: value }))).toBe(false),
  );
});

describe('an assertion of a passkey', () => {
  it.each([
    ['with a user handle', assertion],
    ['with null as the user handle', { ...assertion, userHandle: null }],
    ['without a user handle', { ...assertion, userHandle: undefined }],
    [
      'with the longest values',
      {
        clientDataJSON: 'a'.repeat(4_000),
        authenticatorData: 'a'.repeat(2_000),
        signature: 'a'.repeat(1_400),
        userHandle: 'a'.repeat(88),
      },
    ],
  ])('is accepted %s', (_, response) => expect(isAssertion(credential(response))).toBe(true));

  it.each([
    ...['clientDataJSON', 'authenticatorData', 'signature'].flatMap((name) => wrong.map(([how, value]) => [name, how, value] as const)),
    ['clientDataJSON', 'is too long', 'a'.repeat(4_001)],
    ['authenticatorData', 'is too long', 'a'.repeat(2_001)],
    ['signature', 'is too long', 'a'.repeat(1_401)],
    ['userHandle', 'is too long', 'a'.repeat(89)],
    ['userHandle', 'is empty', ''],
    ['userHandle', 'is no text', 7],
  ] as const)('is refused if %s %s', (name, _, value) => expect(isAssertion(credential({ ...assertion, [name]: value }))).toBe(false));
});

describe('a credential', () => {
  it('may have an ID of 1,023 bytes', () => {
    const id = 'a'.repeat(1_364);
    expect(isAssertion({ ...credential(assertion), id, rawId: id })).toBe(true);
  });
  it.each([
    ['no object', 'credential'],
    ['null', null],
    ['a list', [credential(assertion)]],
    ['without an ID', { ...credential(assertion), id: undefined, rawId: undefined }],
    ['with a longer ID', { ...credential(assertion), id: 'a'.repeat(1_365), rawId: 'a'.repeat(1_365) }],
    ['with two IDs', { ...credential(assertion), rawId: 'b3RoZXI' }],
    ['without a response', { ...credential(assertion), response: undefined }],
    ['with a list as its response', { ...credential(assertion), response: [assertion] }],
  ])('is refused if it is %s', (_, value) => expect([isAssertion(value), isRegistration(value)]).toEqual([false, false]));
});
