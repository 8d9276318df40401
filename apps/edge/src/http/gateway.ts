import { refuse } from '@parlance/decider';
import { type Caller, type CallerStatements, type Clock, RequestContext, type ServiceForward } from '@parlance/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokenVerifier } from '../adapters/access-token-verifier.ts';
import type { ServiceDocuments } from '../adapters/service-documents.ts';

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
  ) {}

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      // The edge's own routes are Fastify's to answer.
      if (!request.is404) return done();
      this.pass(request, reply, done).catch((error: Error) => done(error));
    });
  }

  private async pass(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    const path = request.url.split('?', 1)[0] as string;
    const service = this.documents.serviceOf(request.method, path);
    if (!service) {
      // Until all services have told their routes, a path that isn't known isn't known not to be.
      if (this.documents.missing().length === 0) return done();
      throw refuse('unavailable', 'service_unavailable', 'A service has not come up yet: try again.', { retry_after: 1 });
    }
    const caller = await this.callerOf(request);
    await this.services.forward(service, request, reply, this.statementFor(request, caller));
  }

  private async callerOf(request: FastifyRequest): Promise<Caller | null> {
    const { authorization } = request.headers;
    if (authorization === undefined) return null;
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
