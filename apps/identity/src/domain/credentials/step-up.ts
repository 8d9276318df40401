import { type Instant, refuse } from '@parlance/decider';

/** How long after a second factor was proved the actions that need a fresh one are allowed. */
export const FRESH_MILLIS = 10 * 60_000;

/** A fresh sign-in at a provider may be this old, so that at least half of the time is left for the action that needs it. */
export const FRESH_SIGN_IN_SECONDS = FRESH_MILLIS / 2_000;

/** How a user proves their identity before adding a second factor. Without a proof, a thief with a stolen session could lock the user out. */
export type ProofToAdd = 'second_factor' | 'password' | 'recent_sign_in';

export const proofToAdd = (hasFactor: boolean, hasPassword: boolean): ProofToAdd =>
  hasFactor ? 'second_factor' : hasPassword ? 'password' : 'recent_sign_in';

/** Whether the configuration names one of the groups, ignoring case. */
export function needsSecondFactor(groups: readonly string[], named: readonly string[]): boolean {
  const needing = new Set(named.map((name) => name.toLowerCase()));
  return groups.some((group) => needing.has(group.toLowerCase()));
}

/** Membership of Admin would outlive the token that granted it. Throws the refusal `token_not_allowed` for a personal access token. */
export function requireSession(tokenId: string | undefined): void {
  if (tokenId === undefined) return;
  throw refuse(
    'forbidden',
    'token_not_allowed',
    'Membership in Admin cannot be changed with a personal access token. Sign in with POST /auth/sign-in.',
  );
}

/** Only sessions prove second factors. Throws the refusal `step_up_required` for a caller without one: a personal access token. */
export function requireSessionForStepUp(sessionId: string | null): asserts sessionId is string {
  if (sessionId !== null) return;
  throw refuse(
    'forbidden',
    'step_up_required',
    'This needs a second factor proved in the last ten minutes, which a personal access token cannot prove. Sign in with POST /auth/sign-in, prove the factor with POST /user/me/step-up, and repeat this request with the access token of that session.',
  );
}

/** Throws the refusal `step_up_required`, unless a second factor was proved in the session within ten minutes. */
export function requireFresh(provedAt: Instant | undefined, now: Instant): void {
  if (provedAt !== undefined && now - provedAt < FRESH_MILLIS) return;
  throw refuse(
    'forbidden',
    'step_up_required',
    'This needs a second factor proved in the last ten minutes. Prove it with POST /user/me/step-up, and then repeat this request.',
  );
}

export const passwordRequired = () =>
  refuse(
    'forbidden',
    'password_required',
    'Adding the first second factor to an account requires its password. Repeat this request with the field current_password.',
  );

/** `startedAt`: the time of the sign-in. Throws the refusal `recent_sign_in_required` unless that is within the last ten minutes. */
export function requireRecentSignIn(startedAt: Instant | undefined, now: Instant): void {
  if (startedAt !== undefined && now - startedAt < FRESH_MILLIS) return;
  throw refuse(
    'forbidden',
    'recent_sign_in_required',
    'To add the first second factor to an account without a password, you must have signed in within the last ten minutes. Sign in again through your identity provider, and then repeat this request.',
  );
}
