import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { FastifyRequest } from 'fastify';
import { isSameHash, readScimToken } from '../../adapters/scim-secrets.ts';
import { isValidToken, scimToken, scimTokenStream } from '../../domain/credentials/scim-token.ts';

/**
 * To the edge these routes are open: it knows people's tokens only. Here a token is looked up in its own stream at each
 * request, so that one that was revoked is dead at once. What is done is on record as done by the token.
 */
@Injectable()
export class ScimTokenGuard implements CanActivate {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal `invalid_scim_token`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const shown = readScimToken(headers.authorization);
    if (shown === null) throw unknown();
    const { tokenId, hash } = shown;
    const token = await this.streams.load(scimToken, scimTokenStream(tokenId));
    const same = isSameHash(hash, token.status === 'active' ? token.hash : '');
    if (!same || !isValidToken(token, hash, this.clock.now())) throw unknown();
    RequestContext.identify({ userId: `scim:${tokenId}`, groups: [], sessionId: null, kind: 'system' });
    return true;
  }
}

const unknown = () =>
  refuse('unauthenticated', 'invalid_scim_token', 'Send a valid provisioning token as: Authorization: Bearer scim_<id>_<secret>.');
