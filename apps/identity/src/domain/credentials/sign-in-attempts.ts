import { type Decider, Instant, refuse } from '@parlance/decider';

/**
 * Passwords that were tried for one e-mail address, whether a user has it or not.
 *
 * A password is checked before its outcome is decided here, and the outcome is not told before it is decided. So of a
 * hundred wrong passwords at once, whichever replicas check them, ten are answered as wrong and the rest as too many; and
 * checks that are under way do not count, so that the right password is refused only after ten that were wrong.
 */
export type SignInAttemptsCommand =
  /** Before a check: whether one makes sense now. */
  | { type: 'Try'; now: Instant }
  /** After a check. `signedIn`: a user within a session had to prove the password again. */
  | { type: 'Conclude'; matches: boolean; userId: string | null; signedIn: boolean; now: Instant }
  | { type: 'ClearFailures' };

export type SignInAttemptsEvent =
  /** Until 0.2.0: counted each try from its beginning, before its outcome was known. */
  | { type: 'SignInTried'; at: Instant }
  /** `at` is null until 0.2.0, when `SignInTried` had counted the try. */
  | { type: 'SignInFailed'; userId: string | null; at: Instant | null }
  | { type: 'PasswordNotProved'; at: Instant | null }
  | { type: 'SignInSucceeded' };

/** `tries`: failures that count. */
export type SignInAttempts = { readonly tries: number; readonly lastAt: Instant };

export const FREE_FAILURES = 10;
const FIRST_DELAY_MILLIS = 30_000;
const LONGEST_DELAY_MILLIS = 15 * 60_000;
/** Failures are forgotten this long after the last one. Waiting for that must give fewer guesses than the longest delay does. */
export const FAILURES_FORGOTTEN_AFTER_MILLIS = 24 * 3_600_000;

export const signInAttempts: Decider<SignInAttemptsCommand, SignInAttemptsEvent, SignInAttempts> = {
  initialState: { tries: 0, lastAt: 0 as Instant },
  // Years of sign-ins are one long stream.
  snapshots: { every: 20, shape: 'tries-1' },

  decide(command, state) {
    if (command.type === 'ClearFailures') return state.tries === 0 ? [] : [{ type: 'SignInSucceeded' }];
    const { now } = command;
    const failures = countAt(state, now);
    // Those that are free have no wait, also where another replica's clock is ahead of ours.
    const wait = failures < FREE_FAILURES ? 0 : Instant.plus(state.lastAt, delayAfter(failures)) - now;
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
        return event.at === null ? state : { tries: countAt(state, event.at) + 1, lastAt: event.at };
      case 'SignInSucceeded':
        return { ...state, tries: 0 };
    }
  },
};

/** Failures that count at this time. */
const countAt = ({ tries, lastAt }: SignInAttempts, now: Instant): number => (now - lastAt >= FAILURES_FORGOTTEN_AFTER_MILLIS ? 0 : tries);

/** After the free ones: 30 s, doubling to 15 min. */
const delayAfter = (failures: number): number => Math.min(FIRST_DELAY_MILLIS * 2 ** (failures - FREE_FAILURES), LONGEST_DELAY_MILLIS);

/** What was written until 0.2.0, in today's form. */
export const signInAttemptsUpcasts = {
  SignInFailed: [(fields: object) => ({ ...fields, at: null })],
  PasswordNotProved: [(fields: object) => ({ ...fields, at: null })],
};

export const signInAttemptsStream = (emailHash: string) => `attempts-${emailHash}`;
