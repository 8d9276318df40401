import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';

/** COSE identifiers of EdDSA, ES256 and RS256, which all browsers know. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** A key as COSE describes it. Its members have numbers. */
export type CoseKey = ReadonlyMap<number, unknown>;

/** Anybody can forge signatures of an RSA key with the exponent 1, and break a short key. */
const RSA_BITS = { least: 2_048, most: 4_096 };
const LEAST_EXPONENT = 65_537n;

/**
 * Whether signatures of this key can be checked and are hard to forge. The library @simplewebauthn/server reads only the algorithm of a new key.
 */
export function isSoundKey(cose: CoseKey): boolean {
  const key = publicKeyOf(cose);
  if (key?.asymmetricKeyType !== 'rsa') return key !== null;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  return modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most && publicExponent >= LEAST_EXPONENT;
}

/** Null if the type does not fit the algorithm, or the key is invalid, such as a point that is not on the curve. */
function publicKeyOf(cose: CoseKey): KeyObject | null {
  const jwk = jwkOf(cose);
  if (jwk === null) return null;
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}

function jwkOf(cose: CoseKey): JsonWebKeyInput['key'] | null {
  const text = (label: number) => {
    const value = cose.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  };
  switch ([1, 3, -1].map((label) => (cose.get(label) instanceof Uint8Array ? '' : cose.get(label))).join()) {
    case '1,-8,6':
      return { kty: 'OKP', crv: 'Ed25519', x: text(-2) };
    case '2,-7,1':
      return { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) };
    case '3,-257,':
      return { kty: 'RSA', n: text(-1), e: text(-2) };
    default:
      return null;
  }
}
