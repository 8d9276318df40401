import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { ALGORITHMS } from '../../adapters/factors/passkey-keys.ts';
import { TRANSPORTS, type Transport } from '../../adapters/factors/passkeys.ts';
import { CHALLENGE_VALID_MILLIS } from '../../domain/credentials/factors.ts';
import { PASSKEY_OFFER_VALID_MILLIS } from '../../domain/credentials/passkeys.ts';

const Descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.enum(TRANSPORTS)) });

/** Uses the names of WebAuthn. */
const PasskeyCreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int().describe('Milliseconds.'),
    attestation: z.literal('none'),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('preferred') }),
  })
  .describe('For PublicKeyCredential.parseCreationOptionsFromJSON().');
type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

export const PasskeyRequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int().describe('Milliseconds.'),
    allowCredentials: z.array(Descriptor).describe('Empty: any passkey of this installation.'),
    userVerification: z.enum(['preferred', 'required']),
  })
  .describe('For PublicKeyCredential.parseRequestOptionsFromJSON().');
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

export const OfferedPasskey = z.object({ factor_id: z.string(), options: PasskeyCreationOptions });
export type OfferedPasskey = z.infer<typeof OfferedPasskey>;

export const PasskeyRequest = z.object({ options: PasskeyRequestOptions });
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

export const PasskeyChallenge = z.object({
  challenge_token: z.string().meta({ 'x-secret': true, description: 'Sent back with the assertion. Valid once, for five minutes.' }),
  options: PasskeyRequestOptions,
});
export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>;

nameSchemas({ PasskeyCreationOptions, PasskeyRequestOptions, OfferedPasskey, PasskeyRequest, PasskeyChallenge });

export interface KnownCredential {
  readonly id: string;
  readonly transports: readonly Transport[];
}

const descriptorOf = ({ id, transports }: KnownCredential): z.infer<typeof Descriptor> => ({
  id,
  type: 'public-key',
  transports: [...transports],
});

/** The authenticator returns the user's ID at a sign-in without a password. */
export const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

export function creationOptions(
  challenge: string,
  rpId: string,
  user: { readonly id: string; readonly email: string; readonly name: string },
  known: readonly KnownCredential[],
): PasskeyCreationOptions {
  return {
    challenge,
    rp: { id: rpId, name: 'Parlance' },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PASSKEY_OFFER_VALID_MILLIS,
    attestation: 'none',
    excludeCredentials: known.map(descriptorOf),
    // A security key without a PIN and without storage for discoverable credentials can still be a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  };
}

export const requestOptions = (
  challenge: string,
  rpId: string,
  known: readonly KnownCredential[],
  userVerification: 'preferred' | 'required',
): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: CHALLENGE_VALID_MILLIS,
  allowCredentials: known.map(descriptorOf),
  userVerification,
});
