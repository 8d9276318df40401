/** Who acts: a user with a session, a service on its own behalf, the system on behalf of a user, or a program that calls a published bot. */
export interface Caller {
  readonly userId: string;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly sessionId: string | null;
  /** The personal access token, for a user without a session. */
  readonly tokenId?: string;
  readonly kind: 'user' | 'service' | 'system' | 'api';
  /** For the kind `api`: the called published bot and the API key. `userId` is the owner of the bot, and `groups` is empty. */
  readonly api?: CalledApi;
}

/** A call of a published bot. */
export interface CalledApi {
  readonly apiId: string;
  readonly botId: string;
  readonly keyId: string;
}
