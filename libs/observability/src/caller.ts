/** Who acts: a user with a session, a service on its own behalf, the system on behalf of a user, or a program that calls a published bot. */
export interface Caller {
  readonly userId: string;
  readonly email?: string;
  readonly groups: readonly string[];
  readonly sessionId: string | null;
  /** The personal access token, for a user without a session. */
  readonly tokenId?: string;
  /** The terms of a personal access token that may call models. */
  readonly callTerms?: CallTerms;
  readonly kind: 'user' | 'service' | 'system' | 'api';
  /** For the kind `api`: the called published bot and the API key. `userId` is the owner of the bot, and `groups` is empty. */
  readonly api?: CalledApi;
}

/** What a token may call, and what its calls are recorded with. The names are those of the wire. */
export interface CallTerms {
  /** IDs of models, or beginnings of IDs followed by `*`. Empty: all. */
  readonly models: readonly string[];
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly max_parallel_requests: number | null;
  /** How long answers may be cached. 0: not. Absent from statements of edges of an earlier version. */
  readonly cache_ttl_seconds?: number;
  readonly cost_centre: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

/** Whether the terms of a token allow a model, or a route by its own ID. */
export const allowsModel = ({ models }: Pick<CallTerms, 'models'>, id: string): boolean =>
  models.length === 0 || models.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : name === id));

/** A call of a published bot. */
export interface CalledApi {
  readonly apiId: string;
  readonly botId: string;
  readonly keyId: string;
}
