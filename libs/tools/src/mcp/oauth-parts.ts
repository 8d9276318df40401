import {
  type AuthorizationServerMetadata,
  extractWWWAuthenticateParams,
  OAuthClientFlowError,
  OAuthError,
  type OAuthClientInformationMixed,
  type OAuthTokens,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import { loggableError } from './loggable-error.ts';
import type { WebFetch } from './web-fetch.ts';

/** Characters of a token, an address or an ID that is stored. */
export const LONGEST_PART = 16_384;

/** The client and the authorization server of one connection. Stored with it, so that a token is never sent to another server. */
export interface OAuthParties {
  /** Of the server of tools. */
  readonly url: string;
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly client: OAuthClientInformationMixed;
  /** The resource for which tokens are asked; null if the server names none. */
  readonly resource: string | null;
}

/** An authorization that a user has begun. */
export interface PendingAuthorization extends OAuthParties {
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Tokens of a user. */
export interface OAuthGrant extends OAuthParties {
  readonly access: string;
  readonly refresh: string | null;
  readonly scopes: readonly string[];
}

export interface Granted {
  readonly grant: OAuthGrant;
  /** Seconds for which the access token is valid; null if the server says nothing. */
  readonly expiresIn: number | null;
}

/** Thrown when the authorization server refuses a request: it is of no use to repeat it. */
export class OAuthRefused extends Error {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The authorization server refused the request: ${reason}.`, options);
    this.name = 'OAuthRefused';
  }
}

/** What the server says to a request without a token. */
export async function challengeOf(url: string, fetch: WebFetch): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const answer = await fetch(url, { headers: { accept: 'text/event-stream' } });
  await answer.body?.cancel();
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

/** Those of the configuration, else those that the server asks for, with the one that gives a refresh token. */
export function scopeOf(
  configured: readonly string[],
  challenged: string | undefined,
  ofResource: readonly string[] | undefined,
  ofServer: readonly string[] | undefined,
): string | undefined {
  if (configured.length > 0) return configured.join(' ');
  const asked = challenged?.split(' ') ?? ofResource ?? [];
  const offline = ofServer?.includes('offline_access') === true && !asked.includes('offline_access') ? ['offline_access'] : [];
  return [...asked, ...offline].join(' ').slice(0, LONGEST_PART) || undefined;
}

/** Only the parts that later requests need. */
export function keptOf(told: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const { issuer, authorization_endpoint, token_endpoint, token_endpoint_auth_methods_supported } = told;
  const { revocation_endpoint, authorization_response_iss_parameter_supported } = told as Record<string, unknown>;
  return {
    issuer: bounded(issuer),
    authorization_endpoint: bounded(authorization_endpoint),
    token_endpoint: bounded(token_endpoint),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...(token_endpoint_auth_methods_supported && {
      token_endpoint_auth_methods_supported: token_endpoint_auth_methods_supported.slice(0, 20).map(bounded),
    }),
    ...(typeof revocation_endpoint === 'string' && { revocation_endpoint: bounded(revocation_endpoint) }),
    ...(authorization_response_iss_parameter_supported === true && { authorization_response_iss_parameter_supported: true }),
  };
}

export function grantedBy({ access_token, refresh_token, expires_in, scope = '' }: OAuthTokens, parties: OAuthParties): Granted {
  const scopes = bounded(scope).split(' ').filter(Boolean).slice(0, 100);
  const grant = { ...parties, access: bounded(access_token), refresh: refresh_token === undefined ? null : bounded(refresh_token), scopes };
  return { grant, expiresIn: expires_in ?? null };
}

export function bounded(text: string): string {
  if (text.length > LONGEST_PART) throw new OAuthRefused('a part of its answer is too long');
  return text;
}

/** These say that the server may answer otherwise later. */
const LATER: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down', 'too_many_requests']);

/** Users and the audit log see it, so it may be no other text of the server. */
const codeOf = ({ code }: OAuthError): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown_error');

export async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError && !LATER.has(error.code)) throw new OAuthRefused(codeOf(error), { cause: error });
    if (error instanceof OAuthClientFlowError) throw new OAuthRefused('its metadata or its answer is not valid', { cause: error });
    throw error instanceof OAuthRefused ? error : loggableError(error);
  }
}

export function authenticated(client: OAuthClientInformationMixed, metadata: AuthorizationServerMetadata, params: URLSearchParams) {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const { client_id: id, client_secret: secret } = client;
  if (method === 'client_secret_basic' && secret !== undefined) {
    const pair = [id, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1)).join(':');
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    params.set('client_id', id);
    if (secret !== undefined) params.set('client_secret', secret);
  }
  return { headers, params };
}
