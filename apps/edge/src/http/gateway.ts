import { refuse } from '@parlance/decider';
import { type Caller, type CallerStatements, type Clock, RequestContext, type ServiceForward } from '@parlance/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokenVerifier } from '../adapters/access-token-verifier.ts';
import type { AddressRanges } from './address-ranges.ts';
import type { ServiceDocuments, ServiceRoute } from '../adapters/service-documents.ts';

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Passes requests on to the service that answers them, with a signed statement of who asks and from where. It happens
 * before a body is read: the service reads it.
 */
export class Gateway {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly tokens: AccessTokenVerifier,
    private readonly statements: CallerStatements,
    private readonly services: ServiceForward,
    private readonly clock: Clock,
    /** Who may come in at all; empty for everybody. */
    private readonly allowed: AddressRanges,
  ) {}

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      if (!this.allowed.isEmpty && !request.url.startsWith('/health/') && !this.allowed.include(RequestContext.current()?.ip ?? '')) {
        return done(refuse('forbidden', 'address_not_allowed', 'Requests from this address are not allowed.'));
      }
      // The edge's own routes are Fastify's to answer.
      if (!request.is404) return done();
      this.pass(request, reply, done).catch((error: Error) => done(error));
    });
  }

  private async pass(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    const path = request.url.split('?', 1)[0] as string;
    const route = this.documents.routeOf(request.method, path);
    if (!route) {
      // Until all services have told their routes, a path that isn't known isn't known not to be.
      if (this.documents.missing().length === 0) return done();
      throw refuse('unavailable', 'service_unavailable', 'A service has not come up yet: try again.', { retry_after: 1 });
    }
    const caller = await this.callerOf(request, route);
    this.services.forward(route.service, request, reply, this.statementFor(request, caller));
  }

  private async callerOf(request: FastifyRequest, { open }: ServiceRoute): Promise<Caller | null> {
    const { authorization } = request.headers;
    // Where nobody needs a token a stale one is no hindrance: it is what a client has who comes to sign in again.
    if (authorization === undefined || open) return null;
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) throw refuse('unauthenticated', 'invalid_token', 'Send the access token as: Authorization: Bearer <token>.');
    return this.tokens.verify(token, this.clock.now());
  }

  private statementFor(request: FastifyRequest, caller: Caller | null): string {
    const context = RequestContext.current();
    return this.statements.sign(
      {
        sub: caller?.userId ?? null,
        ...(caller?.email !== undefined && { email: caller.email }),
        groups: caller?.groups ?? [],
        sid: caller?.sessionId ?? null,
        kind: caller ? 'user' : 'anonymous',
        ip: context?.ip ?? null,
        ua: context?.userAgent ?? null,
        rid: request.requestId,
        cid: context?.correlationId ?? request.requestId,
      },
      this.clock.now(),
    );
  }
}
