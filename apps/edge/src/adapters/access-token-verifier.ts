import { createHash } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { type Instant, refuse } from '@parlance/decider';
import type { Caller, ServiceCalls } from '@parlance/service-kit';

interface Verified {
  readonly caller: Caller;
  /** Epoch seconds. */
  readonly expires: number;
}

const remembered = 10_000;
const refetchAfterMillis = 5_000;

/**
 * Says who an access token speaks for. Keys come from identity's JWKS and nowhere else: what the token says about its own
 * keys is not looked at. A verified token is remembered until it expires, since a signature costs more than all the rest.
 */
export class AccessTokenVerifier {
  private readonly known = new Map<string, Verified>();
  private keys: Promise<JWTVerifyGetKey> | null = null;
  private fetchedAt = 0;

  constructor(private readonly calls: ServiceCalls) {}

  /** Throws a `Refusal`: `invalid_token` for whatever is wrong with it, `service_unavailable` when the keys can't be had. */
  async verify(token: string, now: Instant): Promise<Caller> {
    const fingerprint = createHash('sha256').update(token).digest('base64');
    const known = this.known.get(fingerprint);
    if (known) {
      if (known.expires * 1000 > now) return known.caller;
      this.known.delete(fingerprint);
      throw invalidToken();
    }
    const verified = await this.check(token, now);
    if (this.known.size >= remembered) this.known.delete(this.known.keys().next().value as string);
    this.known.set(fingerprint, verified);
    return verified.caller;
  }

  private async check(token: string, now: Instant): Promise<Verified> {
    try {
      return await this.checkWith(await this.keySet(now), token, now);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
    }
    // Signed by a key made after ours were fetched, or by nobody's: look once more, but not more often than makes sense.
    if (now - this.fetchedAt < refetchAfterMillis) throw invalidToken();
    this.keys = null;
    try {
      return await this.checkWith(await this.keySet(now), token, now);
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY') throw invalidToken();
      throw error;
    }
  }

  private async checkWith(keys: JWTVerifyGetKey, token: string, now: Instant): Promise<Verified> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: 'parlance',
        audience: 'parlance',
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        requiredClaims: ['sub', 'exp', 'sid', 'groups'],
        currentDate: new Date(now),
      });
      return {
        expires: payload.exp as number,
        caller: {
          userId: payload.sub as string,
          email: payload['email'] as string,
          groups: payload['groups'] as string[],
          sessionId: payload['sid'] as string,
          kind: 'user',
        },
      };
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY') throw error;
      throw invalidToken();
    }
  }

  private keySet(now: Instant): Promise<JWTVerifyGetKey> {
    if (!this.keys) {
      this.fetchedAt = now;
      this.keys = this.calls.get<JSONWebKeySet>('identity', '/.well-known/jwks.json').then((jwks) => createLocalJWKSet(jwks));
      // A failure is not remembered: the next token tries again.
      this.keys.catch(() => (this.keys = null));
    }
    return this.keys;
  }
}

const invalidToken = () => refuse('unauthenticated', 'invalid_token', 'The access token is not valid, or no longer: sign in again.');
