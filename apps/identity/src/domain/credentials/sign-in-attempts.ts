import { type Decider, Instant, refuse } from '@parlance/decider';

/**
 * Password checks for one e-mail address, whether or not a user has it.
 *
 * The password is checked first, the outcome is recorded here, and then the request is answered. So of a hundred concurrent wrong
 * passwords at any replicas, ten are answered as wrong and the rest as too many. Checks in progress do not count, so the right
 * password is refused only after ten wrong ones.
 */
export type SignInAttemptsCommand =
  /** Before a check: refused while the caller has to wait. */
  | { type: 'Try'; now: Instant }
  /** After a check. `signedIn`: a signed-in user had to enter the password again. */
  | { type: 'Conclude'; matches: boolean; userId: string | null; signedIn: boolean; now: Instant }
  | { type: 'ClearFailures' };

export type SignInAttemptsEvent =
  /** Until 0.2.0: counted each try before its outcome was known. */
  | { type: 'SignInTried'; at: Instant }
  /** `at` is null in events written until 0.2.0, because `SignInTried` had counted the try. */
  | { type: 'SignInFailed'; userId: string | null; at: Instant | null }
  | { type: 'PasswordNotProved'; at: Instant | null }
  | { type: 'SignInSucceeded' };

/** `tries`: failures that count. */
export type SignInAttempts = { readonly tries: number; readonly lastAt: Instant };

export const FREE_FAILURES = 10;
const FIRST_DELAY_MILLIS = 30_000;
const LONGEST_DELAY_MILLIS = 15 * 60_000;
/** Failures are forgotten this long after the last one. Waiting for it must allow fewer guesses than the longest delay does. */
export const FAILURES_FORGOTTEN_AFTER_MILLIS = 24 * 3_600_000;

export const signInAttempts: Decider<SignInAttemptsCommand, SignInAttemptsEvent, SignInAttempts> = {
  initialState: { tries: 0, lastAt: 0 as Instant },
  // The stream grows with every failed sign-in, over years.
  snapshots: { every: 20, shape: 'tries-1' },

  decide(command, state) {
    if (command.type === 'ClearFailures') return state.tries === 0 ? [] : [{ type: 'SignInSucceeded' }];
    const { now } = command;
    const failures = countFailures(state, now);
    const wait = waitAfter(state, now);
    if (wait > 0)
      return refuse('limited', 'too_many_attempts', 'Too many wrong passwords. Wait before the next try.', { retry_after: wait / 1000 });
    if (command.type === 'Try') return [];
    if (command.matches) return failures === 0 ? [] : [{ type: 'SignInSucceeded' }];
    const { userId, signedIn } = command;
    return [signedIn ? { type: 'PasswordNotProved', at: now } : { type: 'SignInFailed', userId, at: now }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SignInTried':
        return { tries: state.tries + 1, lastAt: event.at };
      case 'SignInFailed':
      case 'PasswordNotProved':
        return event.at === null ? state : { tries: countFailures(state, event.at) + 1, lastAt: event.at };
      case 'SignInSucceeded':
        return { ...state, tries: 0 };
    }
  },
};

/** Failures that count at this time. */
export const countFailures = ({ tries, lastAt }: SignInAttempts, now: Instant): number =>
  now - lastAt >= FAILURES_FORGOTTEN_AFTER_MILLIS ? 0 : tries;

/** Milliseconds until the next try. The first failures cause no wait, even if another replica's clock is ahead. */
export function waitAfter(state: SignInAttempts, now: Instant): number {
  const failures = countFailures(state, now);
  return failures < FREE_FAILURES ? 0 : Instant.plus(state.lastAt, delayAfter(failures)) - now;
}

/** After the free failures: 30 s, doubled with each failure, up to 15 min. */
const delayAfter = (failures: number): number => Math.min(FIRST_DELAY_MILLIS * 2 ** (failures - FREE_FAILURES), LONGEST_DELAY_MILLIS);

/** Converts events written until 0.2.0 to the current form. */
export const signInAttemptsUpcasts = {
  SignInFailed: [(fields: object) => ({ ...fields, at: null })],
  PasswordNotProved: [(fields: object) => ({ ...fields, at: null })],
};

export const signInAttemptsStream = (emailHash: string) => `attempts-${emailHash}`;
