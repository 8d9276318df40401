import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { LocalMasterKey, MasterKey } from '@parlance/privacy';
import type { Proofs } from '../../adapters/oidc-sign-in.ts';
import { cookieAttributes, cookieValue } from './cookies.ts';

/** A sign-in that is under way at a provider. */
export interface OidcJourney extends Proofs {
  readonly provider: string;
  readonly returnTo: string | null;
  /** The refresh token is to be in a cookie. */
  readonly inCookie?: boolean;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const NAME = 'parlance_oidc';
const PURPOSE = 'oidc journey';
const VALID_SECONDS = 600;

/**
 * What has to be remembered while a user signs in elsewhere is kept by their browser, sealed: so any replica can take up
 * what another began, and no other browser can. One at a time; a second one that is begun takes the first one's place.
 */
@Injectable()
export class OidcCookie {
  private readonly seal: LocalMasterKey;
  private readonly attributes: string;

  constructor(master: MasterKey, { publicBaseUrl }: Config) {
    this.seal = new LocalMasterKey(master.derive('oidc-journeys'));
    this.attributes = cookieAttributes(publicBaseUrl, '/auth/oidc', 'Lax');
  }

  /** The Set-Cookie that begins a journey. */
  begin(journey: Omit<OidcJourney, 'expiresAt'>, now: number): string {
    const whole: OidcJourney = { ...journey, expiresAt: now + VALID_SECONDS * 1_000 };
    return `${NAME}=${this.seal.wrap(Buffer.from(JSON.stringify(whole)), PURPOSE)}; Max-Age=${VALID_SECONDS}${this.attributes}`;
  }

  /** The Set-Cookie that ends it. */
  get end(): string {
    return `${NAME}=; Max-Age=0${this.attributes}`;
  }

  /** From the header Cookie; null where there is none of ours that still holds. */
  read(header: string | undefined, now: number): OidcJourney | null {
    const sealed = cookieValue(header, NAME);
    if (sealed === null) return null;
    try {
      const journey = JSON.parse(Buffer.from(this.seal.unwrap(sealed, PURPOSE)).toString()) as OidcJourney;
      return journey.expiresAt > now ? journey : null;
    } catch {
      // Changed, or sealed under another master key.
      return null;
    }
  }
}
