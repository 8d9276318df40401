import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { FastifyRequest } from 'fastify';
import { isSameHash, readScimToken } from '../../adapters/scim-secrets.ts';
import { isValidToken, scimToken, scimTokenStream } from '../../domain/credentials/scim-token.ts';

/**
 * Checks the provisioning token of a request. The edge leaves these routes open, because it only checks users' tokens. The token's
 * stream is read at each request, so a revoked token is invalid at once. The audit log names the token as the actor.
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
