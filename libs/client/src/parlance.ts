import { Admin } from './admin.ts';
import { Bots } from './bots.ts';
import { Conversations } from './conversations.ts';
import type { GlobalConfig, OwnUsage, OwnUser, User } from './generated/api.ts';
import type { PasskeyAnswer, SecondFactorProof } from './second-factor.ts';
import { Session, type SessionOptions } from './session.ts';
import { type Credential, Transport } from './transport.ts';
import { type Request, TypedApi } from './typed-api.ts';

export interface ParlanceOptions extends SessionOptions {
  /** An access token, or a function that returns one, instead of a session managed by the client. */
  readonly accessToken?: string | (() => string | Promise<string>);
}

type UsageQuery = NonNullable<Request<'/user/me/usage', 'get'>['query']>;

/** Parlance as a user or an administrator: `new Parlance({ baseUrl })`, then `signIn`. */
export class Parlance {
  readonly session: Session;
  readonly conversations: Conversations;
  readonly bots: Bots;
  readonly admin: Admin;
  /** Every operation of the API, typed. */
  readonly api: TypedApi;
  /** The operations that need no session, such as `/auth/options` and `/auth/sign-up`. They are sent without a token. */
  readonly open: TypedApi;

  constructor(options: ParlanceOptions) {
    this.session = new Session(options);
    const credential = options.accessToken === undefined ? this.session : withToken(options.accessToken);
    const transport = new Transport(options.baseUrl, credential, options);
    this.api = new TypedApi(transport);
    this.open = new TypedApi(new Transport(options.baseUrl, null, options));
    this.conversations = new Conversations(transport);
    this.bots = new Bots(transport, options);
    this.admin = new Admin(transport);
  }

  signIn(email: string, password: string): Promise<User> {
    return this.session.signIn(email, password);
  }

  /** Completes a sign-in that threw `SecondFactorRequired`. */
  secondFactor(challengeToken: string, proof: SecondFactorProof): Promise<User> {
    return this.session.secondFactor(challengeToken, proof);
  }

  /** Signs in without a password: `open.post('/auth/passkeys/options')` returns the challenge token and the options for the passkey. */
  signInByPasskey(challengeToken: string, passkey: PasskeyAnswer): Promise<User> {
    return this.session.signInByPasskey(challengeToken, passkey);
  }

  signOut(): Promise<void> {
    return this.session.signOut();
  }

  me(): Promise<OwnUser> {
    return this.api.get('/user/me');
  }

  /** The signed-in user's own tokens and cost. */
  usage(query: UsageQuery = {}): Promise<OwnUsage> {
    return this.api.get('/user/me/usage', { query });
  }

  /** The models that users may choose, and other settings of the deployment. */
  config(): Promise<GlobalConfig> {
    return this.api.get('/config/global');
  }
}

const withToken = (token: string | (() => string | Promise<string>)): Credential => ({
  headers: async () => ({ authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }),
  refused: async () => false,
});
