import { type Decision, Instant, refuse } from '@parlance/decider';
import type { Challenge, Factors, FactorsCommand, FactorsEvent } from './factors.ts';

/** The most passkeys of one user. `GET /user/me/factors` and each challenge list all of them. */
export const MOST_PASSKEYS = 10;
/** The most removed credentials that are remembered. By the time one is dropped, its claim has long been released. */
const MOST_FORMER = 2 * MOST_PASSKEYS;
/** How long after the creation options were made a new passkey is accepted. */
export const PASSKEY_OFFER_VALID_MILLIS = 5 * 60_000;

/** A credential that an authenticator created for the user. */
export interface Credential {
  /** Keyed hash of the credential ID. */
  readonly credentialHash: string;
  /** Sealed: the credential ID, the public key, the transports and the user's name for it. */
  readonly details: string;
  /** The last signature counter; 0 for authenticators that do not count. */
  readonly counter: number;
  /** Whether the authenticator may copy the passkey to other devices, and whether it has. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

export interface Passkey extends Credential {
  readonly factorId: string;
  readonly addedAt: Instant;
  /** Absent if never, or if the time was not recorded. */
  readonly usedAt?: Instant;
  /** The user's number of takeovers when the passkey was added; absent for 0. After another takeover, nobody can sign in with it. */
  readonly takeovers?: number;
}

/** An assertion whose challenge, origin and signature are right. */
export interface Assertion {
  readonly factorId: string;
  readonly counter: number;
  readonly backedUp: boolean;
}

export interface PasskeysState {
  readonly passkeys: readonly Passkey[];
  /** The ID of the passkey that is being made. The challenge for it is derived from the ID. */
  readonly passkeyOffer: { readonly factorId: string; readonly expiresAt: Instant } | null;
  /** Hashes of removed credentials, oldest first. */
  readonly former: readonly string[];
}

export const noPasskeys: PasskeysState = { passkeys: [], passkeyOffer: null, former: [] };

export function offered(
  { factorId, now }: Extract<FactorsCommand, { type: 'OfferPasskey' }>,
  { passkeys, passkeyOffer }: Factors,
): Decision<FactorsEvent> {
  if (passkeyOffer?.factorId === factorId) return [];
  if (passkeys.length >= MOST_PASSKEYS) return tooMany();
  return [{ type: 'PasskeyOffered', factorId, expiresAt: Instant.plus(now, PASSKEY_OFFER_VALID_MILLIS) }];
}

export function added(
  { factorId, credential, takeovers, recoveryHashes, now }: Extract<FactorsCommand, { type: 'ConfirmPasskey' }>,
  { passkeys, passkeyOffer, recoveryHashes: had }: Factors,
): Decision<FactorsEvent> {
  const known = passkeys.find(({ credentialHash }) => credentialHash === credential.credentialHash);
  if (known?.factorId === factorId) return [];
  if (passkeyOffer?.factorId !== factorId || passkeyOffer.expiresAt <= now) return notOffered();
  if (known) return refuse('conflict', 'passkey_exists', 'This passkey is already one of your second factors.');
  if (passkeys.length >= MOST_PASSKEYS) return tooMany();
  const event: FactorsEvent = { type: 'PasskeyAdded', factorId, ...credential, ...(takeovers > 0 && { takeovers }), at: now };
  return had.length > 0 ? [event] : [event, { type: 'RecoveryCodesMade', hashes: recoveryHashes }];
}

/**
 * False if the account has passed to the user of a provider since the passkey was added. The factors of the earlier person are removed a
 * little later.
 */
export const isOfPresentUser = ({ takeovers = 0 }: Passkey, present: number): boolean => takeovers === present;

/** Null if the assertion is not accepted. */
export function used(assertion: Assertion | null, challenge: Challenge, { passkeys }: Factors, now: Instant): FactorsEvent | null {
  const known = passkeys.find(({ factorId }) => factorId === assertion?.factorId);
  if (!assertion || !known) return null;
  // A counter that has not grown is a replay, or the passkey was cloned. Authenticators without a counter always send 0.
  const counts = assertion.counter > 0 || known.counter > 0;
  if (counts && assertion.counter <= known.counter) return null;
  return { type: 'PasskeyUsed', ...assertion, challenge, at: now };
}

export const withPasskey = (state: Factors, { type: _, at, ...facts }: Extract<FactorsEvent, { type: 'PasskeyAdded' }>): Factors => ({
  ...state,
  passkeyOffer: null,
  passkeys: [...state.passkeys, { ...facts, addedAt: at }],
  former: state.former.filter((hash) => hash !== facts.credentialHash),
});

/** The time of a use, if it was recorded. */
export const usedAt = ({ at }: { readonly at?: Instant | undefined }) => (at === undefined ? {} : { usedAt: at });

export const withUse = (state: Factors, { factorId, counter, backedUp, at }: Extract<FactorsEvent, { type: 'PasskeyUsed' }>): Factors => ({
  ...state,
  passkeys: state.passkeys.map((passkey) =>
    passkey.factorId === factorId ? { ...passkey, counter, backedUp, ...usedAt({ at }) } : passkey,
  ),
});

export function withoutPasskeys(state: PasskeysState, factorId?: string): PasskeysState {
  const isOver = (passkey: Passkey) => factorId === undefined || passkey.factorId === factorId;
  const removed = state.passkeys.filter(isOver).map(({ credentialHash }) => credentialHash);
  return {
    passkeys: state.passkeys.filter((passkey) => !isOver(passkey)),
    passkeyOffer: factorId === undefined ? null : state.passkeyOffer,
    former: [...state.former, ...removed].slice(-MOST_FORMER),
  };
}

export const notOffered = () =>
  refuse('conflict', 'passkey_not_offered', 'First ask for options with POST /user/me/factors/passkeys. They are valid for five minutes.');

const tooMany = () =>
  refuse('conflict', 'too_many_passkeys', `You have ${MOST_PASSKEYS} passkeys, which is the limit. Remove one before you add another one.`);
