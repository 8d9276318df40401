import { Parlance, ParlanceError, type PasskeyAnswer, type SecondFactorProof, SecondFactorRequired } from '@parlance/client';
import { parlance } from './parlance.ts';
import { currentSession, leave, sessionBegan, sessionEnded } from './session-state.ts';
import { mayLoseChanges } from './unsaved-changes.ts';

const OF_USER = /^parlance\.(drafts|kept-chats)\./;

let trying: Promise<boolean> | null = null;
/** The password, kept from the sign-in until it is changed, so that the user does not enter it twice. */
let passwordToChange: string | null = null;

/** Continues the cookie's session. False if there is none. Rejects if the server does not answer. */
export async function continueSession(): Promise<boolean> {
  if (currentSession() !== 'unknown') return currentSession() === 'signed-in';
  trying ??= tryCookie().finally(() => (trying = null));
  return trying;
}

async function tryCookie(): Promise<boolean> {
  try {
    await parlance.session.refresh();
    sessionBegan();
    return true;
  } catch (error) {
    if (!(error instanceof ParlanceError) || (error.status !== 400 && error.status !== 401)) throw error;
    sessionEnded();
    return false;
  }
}

/** True if the password must be changed before anything else is allowed. */
export const mustChangePassword = (): boolean => parlance.session.mustChangePassword;
/** True if a group of the user needs a second factor that this session lacks. Nothing else is allowed then. */
export const lacksSecondFactor = (): boolean => parlance.session.lacksSecondFactor;
/** The password of the sign-in, if it was entered on this page and must be changed. */
export const knownPassword = (): string | null => passwordToChange;

/** A sign-in with the right password. A second factor completes it, within five minutes. */
export interface SecondStep {
  readonly challengeToken: string;
  readonly methods: SecondFactorRequired['methods'];
  complete(proof: SecondFactorProof): Promise<void>;
}

/** Null if the user is signed in now. */
export async function signIn(email: string, password: string): Promise<SecondStep | null> {
  try {
    await parlance.signIn(email, password);
  } catch (error) {
    if (!(error instanceof SecondFactorRequired)) throw error;
    return {
      challengeToken: error.challengeToken,
      methods: error.methods,
      complete: async (proof) => {
        await parlance.secondFactor(error.challengeToken, proof);
        begin(password);
      },
    };
  }
  begin(password);
  return null;
}

/** Signs in without a password. */
export async function signInByPasskey(challengeToken: string, passkey: PasskeyAnswer): Promise<void> {
  await parlance.signInByPasskey(challengeToken, passkey);
  begin(null);
}

function begin(password: string | null): void {
  passwordToChange = mustChangePassword() ? password : null;
  sessionBegan();
}

/**
 * Signs in if the account has to change its password. Otherwise it returns false and leaves no session in this browser: a link that
 * contains a password must not sign someone in to another person's account.
 */
export async function firstSignIn(email: string, password: string): Promise<boolean> {
  const answer = await parlance.open.post('/auth/sign-in', { body: { email, password } });
  if ('second_factor_required' in answer) return false;
  const { access_token, password_change_required } = answer;
  const tried = new Parlance({ baseUrl: globalThis.location.origin, accessToken: access_token });
  await tried.api.post('/auth/sign-out').catch(() => undefined);
  if (password_change_required) await signIn(email, password);
  return password_change_required;
}

/** Ends the other sessions of the user. */
export async function changePassword(current: string, next: string): Promise<void> {
  await parlance.session.changePassword(current, next);
  passwordToChange = null;
}

/** Does nothing if the user keeps unsaved changes. */
export async function signOut(): Promise<void> {
  if (!(await mayLoseChanges())) return;
  await leave(() => parlance.signOut());
  passwordToChange = null;
  forgetUsers();
}

/** Drafts and titles of pinned chats stay in the browser until the user signs out or another user signs in. */
export function forgetUsers(but = ''): void {
  for (const key of Object.keys(localStorage)) if (OF_USER.test(key) && !key.endsWith(`.${but}`)) localStorage.removeItem(key);
}
