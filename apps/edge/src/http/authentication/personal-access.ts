import { Injectable } from '@nestjs/common';
import { type Instant, refuse } from '@parlance/decider';
import { PERSONAL_TOKEN_PREFIX, readPersonalToken } from '@parlance/http';
import type { AccessToken } from '../../adapters/access-token-verifier.ts';
import { type PersonalAccessToken, PersonalTokens, type PresentedToken } from '../../adapters/personal-tokens.ts';
import type { ServiceRoute } from '../../adapters/service-documents.ts';
import { TokenUses } from './token-uses.ts';

const BEARER = new RegExp(`^Bearer +(${PERSONAL_TOKEN_PREFIX}\\S*)$`, 'i');

/** The requirements of a route for personal access tokens. */
export type TokenRoute = Pick<ServiceRoute, 'tokenScope'>;

/** Accepts personal access tokens: their form, their expiry, the address of the client, and the scope that the route needs. */
@Injectable()
export class PersonalAccess {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly uses: TokenUses,
  ) {}

  /**
   * Undefined: not a personal access token. Null: a personal access token with a wrong form or checksum, which is refused without a
   * look-up.
   */
  presented(authorization: string): PresentedToken | null | undefined {
    const text = BEARER.exec(authorization)?.[1];
    if (text === undefined) return undefined;
    const read = readPersonalToken(text);
    return read && { tokenId: read.tokenId, hash: Buffer.from(read.hash, 'hex') };
  }

  /** The token, if it is certain without waiting that `current` returns it. */
  known(presented: PresentedToken, now: Instant): PersonalAccessToken | null {
    const token = this.tokens.known(presented);
    return token && !hasEnded(token, now) ? token : null;
  }

  /** The valid token. Throws the refusals `invalid_token`, which does not reveal the failed check, and `service_unavailable`. */
  async current(presented: PresentedToken | null, now: Instant): Promise<PersonalAccessToken> {
    const token = presented && (await this.tokens.current(presented));
    if (!token || hasEnded(token, now)) throw invalidPersonalToken();
    return token;
  }

  /** The token that a signed address was issued to, if the token could still be used from this IP address. Throws like `current`. */
  async ofId(tokenId: string, ip: string, now: Instant): Promise<PersonalAccessToken> {
    const token = await this.tokens.ofId(tokenId);
    if (!token || hasEnded(token, now) || !isFor(token, ip)) throw invalidPersonalToken();
    return token;
  }

  /** Whether a token of any kind may be used for the route from this address. */
  allows(token: AccessToken, { tokenScope }: TokenRoute, ip: string): boolean {
    const { personal } = token;
    if (!personal) return true;
    return tokenScope !== null && personal.scopes.has(tokenScope) && isFor(token, ip);
  }

  /** Throws the refusals `invalid_token` for another address, `token_not_allowed` and `scope_missing`. */
  requireAllowed(token: AccessToken, { tokenScope }: TokenRoute, ip: string): void {
    const { personal } = token;
    if (!personal) return;
    if (!isFor(token, ip)) throw invalidPersonalToken();
    if (tokenScope === null)
      throw refuse('forbidden', 'token_not_allowed', 'This is not possible with a personal access token. Sign in with POST /auth/sign-in.');
    if (!personal.scopes.has(tokenScope))
      throw refuse(
        'forbidden',
        'scope_missing',
        `This needs a personal access token with the scope ${tokenScope}. Create one with that scope.`,
      );
  }

  /** Must be called when a request is accepted. The use is only kept in memory, and reported a few minutes later. */
  noteUse({ personal }: AccessToken, now: Instant): void {
    if (personal) this.uses.note(personal.tokenId, now);
  }
}

const isFor = ({ personal }: AccessToken, ip: string): boolean => !personal || personal.ranges.isEmpty || personal.ranges.include(ip);

/** Whether the token has expired. Has no tolerance for differences between clocks, which matter little for tokens that last for days. */
const hasEnded = ({ expires }: AccessToken, now: Instant): boolean => expires <= now / 1000;

export const invalidPersonalToken = () =>
  refuse(
    'unauthenticated',
    'invalid_token',
    'The personal access token is wrong, has expired, was revoked, or is not for this address. Create another one.',
  );
