import { refuse } from '@parlance/decider';
import type { OidcProvider } from '@parlance/config';
import * as openid from 'openid-client';
import { type Claims, OidcSignIn, type Proofs } from './oidc-sign-in.ts';
import { OidcTransport, ProviderUnavailable } from './oidc-transport.ts';

const DISCOVERY_CACHE_MILLIS = 3_600_000;

/** Signs in at one provider, with the library openid-client. */
export class OidcClient extends OidcSignIn {
  /** The time limit of one request. A sign-in needs up to four. */
  static timeoutSeconds = 5;

  private readonly transport: OidcTransport;
  private known: { readonly configuration: Promise<openid.Configuration>; readonly at: number } | null = null;

  constructor(
    private readonly name: string,
    private readonly settings: OidcProvider,
    private readonly redirectUri: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
    this.transport = new OidcTransport(name);
  }

  newProofs(maxAge?: number): Proofs {
    const proofs = { state: openid.randomState(), nonce: openid.randomNonce(), verifier: openid.randomPKCECodeVerifier() };
    return { ...proofs, ...(maxAge !== undefined && { maxAge }) };
  }

  async addressFor({ state, nonce, verifier, maxAge }: Proofs): Promise<string> {
    const configuration = await this.configuration();
    const { scopes, accepted_acr } = this.settings;
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // A provider may ignore this, so the ID token is checked too.
      ...(accepted_acr.length > 0 && { acr_values: accepted_acr.join(' ') }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    });
    return address.href;
  }

  async claims(query: URLSearchParams, { state, nonce, verifier, maxAge }: Proofs): Promise<Claims> {
    const configuration = await this.configuration();
    // A proxy may have changed the address of the request, so the callback is built from the configuration.
    const callback = new URL(`${this.redirectUri}?${query}`);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      // With maxAge, the library refuses an ID token without auth_time.
      ...(maxAge !== undefined && { maxAge }),
    };
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, callback, checks);
      const claims = tokens.claims() as Claims;
      // The library accepts any string. With an empty subject, all users without a subject would be one person.
      if (claims.sub === '') throw new openid.ClientError('the ID token has an empty subject');
      return this.lacks(claims) && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? completed(claims, await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub))
        : claims;
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  override close(): Promise<void> {
    return this.transport.close();
  }

  private lacks(claims: Claims): boolean {
    const { group_mapping, groups_claim } = this.settings;
    const wanted = ['email', 'email_verified', ...(Object.keys(group_mapping).length > 0 ? [groups_claim] : [])];
    return wanted.some((claim) => claims[claim] === undefined);
  }

  /** The provider's metadata, cached for an hour. Concurrent callers share one discovery. A failure is not cached. */
  private configuration(): Promise<openid.Configuration> {
    if (this.known && this.now() - this.known.at < DISCOVERY_CACHE_MILLIS) return this.known.configuration;
    const known = { configuration: this.discover(), at: this.now() };
    known.configuration.catch(() => {
      if (this.known === known) this.known = null;
    });
    this.known = known;
    return known.configuration;
  }

  private async discover(): Promise<openid.Configuration> {
    const { issuer, client_id, client_secret } = this.settings;
    const isPlain = issuer.startsWith('http:');
    try {
      return await openid.discovery(new URL(issuer), client_id, undefined, authentication(client_secret), {
        [openid.customFetch]: this.transport.fetch,
        timeout: OidcClient.timeoutSeconds,
        // Without the second check, the signature of an ID token from the token endpoint would not be verified.
        execute: [...(isPlain ? [openid.allowInsecureRequests] : []), openid.enableNonRepudiationChecks],
      });
    } catch (error) {
      // Invalid metadata also makes the provider unavailable: no user can sign in there now.
      throw unavailable(unavailability(error) ?? explained(this.name, error));
    }
  }

  private refusalOf(error: unknown): unknown {
    const cause = unavailability(error);
    if (cause !== null) return unavailable(cause);
    const isByProvider = [
      openid.ClientError,
      openid.AuthorizationResponseError,
      openid.ResponseBodyError,
      openid.WWWAuthenticateChallengeError,
    ].some((type) => error instanceof type);
    if (!isByProvider) return error;
    const refusal = refuse(
      'unauthenticated',
      'oidc_refused',
      'The identity provider refused the sign-in, or its answer is not valid. Sign in again.',
    );
    refusal.cause = explained(this.name, error);
    return refusal;
  }
}

/** Basic authentication, or the request body for providers that accept only that. */
function authentication(secret: string | null): openid.ClientAuth {
  if (secret === null) return openid.None();
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (taken.includes('client_secret_basic') || !taken.includes('client_secret_post') ? basic : post)(server, ...rest);
  };
}

/**
 * Takes email and email_verified from the same source, because email_verified is about that email. Only the ID token states how the user signed in.
 */
function completed(claims: Claims, { acr: _, amr: __, auth_time: ___, ...info }: Readonly<Record<string, unknown>>): Claims {
  const { email, email_verified } = claims.email !== undefined && claims.email_verified !== undefined ? claims : (info as Claims);
  return { ...info, ...claims, email, email_verified };
}

/** The transport's error inside an error of the library. */
function unavailability(error: unknown): ProviderUnavailable | null {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof ProviderUnavailable) return inner;
  return null;
}

function unavailable(error: Error): Error {
  const refusal = refuse('unavailable', 'oidc_provider_unavailable', 'The identity provider cannot be reached now. Try again.', {
    retry_after: 5,
  });
  // The log shows whether the circuit breaker refused the request.
  refusal.cause = error instanceof ProviderUnavailable ? error.cause : error;
  return refusal;
}

/** For the log: the library's message, and the provider's error code without special characters. */
function explained(name: string, error: unknown): Error {
  const { message, code, error: word } = error as Error & { code?: string; error?: string };
  const providerCode = typeof word === 'string' ? word.replace(/[^\w.-]/g, '').slice(0, 50) : '';
  return new Error(`provider ${name}: ${[message, code, providerCode].filter(Boolean).join(', ')}`, { cause: error });
}
