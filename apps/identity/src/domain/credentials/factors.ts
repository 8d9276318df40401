import { type Decider, type Decision, Instant, refuse } from '@parlance/decider';
import {
  added as addedPasskey,
  type Assertion,
  type Credential,
  noPasskeys,
  offered as offeredPasskey,
  type PasskeysState,
  used,
  usedAt,
  withoutPasskeys,
  withPasskey,
  withUse,
} from './passkeys.ts';
import { countFailures, waitAfter } from './sign-in-attempts.ts';
import { userNotFound } from '../user-not-found.ts';

/**
 * The second factors of one user: an authenticator app (TOTP), passkeys and ten recovery codes.
 *
 * A proof is checked first, and recorded here before it is answered. So of concurrent uses of one code at any replicas exactly one is
 * accepted, and of many concurrent wrong codes ten are answered as wrong and the rest as too many.
 */
export type Proof =
  /** `step`: the time step of the code, or null if the code is wrong. */
  | { readonly kind: 'totp'; readonly step: number | null }
  | { readonly kind: 'recovery_code'; readonly hash: string }
  /** Null if the signature or the signed data is wrong. A passkey needs a challenge. */
  | { readonly kind: 'passkey'; readonly assertion: Assertion | null };

/** A challenge that was answered. It is remembered until it expires. */
export interface Challenge {
  readonly id: string;
  readonly expiresAt: Instant;
}

export type FactorsCommand =
  /** `secret` is sealed. */
  | { type: 'OfferTotp'; factorId: string; secret: string }
  /**
   * `factorId`: the offer that the code was checked with. `step`: as in a proof. `recoveryHashes` are stored if the user has no recovery
   * codes yet.
   */
  | { type: 'ConfirmTotp'; factorId: string; step: number | null; recoveryHashes: readonly string[]; now: Instant }
  | { type: 'OfferPasskey'; factorId: string; now: Instant }
  /** `credential`: verified with the challenge of the offer. `takeovers`: the user's number of takeovers. `recoveryHashes`: as above. */
  | {
      type: 'ConfirmPasskey';
      factorId: string;
      credential: Credential;
      takeovers: number;
      recoveryHashes: readonly string[];
      now: Instant;
    }
  | { type: 'MakeRecoveryCodes'; hashes: readonly string[] }
  /** `challenge`: null for a code of a signed-in user. */
  | { type: 'Prove'; proof: Proof; challenge: Challenge | null; now: Instant }
  | { type: 'Remove'; factorId: string }
  /** An administrator removes all factors. */
  | { type: 'Reset' }
  /** The user was erased. */
  | { type: 'Forget' };

export type FactorsEvent =
  | { type: 'TotpOffered'; factorId: string; secret: string }
  /** `step`: the time step of the code that confirmed the app. That code cannot be used again. */
  | { type: 'TotpAdded'; factorId: string; step: number; at: Instant }
  | { type: 'RecoveryCodesMade'; hashes: readonly string[] }
  /** `at` is absent in events of earlier versions. */
  | { type: 'TotpUsed'; step: number; challenge: Challenge | null; at?: Instant }
  | { type: 'RecoveryCodeUsed'; hash: string; challenge: Challenge | null }
  | { type: 'PasskeyOffered'; factorId: string; expiresAt: Instant }
  | ({ type: 'PasskeyAdded'; factorId: string; takeovers?: number; at: Instant } & Credential)
  | ({ type: 'PasskeyUsed'; challenge: Challenge; at?: Instant } & Assertion)
  | { type: 'SecondFactorFailed'; at: Instant }
  | { type: 'FactorRemoved'; factorId: string; kind: FactorKind }
  | { type: 'FactorsReset' }
  | { type: 'FactorsForgotten' };

export type FactorKind = 'totp' | 'passkey';

interface Totp {
  readonly factorId: string;
  readonly secret: string;
  /** The last used time step. */
  readonly step: number;
  readonly addedAt: Instant;
  /** Absent if never, or if the time was not recorded. */
  readonly usedAt?: Instant;
}

export interface Factors extends PasskeysState {
  readonly totp: Totp | null;
  readonly offered: { readonly factorId: string; readonly secret: string } | null;
  readonly recoveryHashes: readonly string[];
  readonly answered: readonly Challenge[];
  readonly failures: { readonly tries: number; readonly lastAt: Instant };
  readonly forgotten: boolean;
}

export const RECOVERY_CODES = 10;
const none: Factors = {
  totp: null,
  offered: null,
  ...noPasskeys,
  recoveryHashes: [],
  answered: [],
  failures: { tries: 0, lastAt: 0 as Instant },
  forgotten: false,
};

export const hasFactor = ({ totp, passkeys }: Factors): boolean => totp !== null || passkeys.length > 0;

export const factors: Decider<FactorsCommand, FactorsEvent, Factors> = {
  initialState: none,
  // The stream grows with every sign-in, over years.
  snapshots: { every: 20, shape: 'factors-2' },

  decide(command, state) {
    if (command.type === 'Forget') return state.forgotten ? [] : [{ type: 'FactorsForgotten' }];
    if (state.forgotten) return userNotFound();
    switch (command.type) {
      case 'OfferTotp':
        if (state.totp)
          return refuse('conflict', 'totp_exists', 'You already have an authenticator app. Remove it before you add another one.');
        return state.offered?.factorId === command.factorId
          ? []
          : [{ type: 'TotpOffered', factorId: command.factorId, secret: command.secret }];
      case 'ConfirmTotp':
        return confirmed(command, state);
      case 'OfferPasskey':
        return offeredPasskey(command, state);
      case 'ConfirmPasskey':
        return addedPasskey(command, state);
      case 'MakeRecoveryCodes':
        if (!hasFactor(state))
          return refuse(
            'conflict',
            'no_second_factor',
            'Recovery codes are a substitute for a second factor. Add an authenticator app or a passkey first.',
          );
        return [{ type: 'RecoveryCodesMade', hashes: command.hashes }];
      case 'Prove':
        return proved(command, state);
      case 'Remove':
        return removed(command, state);
      case 'Reset':
        return hasFactor(state) || state.offered || state.passkeyOffer ? [{ type: 'FactorsReset' }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TotpOffered':
        return { ...state, offered: { factorId: event.factorId, secret: event.secret } };
      case 'TotpAdded':
        return {
          ...state,
          offered: null,
          totp: { factorId: event.factorId, secret: state.offered?.secret ?? '', step: event.step, addedAt: event.at },
        };
      case 'RecoveryCodesMade':
        return { ...state, recoveryHashes: event.hashes };
      case 'TotpUsed':
        return answered(state.totp ? { ...state, totp: { ...state.totp, step: event.step, ...usedAt(event) } } : state, event.challenge);
      case 'RecoveryCodeUsed':
        return answered({ ...state, recoveryHashes: state.recoveryHashes.filter((hash) => hash !== event.hash) }, event.challenge);
      case 'SecondFactorFailed':
        return { ...state, failures: { tries: countFailures(state.failures, event.at) + 1, lastAt: event.at } };
      case 'PasskeyOffered':
        return { ...state, passkeyOffer: { factorId: event.factorId, expiresAt: event.expiresAt } };
      case 'PasskeyAdded':
        return withPasskey(state, event);
      case 'PasskeyUsed':
        return answered(withUse(state, event), event.challenge);
      case 'FactorRemoved': {
        const left = event.kind === 'totp' ? { ...state, totp: null } : { ...state, ...withoutPasskeys(state, event.factorId) };
        return hasFactor(left) ? left : { ...left, recoveryHashes: [] };
      }
      case 'FactorsReset':
        return { ...none, ...withoutPasskeys(state), answered: state.answered };
      case 'FactorsForgotten':
        return { ...none, ...withoutPasskeys(state), forgotten: true };
    }
  },
};

function confirmed(
  { factorId, step, recoveryHashes, now }: Extract<FactorsCommand, { type: 'ConfirmTotp' }>,
  { offered, recoveryHashes: had }: Factors,
): Decision<FactorsEvent> {
  if (!offered) return totpNotOffered();
  if (offered.factorId !== factorId)
    return refuse('conflict', 'totp_not_offered', 'A newer secret has replaced this one. Scan the newest QR code, and enter its code.');
  if (step === null)
    return refuse('invalid', 'wrong_code', 'The code is wrong. Check the clock of the device, and enter the newest code of the app.', {
      errors: [{ path: 'code', message: 'must be the newest code of the app' }],
    });
  const added: FactorsEvent = { type: 'TotpAdded', factorId, step, at: now };
  return had.length > 0 ? [added] : [added, { type: 'RecoveryCodesMade', hashes: recoveryHashes }];
}

function removed({ factorId }: Extract<FactorsCommand, { type: 'Remove' }>, { totp, passkeys }: Factors): Decision<FactorsEvent> {
  if (totp?.factorId === factorId) return [{ type: 'FactorRemoved', factorId, kind: 'totp' }];
  if (passkeys.some((passkey) => passkey.factorId === factorId)) return [{ type: 'FactorRemoved', factorId, kind: 'passkey' }];
  return refuse('missing', 'factor_not_found', 'You have no such second factor.');
}

function proved({ proof, challenge, now }: Extract<FactorsCommand, { type: 'Prove' }>, state: Factors): Decision<FactorsEvent> {
  const wait = waitAfter(state.failures, now);
  // Refused before the proof is checked, so that a right guess is not recognised either.
  if (wait > 0)
    return refuse('limited', 'too_many_attempts', 'Too many wrong codes. Wait before the next try.', { retry_after: wait / 1000 });
  if (challenge !== null && (challenge.expiresAt <= now || state.answered.some(({ id }) => id === challenge.id))) return invalidChallenge();
  if (proof.kind === 'passkey') {
    if (challenge === null) return invalidChallenge();
    return [used(proof.assertion, challenge, state, now) ?? { type: 'SecondFactorFailed', at: now }];
  }
  if (proof.kind === 'recovery_code' && state.recoveryHashes.includes(proof.hash))
    return [{ type: 'RecoveryCodeUsed', hash: proof.hash, challenge }];
  // A code of the last used time step, or of an earlier one, was seen before.
  if (proof.kind === 'totp' && proof.step !== null && state.totp && proof.step > state.totp.step)
    return [{ type: 'TotpUsed', step: proof.step, challenge, at: now }];
  return [{ type: 'SecondFactorFailed', at: now }];
}

/** Earlier failures no longer count. Challenges are forgotten when they have expired at the time of a later one. */
function answered(state: Factors, challenge: Challenge | null): Factors {
  const cleared = { ...state, failures: { ...state.failures, tries: 0 } };
  if (challenge === null) return cleared;
  // A challenge that expired before this one was made is no longer needed.
  const begun = Instant.plus(challenge.expiresAt, -CHALLENGE_VALID_MILLIS);
  return { ...cleared, answered: [...state.answered.filter(({ expiresAt }) => expiresAt > begun), challenge] };
}

export const CHALLENGE_VALID_MILLIS = 5 * 60_000;

export const totpNotOffered = () => refuse('conflict', 'totp_not_offered', 'First ask for a secret with POST /user/me/factors/totp.');

export const invalidChallenge = () =>
  refuse('unauthenticated', 'invalid_challenge', 'The challenge token is invalid or has expired. Sign in again from the start.');

export const factorsStream = (userId: string) => `factors-${userId}`;
