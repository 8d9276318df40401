import type { SignedIn, User } from './generated/api.ts';
import { ParlanceError } from './parlance-error.ts';
import { type Credential, Transport, type TransportOptions } from './transport.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Null if it is in a cookie of the browser. */
  readonly refreshToken: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface SessionOptions extends TransportOptions {
  readonly baseUrl: string;
  /** Tokens that were kept from an earlier session. */
  readonly tokens?: Tokens;
  /** Called when the tokens change, to keep them; null when the session has ended. */
  readonly onTokens?: (tokens: Tokens | null) => void;
  /** For browsers: the refresh token stays in an HttpOnly cookie. The page must come from the address of the API. */
  readonly useCookie?: boolean;
}

/** A token is refreshed this long before it expires. */
const MARGIN_MILLIS = 30_000;

/** Signs in and keeps the session: tokens are refreshed in time, once for all requests that wait. */
export class Session implements Credential {
  private readonly transport: Transport;
  private tokens: Tokens | null;
  private refreshing: Promise<Tokens> | null = null;

  constructor(private readonly options: SessionOptions) {
    this.transport = new Transport(options.baseUrl, null, options);
    this.tokens = options.tokens ?? null;
  }

  get isSignedIn(): boolean {
    return this.tokens !== null;
  }

  async signIn(email: string, password: string): Promise<User> {
    const signedIn = await this.ask('/auth/sign-in', { email, password });
    this.keep(signedIn);
    return signedIn.user;
  }

  /** Ends the session on the server. */
  async signOut(): Promise<void> {
    const headers = { ...(await this.headers()), ...this.cookieHeader() };
    await this.transport.send({ method: 'POST', path: '/auth/sign-out', headers });
    this.forget();
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const { accessToken } = await this.current();
    return { authorization: `Bearer ${accessToken}` };
  }

  async refused({ authorization }: Readonly<Record<string, string>>): Promise<boolean> {
    // Another request may have brought new tokens since.
    if (this.tokens && authorization === `Bearer ${this.tokens.accessToken}`) await this.refresh();
    return this.tokens !== null;
  }

  /** Exchanges the refresh token. Calls at the same time are one exchange. In a browser with a cookie it also begins a session. */
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
      return this.keep(await this.ask('/auth/refresh', refreshToken === null ? undefined : { refresh_token: refreshToken }, true));
    } catch (error) {
      if (error instanceof ParlanceError && (error.status === 400 || error.status === 401)) this.forget();
      throw error;
    }
  }

  private async ask(path: string, body: object | undefined, isRepeatable = false): Promise<SignedIn> {
    const answer = await this.transport.send({ method: 'POST', path, body, headers: this.cookieHeader(), isRepeatable });
    return (await answer.json()) as SignedIn;
  }

  private cookieHeader(): Readonly<Record<string, string>> {
    return this.options.useCookie ? { 'x-parlance-session': 'cookie' } : {};
  }

  private keep({ access_token, refresh_token, expires_in }: SignedIn): Tokens {
    const tokens = { accessToken: access_token, refreshToken: refresh_token ?? null, expiresAt: Date.now() + expires_in * 1_000 };
    this.tokens = tokens;
    this.options.onTokens?.(tokens);
    return tokens;
  }

  private forget(): void {
    this.tokens = null;
    this.options.onTokens?.(null);
  }
}
