import type { SignedIn, SignInAnswer, User } from './generated/api.ts';
import { ParlanceError } from './parlance-error.ts';
import { type PasskeyAnswer, type SecondFactorProof, SecondFactorRequired } from './second-factor.ts';
import { type Credential, Transport, type TransportOptions } from './transport.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Null if it is in a browser cookie. */
  readonly refreshToken: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface SessionOptions extends TransportOptions {
  readonly baseUrl: string;
  /** Tokens saved from an earlier session. */
  readonly tokens?: Tokens;
  /** Called when the tokens change, to save them; null when the session has ended. */
  readonly onTokens?: (tokens: Tokens | null) => void;
  /** For browsers: the refresh token stays in an HttpOnly cookie. The page must come from the address of the API. */
  readonly useCookie?: boolean;
}

/** A token is refreshed this long before it expires. */
const MARGIN_MILLIS = 30_000;

/** Signs in and maintains the session: tokens are refreshed in time, once for all waiting requests. */
export class Session implements Credential {
  private readonly transport: Transport;
  private tokens: Tokens | null;
  private user: string | null = null;
  private refreshing: Promise<Tokens> | null = null;
  private needsPassword = false;
  private needsFactor = false;

  constructor(private readonly options: SessionOptions) {
    this.transport = new Transport(options.baseUrl, null, options);
    this.tokens = options.tokens ?? null;
  }

  get isSignedIn(): boolean {
    return this.tokens !== null;
  }

  /** The ID of the signed-in user, if the session was started or refreshed here. After the session has ended, the ID of the last user. */
  get userId(): string | null {
    return this.user;
  }

  /** True if another person has seen the password. The server then refuses most requests until `changePassword`. */
  get mustChangePassword(): boolean {
    return this.needsPassword;
  }

  /** True if a group of the user needs a second factor that this session lacks. The server then refuses most requests until one was added or proved. */
  get lacksSecondFactor(): boolean {
    return this.needsFactor;
  }

  /** Throws `SecondFactorRequired`, whose `challengeToken` is for `secondFactor`, if the account has a second factor. */
  async signIn(email: string, password: string): Promise<User> {
    const answer = await this.ask<SignInAnswer>('/auth/sign-in', { email, password });
    if ('second_factor_required' in answer) throw new SecondFactorRequired(answer.challenge_token, answer.methods);
    this.keep(answer);
    return answer.user;
  }

  /** Completes a sign-in. The challenge stays valid after a wrong second factor. After `invalid_challenge`, sign in from the start. */
  async secondFactor(challengeToken: string, proof: SecondFactorProof): Promise<User> {
    const signedIn = await this.ask('/auth/second-factor', { challenge_token: challengeToken, ...proof });
    this.keep(signedIn);
    return signedIn.user;
  }

  /** Signs in without a password, by a passkey that has answered the options of `/auth/passkeys/options`. */
  async signInByPasskey(challengeToken: string, passkey: PasskeyAnswer): Promise<User> {
    const signedIn = await this.ask('/auth/passkeys', { challenge_token: challengeToken, passkey });
    this.keep(signedIn);
    return signedIn.user;
  }

  /** Ends all sessions of the user. This one continues with new tokens. */
  async changePassword(current: string, next: string): Promise<User> {
    const body = { current_password: current, new_password: next };
    const headers = { ...(await this.headers()), ...this.cookieHeader() };
    const answer = await this.transport.send({ method: 'POST', path: '/auth/password', body, headers });
    const signedIn = (await answer.json()) as SignedIn;
    this.keep(signedIn);
    return signedIn.user;
  }

  /** Ends the session on the server. */
  async signOut(): Promise<void> {
    try {
      const headers = { ...(await this.headers()), ...this.cookieHeader() };
      await this.transport.send({ method: 'POST', path: '/auth/sign-out', headers });
    } catch (error) {
      // The session had already ended.
      if (!(error instanceof ParlanceError) || error.status !== 401) throw error;
    }
    this.forget();
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const { accessToken } = await this.current();
    return { authorization: `Bearer ${accessToken}` };
  }

  async refused({ authorization }: Readonly<Record<string, string>>): Promise<boolean> {
    // Another request may have refreshed the tokens since.
    if (this.tokens && authorization === `Bearer ${this.tokens.accessToken}`) await this.refresh();
    return this.tokens !== null;
  }

  /** Exchanges the refresh token. Concurrent calls share one exchange. In a browser with a cookie it also starts a session. */
  refresh(): Promise<Tokens> {
    return (this.refreshing ??= this.exchange().finally(() => (this.refreshing = null)));
  }

  private async current(): Promise<Tokens> {
    if (this.tokens && this.tokens.expiresAt - MARGIN_MILLIS > Date.now()) return this.tokens;
    return this.refresh();
  }

  private async exchange(): Promise<Tokens> {
    const refreshToken = this.tokens?.refreshToken ?? null;
    if (refreshToken === null && !this.options.useCookie) throw new ParlanceError('signed_out', 'Sign in first.');
    try {
      // For a few seconds the server gives the same answer to a repeat, so a lost answer does no harm.
      const signedIn = await this.ask('/auth/refresh', refreshToken === null ? undefined : { refresh_token: refreshToken }, true);
      // The browser's cookie may belong to another user by now, who must not send this user's requests.
      if (this.user !== null && this.user !== signedIn.user.user_id)
        throw new ParlanceError('signed_out', 'Another user has signed in in this browser. Sign in again.', { status: 401 });
      return this.keep(signedIn);
    } catch (error) {
      if (error instanceof ParlanceError && (error.status === 400 || error.status === 401)) this.forget();
      throw error;
    }
  }

  private async ask<Answer = SignedIn>(path: string, body: object | undefined, isRepeatable = false): Promise<Answer> {
    const answer = await this.transport.send({ method: 'POST', path, body, headers: this.cookieHeader(), isRepeatable });
    return (await answer.json()) as Answer;
  }

  private cookieHeader(): Readonly<Record<string, string>> {
    return this.options.useCookie ? { 'x-parlance-session': 'cookie' } : {};
  }

  private keep({ access_token, refresh_token, expires_in, password_change_required, second_factor_missing, user }: SignedIn): Tokens {
    const tokens = { accessToken: access_token, refreshToken: refresh_token ?? null, expiresAt: Date.now() + expires_in * 1_000 };
    this.tokens = tokens;
    this.needsPassword = password_change_required;
    this.needsFactor = second_factor_missing ?? false;
    this.user = user.user_id;
    this.options.onTokens?.(tokens);
    return tokens;
  }

  /** The user ID is kept: a page that is still open must not continue as another user who signs in later. */
  private forget(): void {
    this.tokens = null;
    this.options.onTokens?.(null);
  }
}
