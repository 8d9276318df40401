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

/** Limit on the characters of a stored token, address or ID. */
export const LONGEST_PART = 16_384;

/** The client and the authorization server of one connection. They are stored with it, so that a token is never sent to another server. */
export interface OAuthParties {
  /** The address of the MCP server. */
  readonly url: string;
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly client: OAuthClientInformationMixed;
  /** The resource that tokens are requested for. Null if the server names none. */
  readonly resource: string | null;
}

/** An authorization that a user has started. */
export interface PendingAuthorization extends OAuthParties {
  readonly verifier: string;
  readonly redirectUri: string;
}

/** A user's tokens. */
export interface OAuthGrant extends OAuthParties {
  readonly access: string;
  readonly refresh: string | null;
  readonly scopes: readonly string[];
}

export interface Granted {
  readonly grant: OAuthGrant;
  /** Seconds until the access token expires. Null if the server does not say. */
  readonly expiresIn: number | null;
}

/** Thrown when the authorization server refuses a request. Repeating the request does not help. */
export class OAuthRefused extends Error {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The authorization server refused the request: ${reason}.`, options);
    this.name = 'OAuthRefused';
  }
}

/** The server's answer to a request without a token. */
export async function challengeOf(url: string, fetch: WebFetch): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const answer = await fetch(url, { headers: { accept: 'text/event-stream' } });
  await answer.body?.cancel();
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

/** The configured scopes, otherwise the scopes that the server asks for. The scope for a refresh token is added. */
export function scopeOf(
  configured: readonly string[],
  challenged: string | undefined,
  ofResource: readonly string[] | undefined,
  ofServer: readonly string[] | undefined,
): string | undefined {
  if (configured.length > 0) return configured.join(' ');
  const requested = challenged?.split(' ') ?? ofResource ?? [];
  const offline = ofServer?.includes('offline_access') === true && !requested.includes('offline_access') ? ['offline_access'] : [];
  return [...requested, ...offline].join(' ').slice(0, LONGEST_PART) || undefined;
}

/** The metadata that later requests need. */
export function storedMetadata(all: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const { issuer, authorization_endpoint, token_endpoint, token_endpoint_auth_methods_supported } = all;
  const { revocation_endpoint, authorization_response_iss_parameter_supported } = all as Record<string, unknown>;
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

/** With these codes the server may answer differently later. */
const LATER: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down', 'too_many_requests']);

/** Users and the audit log see the code, so other texts of the server are replaced. */
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
