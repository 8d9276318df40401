import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type OAuthClientInformationMixed,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  startAuthorization,
} from '@modelcontextprotocol/client';
import type { McpServerConfig } from '@parlance/config';
import type { GuardedFetch } from '@parlance/guarded-fetch';
import {
  authenticated,
  bounded,
  challengeOf,
  type Granted,
  grantedBy,
  storedMetadata,
  LONGEST_PART,
  type OAuthGrant,
  OAuthRefused,
  type PendingAuthorization,
  refusing,
  scopeOf,
} from './oauth-parts.ts';
import { webFetch, type WebFetch } from './web-fetch.ts';

/** Time for one request to a server or to its authorization server. */
const REQUEST_MILLIS = 10_000;
export interface Beginning {
  readonly redirectUri: string;
  readonly state: string;
  readonly clientName: string;
  /** The client's home page, which the authorization server may show. */
  readonly clientUri: string;
}

export interface Begun {
  readonly authorizeUrl: string;
  readonly pending: PendingAuthorization;
}

/** OAuth 2.1 with PKCE, as the protocol's authorization specification requires. All requests go through the guarded client. */
export class McpOAuth {
  constructor(private readonly fetch: GuardedFetch) {}

  /**
   * Finds the authorization server, registers a client if none is configured, and returns the address to send the user to. Rejects with
   * `OAuthRefused`, or with another error.
   */
  async begin(config: McpServerConfig, beginning: Beginning, signal: AbortSignal): Promise<Begun> {
    return refusing(() => this.start(config, beginning, signal));
  }

  private async start(
    { url, client_id, client_secret, scopes }: McpServerConfig,
    { redirectUri, state, clientName, clientUri }: Beginning,
    signal: AbortSignal,
  ): Promise<Begun> {
    const fetchFn = this.fetchUntil(signal);
    const challenge = await challengeOf(url, fetchFn);
    const found = await discoverOAuthServerInfo(url, {
      fetchFn,
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    });
    const { authorizationServerUrl: issuer, authorizationServerMetadata: published, resourceMetadata } = found;
    if (!published) throw new OAuthRefused('it has no metadata');
    // Without this list the server may ignore PKCE, and an intercepted code could be used.
    if (published.code_challenge_methods_supported?.includes('S256') !== true) throw new OAuthRefused('it does not support PKCE');
    const resource = resourceMetadata?.resource ?? null;
    if (resource !== null && !checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource }))
      throw new OAuthRefused('its metadata is about another resource');
    const metadata = storedMetadata(published);
    const scope = scopeOf(scopes, challenge.scope, resourceMetadata?.scopes_supported, published.scopes_supported);
    const asked = scope === undefined ? {} : { scope };
    const client =
      client_id === null
        ? await this.register(issuer, published, { redirectUri, clientName, clientUri }, asked, fetchFn)
        : { client_id, ...(client_secret !== null && { client_secret }) };
    const started = await startAuthorization(issuer, {
      metadata,
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      ...asked,
      ...(resource !== null && { resource }),
    });
    const authorizeUrl = started.authorizationUrl.href;
    if (!/^https?:/.test(authorizeUrl) || authorizeUrl.length > LONGEST_PART) throw new OAuthRefused('its address is not valid');
    return { authorizeUrl, pending: { url, issuer, metadata, client, resource, verifier: started.codeVerifier, redirectUri } };
  }

  /** Rejects with `OAuthRefused`, or with another error if it is unknown what the server did. */
  async exchange(pending: PendingAuthorization, code: string, iss: string | undefined, signal: AbortSignal): Promise<Granted> {
    const { url, issuer, metadata, client, resource, verifier, redirectUri } = pending;
    const parties = { url, issuer, metadata, client, resource };
    return refusing(async () => {
      const tokens = await exchangeAuthorization(issuer, {
        metadata,
        clientInformation: client,
        authorizationCode: code,
        codeVerifier: verifier,
        redirectUri,
        fetchFn: this.fetchUntil(signal),
        ...(iss !== undefined && { iss }),
        ...(resource !== null && { resource }),
      });
      return grantedBy(tokens, parties);
    });
  }

  /** Rejects as `exchange` does. A refresh token may be used only once. */
  async refresh({ url, issuer, metadata, client, resource, refresh, scopes }: OAuthGrant, signal: AbortSignal): Promise<Granted> {
    if (refresh === null) throw new OAuthRefused('there is no refresh token');
    return refusing(async () => {
      const tokens = await refreshAuthorization(issuer, {
        metadata,
        clientInformation: client,
        refreshToken: refresh,
        fetchFn: this.fetchUntil(signal),
        ...(resource !== null && { resource }),
      });
      return grantedBy({ ...tokens, scope: tokens.scope ?? scopes.join(' ') }, { url, issuer, metadata, client, resource });
    });
  }

  /** Revokes the tokens if the authorization server supports it (RFC 7009). Rejects if the server does not answer. */
  async revoke({ metadata, client, refresh, access }: OAuthGrant, signal: AbortSignal): Promise<void> {
    const { revocation_endpoint: endpoint } = metadata as { revocation_endpoint?: string };
    if (endpoint === undefined) return;
    const fetch = this.fetchUntil(signal);
    for (const [token, hint] of [
      [refresh, 'refresh_token'],
      [access, 'access_token'],
    ] as const) {
      if (token === null) continue;
      const { headers, params } = authenticated(client, metadata, new URLSearchParams({ token, token_type_hint: hint }));
      const answer = await fetch(endpoint, { method: 'POST', headers, body: params });
      await answer.body?.cancel();
    }
  }

  private async register(
    issuer: string,
    metadata: AuthorizationServerMetadata,
    { redirectUri, clientName, clientUri }: Omit<Beginning, 'state'>,
    asked: { scope?: string },
    fetchFn: WebFetch,
  ): Promise<OAuthClientInformationMixed> {
    if (!metadata.registration_endpoint) throw new OAuthRefused('it registers no clients, so a client_id must be configured');
    const clientMetadata = {
      client_name: clientName,
      client_uri: clientUri,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: /^http:\/\/(localhost|127\.|\[::1\])/.test(redirectUri) ? 'native' : 'web',
    };
    const { client_id, client_secret } = await registerClient(issuer, { metadata, clientMetadata, fetchFn, ...asked });
    return { client_id: bounded(client_id), ...(client_secret !== undefined && { client_secret: bounded(client_secret) }) };
  }

  private fetchUntil(signal: AbortSignal): WebFetch {
    return webFetch(this.fetch, { timeoutMillis: REQUEST_MILLIS, signal });
  }
}
