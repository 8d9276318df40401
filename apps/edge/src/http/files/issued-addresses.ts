import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { readIssuedTo } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { AccessToken } from '../../adapters/access-token-verifier.ts';
import { invalidPersonalToken, PersonalAccess } from '../authentication/personal-access.ts';
import { SessionCheck } from '../authentication/session-check.ts';

/** Checks that the session or personal access token that requested a signed address is still valid. */
@Injectable()
export class IssuedAddresses {
  constructor(
    private readonly sessions: SessionCheck,
    private readonly personal: PersonalAccess,
    private readonly clock: Clock,
  ) {}

  /** Also ends the answer if the session or token ends meanwhile. Rejects with `service_unavailable` while their state cannot be read. */
  async areInForce(issuedTo: string, res: ServerResponse): Promise<boolean> {
    try {
      this.sessions.endWithSession(await this.bearerOf(issuedTo), res);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unauthenticated') return false;
      throw error;
    }
  }

  /** The session or token that an address was issued to. Throws `invalid_token`, as for a request with the session or token itself. */
  private async bearerOf(text: string): Promise<Pick<AccessToken, 'caller' | 'personal'>> {
    const to = readIssuedTo(text);
    if (!to) throw invalidPersonalToken();
    if ('tokenId' in to) return this.personal.ofId(to.tokenId, RequestContext.current()?.ip ?? '', this.clock.now());
    const caller = { ...to, groups: [], kind: 'user' } as const;
    await this.sessions.requireActive(caller);
    return { caller };
  }
}
