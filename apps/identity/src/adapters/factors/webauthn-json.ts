import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** The result of `navigator.credentials.create`, as returned by its `toJSON`. */
export type RegistrationJson = RegistrationResponseJSON;

/** The result of `navigator.credentials.get`, as returned by its `toJSON`. */
export type AssertionJson = AuthenticationResponseJSON;

const BASE64URL = '^[A-Za-z0-9_-]+$';
const isBase64url = new RegExp(BASE64URL);

/** Longest values in characters. A credential ID has up to 1,023 bytes, an RSA key of 4,096 bits about 600. */
const LONGEST = { credentialId: 1_364, clientData: 4_000, attestation: 6_000, authenticatorData: 2_000, signature: 1_400, userHandle: 88 };
const MOST_TRANSPORTS = 16;
const LONGEST_TRANSPORT = 40;

const text = (value: unknown, longest: number): boolean => typeof value === 'string' && value.length <= longest && isBase64url.test(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isCredential(value: unknown): value is { readonly response: Readonly<Record<string, unknown>> } {
  return isObject(value) && text(value['id'], LONGEST.credentialId) && value['id'] === value['rawId'] && isObject(value['response']);
}

/** Other members are allowed, because browsers add some. */
export function isRegistration(value: unknown): value is RegistrationJson {
  if (!isCredential(value)) return false;
  const { clientDataJSON, attestationObject, transports = [] } = value.response;
  const areTransports =
    Array.isArray(transports) &&
    transports.length <= MOST_TRANSPORTS &&
    transports.every((transport) => typeof transport === 'string' && transport.length <= LONGEST_TRANSPORT);
  return text(clientDataJSON, LONGEST.clientData) && text(attestationObject, LONGEST.attestation) && areTransports;
}

export function isAssertion(value: unknown): value is AssertionJson {
  if (!isCredential(value)) return false;
  const { clientDataJSON, authenticatorData, signature, userHandle } = value.response;
  return (
    text(clientDataJSON, LONGEST.clientData) &&
    text(authenticatorData, LONGEST.authenticatorData) &&
    text(signature, LONGEST.signature) &&
    (userHandle === undefined || userHandle === null || text(userHandle, LONGEST.userHandle))
  );
}

const textSchema = (maxLength: number) => ({ type: 'string', maxLength, pattern: BASE64URL }) as const;
const credentialSchema = (response: object, required: readonly string[]) => ({
  type: 'object',
  description: 'The response of the authenticator, as PublicKeyCredential.toJSON() returns it. rawId equals id.',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    id: textSchema(LONGEST.credentialId),
    rawId: textSchema(LONGEST.credentialId),
    type: { type: 'string' },
    response: { type: 'object', required, properties: response },
  },
});

export const registrationSchema = credentialSchema(
  {
    clientDataJSON: textSchema(LONGEST.clientData),
    attestationObject: textSchema(LONGEST.attestation),
    transports: { type: 'array', maxItems: MOST_TRANSPORTS, items: { type: 'string', maxLength: LONGEST_TRANSPORT } },
  },
  ['clientDataJSON', 'attestationObject'],
);

export const assertionSchema = credentialSchema(
  {
    clientDataJSON: textSchema(LONGEST.clientData),
    authenticatorData: textSchema(LONGEST.authenticatorData),
    signature: textSchema(LONGEST.signature),
    userHandle: { type: ['string', 'null'], maxLength: LONGEST.userHandle, pattern: BASE64URL },
  },
  ['clientDataJSON', 'authenticatorData', 'signature'],
);
