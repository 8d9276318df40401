import { type Decider, Instant, refuse } from '@parlance/decider';

/**
 * Tries to sign in with one e-mail address, whether anybody has it or not. A try counts as failed from its beginning until
 * it has succeeded, so that a hundred at once are no hundred guesses.
 */
export type SignInAttemptsCommand =
  { type: 'Try'; now: Instant } | { type: 'Fail'; userId: string | null; signedIn: boolean } | { type: 'Succeed' };

export type SignInAttemptsEvent =
  | { type: 'SignInTried'; at: Instant }
  | { type: 'SignInFailed'; userId: string | null }
  /** The same of somebody within a session, who had to prove the password again. */
  | { type: 'PasswordNotProved' }
  | { type: 'SignInSucceeded' };

export type SignInAttempts = { readonly tries: number; readonly lastAt: Instant };

const free = 10;
const firstDelayMillis = 30_000;
const longestDelayMillis = 15 * 60_000;

export const signInAttempts: Decider<SignInAttemptsCommand, SignInAttemptsEvent, SignInAttempts> = {
  initialState: { tries: 0, lastAt: 0 as Instant },
  // Years of sign-ins are one long stream.
  snapshots: { every: 20, shape: 'tries-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Try': {
        const wait = Instant.plus(state.lastAt, delayAfter(state.tries)) - command.now;
        if (wait <= 0) return [{ type: 'SignInTried', at: command.now }];
        return refuse('limited', 'too_many_attempts', 'Too many attempts to sign in: wait before the next.', { retry_after: wait / 1000 });
      }
      case 'Fail':
        return [command.signedIn ? { type: 'PasswordNotProved' } : { type: 'SignInFailed', userId: command.userId }];
      case 'Succeed':
        return state.tries === 0 ? [] : [{ type: 'SignInSucceeded' }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SignInTried':
        return { tries: state.tries + 1, lastAt: event.at };
      case 'SignInFailed':
      case 'PasswordNotProved':
        return state;
      case 'SignInSucceeded':
        return { ...state, tries: 0 };
    }
  },
};

/** None for the first ten, then 30 s, doubling to 15 min. */
function delayAfter(tries: number): number {
  return tries < free ? 0 : Math.min(firstDelayMillis * 2 ** (tries - free), longestDelayMillis);
}

export const signInAttemptsStream = (emailHash: string) => `attempts-${emailHash}`;
