import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { LocalMasterKey, MasterKey } from '@parlance/privacy';
import type { Proofs } from '../../adapters/oidc-sign-in.ts';
import { cookieAttributes, cookieValue } from './cookies.ts';

/** A sign-in in progress at a provider. */
export interface OidcJourney extends Proofs {
  readonly provider: string;
  readonly returnTo: string | null;
  /** True: the refresh token is sent as a cookie. */
  readonly inCookie?: boolean;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const NAME = 'parlance_oidc';
const PURPOSE = 'oidc journey';
const VALID_SECONDS = 600;

/**
 * Keeps the state of a sign-in in the browser, sealed, while the user is at the provider. Any replica can complete the sign-in, but
 * only in this browser. A second sign-in replaces the first.
 */
@Injectable()
export class OidcCookie {
  private readonly seal: LocalMasterKey;
  private readonly attributes: string;

  constructor(master: MasterKey, { publicBaseUrl }: Config) {
    this.seal = new LocalMasterKey(master.derive('oidc-journeys'));
    this.attributes = cookieAttributes(publicBaseUrl, '/auth/oidc', 'Lax');
  }

  /** The Set-Cookie header that begins a sign-in. */
  begin(journey: Omit<OidcJourney, 'expiresAt'>, now: number): string {
    const whole: OidcJourney = { ...journey, expiresAt: now + VALID_SECONDS * 1_000 };
    return `${NAME}=${this.seal.wrap(Buffer.from(JSON.stringify(whole)), PURPOSE)}; Max-Age=${VALID_SECONDS}${this.attributes}`;
  }

  /** The Set-Cookie header that removes the cookie. */
  get end(): string {
    return `${NAME}=; Max-Age=0${this.attributes}`;
  }

  /** Reads the header Cookie. Null if there is no valid cookie. */
  read(header: string | undefined, now: number): OidcJourney | null {
    const sealed = cookieValue(header, NAME);
    if (sealed === null) return null;
    try {
      const journey = JSON.parse(Buffer.from(this.seal.unwrap(sealed, PURPOSE)).toString()) as OidcJourney;
      return journey.expiresAt > now ? journey : null;
    } catch {
      // The cookie was changed, or sealed under another master key.
      return null;
    }
  }
}
