import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { type Instant, refuse } from '@parlance/decider';
import type { Caller } from '@parlance/http';
import { ServiceCalls } from '@parlance/calls';
import type { PersonalTerms } from './personal-tokens.ts';

export interface AccessToken {
  readonly caller: Caller;
  /** An administrator chose the password. Until it is changed, the token allows only that change. */
  readonly passwordChangeRequired: boolean;
  /** A group of the user needs a second factor, which the session lacks. Until then, the token allows only adding or proving one. */
  readonly secondFactorMissing: boolean;
  /** Epoch seconds. */
  readonly expires: number;
  /** Set for a personal access token. */
  readonly personal?: PersonalTerms;
}

/** The most verified tokens that are cached. */
const CACHED_TOKENS = 10_000;
const REFETCH_AFTER_MILLIS = 5_000;
/** Allowed difference between the clocks of identity and of this edge. */
const SKEW_SECONDS = 30;
/** The most characters of a token. */
const MAX_TOKEN_LENGTH = 8_192;

/**
 * Verifies access tokens and reads the caller from them. Keys come from identity's JWKS only: a token that names any other key is refused.
 * A verified token is cached until it expires, because checking a signature costs more than all other steps.
 */
@Injectable()
export class AccessTokenVerifier {
  private readonly known = new Map<string, AccessToken>();
  private keys: JWTVerifyGetKey | null = null;
  private fetching: Promise<JWTVerifyGetKey> | null = null;
  private fetchedAt = -Infinity;

  constructor(private readonly calls: ServiceCalls) {}

  /** Throws a `Refusal`: `invalid_token` for an invalid token, `service_unavailable` when the keys cannot be fetched. */
  async verify(token: string, now: Instant): Promise<AccessToken> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
    const known = this.knownOf(token, now);
    if (known) return known;
    // The token was verified earlier and has expired since.
    if (this.known.delete(token)) throw invalidToken();
    const verified = await this.check(token, now);
    if (this.known.size >= CACHED_TOKENS) this.known.delete(this.known.keys().next().value as string);
    this.known.set(token, verified);
    return verified;
  }

  /** A token that was verified before and has not expired; null otherwise. */
  knownOf(token: string, now: Instant): AccessToken | null {
    const known = this.known.get(token);
    return known === undefined || hasExpired(known, now) ? null : known;
  }

  private async check(token: string, now: Instant): Promise<AccessToken> {
    if (!isCanonical(token) || !isHeaderOfOurs(token)) throw invalidToken();
    const payload = await this.signed(token, this.keys ?? (await this.fetchKeys(now)), now);
    if (payload) return accessTokenOf(payload, now);
    // The key is unknown, or was created after the last fetch: fetch the keys again, but not too often.
    if (Math.abs(now - this.fetchedAt) < REFETCH_AFTER_MILLIS) throw invalidToken();
    const signedSince = await this.signed(token, await this.fetchKeys(now), now);
    if (!signedSince) throw invalidToken();
    return accessTokenOf(signedSince, now);
  }

  /** Null when none of these keys has the token's key ID. */
  private async signed(token: string, keys: JWTVerifyGetKey, now: Instant): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: 'parlance',
        audience: 'parlance',
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        requiredClaims: ['sub', 'iat', 'exp', 'sid', 'groups'],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(now),
      });
      return payload;
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY') return null;
      throw invalidToken();
    }
  }

  /** If the fetch fails, the known keys stay in use. */
  private fetchKeys(now: Instant): Promise<JWTVerifyGetKey> {
    if (!this.fetching) {
      this.fetchedAt = now;
      this.fetching = this.calls
        .get<JSONWebKeySet>('identity', '/.well-known/jwks.json')
        .then((jwks) => (this.keys = createLocalJWKSet(jwks)))
        .finally(() => (this.fetching = null));
    }
    return this.fetching;
  }
}

/**
 * Whether each part is the canonical base64url text of its bytes. The last character of a signature has unused bits, so another
 * character could decode to the same signature.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

const OUR_HEADERS: ReadonlySet<string> = new Set(['alg', 'typ', 'kid']);

/** Whether the header has only the fields that identity writes: no key, no URL of a key, no certificate, no extension. */
function isHeaderOfOurs(token: string): boolean {
  try {
    const header = decodeProtectedHeader(token);
    return header.alg === 'EdDSA' && typeof header.kid === 'string' && Object.keys(header).every((name) => OUR_HEADERS.has(name));
  } catch {
    return false;
  }
}

function accessTokenOf(payload: JWTPayload, now: Instant): AccessToken {
  const { sub, iat = NaN, exp = NaN, sid, email, groups, pcr = false, sfr = false } = payload;
  const sound =
    isName(sub) &&
    isName(sid) &&
    (email === undefined || isName(email)) &&
    Array.isArray(groups) &&
    groups.every(isName) &&
    typeof pcr === 'boolean' &&
    typeof sfr === 'boolean' &&
    iat <= now / 1000 + SKEW_SECONDS &&
    Number.isFinite(exp);
  if (!sound) throw invalidToken();
  return {
    caller: { userId: sub, ...(email !== undefined && { email }), groups, sessionId: sid, kind: 'user' },
    passwordChangeRequired: pcr,
    secondFactorMissing: sfr,
    expires: exp,
  };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const hasExpired = ({ expires }: AccessToken, now: Instant): boolean => expires + SKEW_SECONDS <= now / 1000;

export const invalidToken = () => refuse('unauthenticated', 'invalid_token', 'The access token is invalid or has expired. Sign in again.');
