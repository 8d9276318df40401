import { Injectable } from '@nestjs/common';
import { Refusal, refuse } from '@parlance/decider';
import { type Caller, type CallerStatement, linger } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessToken } from '../../adapters/access-token-verifier.ts';
import { ServiceForward } from '../../adapters/forwarding/service-forward.ts';
import { type FoundRoute, ServiceDocuments } from '../../adapters/service-documents.ts';
import { Authentication } from '../authentication/authentication.ts';
import { CredentialCheck } from '../authentication/credential-check.ts';
import { RefusalAudit } from './refusal-audit.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import { isForSigningIn, isProbe, pathOf, PublishedApis } from './published-apis.ts';
import { RequestLimits } from '../limits/request-limits.ts';
import type { ArrivingBody } from '../idempotency/request-fingerprints.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';
import { holderOf } from '../addresses/plain-address.ts';
import { bodyInSnakeCase, queryInSnakeCase } from '../casing/request-casing.ts';

/**
 * Passes requests on to the service that answers them, with a signed statement of who asks and from where. A request is passed on
 * when its body is complete, and the caller is looked at again then: no service gets a request whose session has ended while its
 * body came. The service reads the body, also where it was looked at here.
 */
@Injectable()
export class Gateway {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly published: PublishedApis,
    private readonly authentication: Authentication,
    private readonly credentials: CredentialCheck,
    private readonly services: ServiceForward,
    private readonly idempotency: Idempotency,
    private readonly limits: RequestLimits,
    private readonly refusals: RefusalAudit,
  ) {}

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      // The edge's own routes are Fastify's to answer.
      if (!request.is404) return done(this.tooManyOfAddress(request) ?? undefined);
      this.handle(request, reply, done).catch((error: Error) => done(error));
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    const path = request.url.split('?', 1)[0] as string;
    const route = this.documents.routeOf(request.method, path);
    if (!route) {
      const tooMany = this.tooManyOfAddress(request);
      if (tooMany) throw tooMany;
      // Until all services have told their routes, a path that isn't known isn't known not to be.
      if (this.documents.missing().length === 0) {
        const methods = this.documents.methodsAt(path);
        if (methods.length === 0 || this.published.isPath(path) !== this.published.have(request)) return done();
        reply.header('allow', methods.join(', '));
        if (request.method === 'OPTIONS') return void reply.code(204).send();
        throw new MethodNotAllowed();
      }
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    }
    // Below the domain of published APIs there is nothing else; and what was let in by one allowlist goes not by the other's way.
    if (this.published.isPath(route.path) !== this.published.have(request)) return done();
    try {
      await this.passOn(request, reply, route);
    } catch (error) {
      await this.refusals.recordRefusedAction(route, error);
      throw error;
    }
  }

  private async passOn(request: FastifyRequest, reply: FastifyReply, route: FoundRoute): Promise<void> {
    const token = await this.tokenOf(request, route);
    const caller = token?.caller ?? null;
    const holds = route.scheme !== null && (await this.credentials.areValid(request, route));
    const tooMany = caller
      ? this.limits.ofUser(caller.userId)
      : holds
        ? this.limits.ofCredential(JSON.stringify([request.headers.authorization, request.headers['x-api-key']]))
        : this.tooManyOfAddress(request);
    if (tooMany) throw tooMany;
    if (route.scheme !== null && !holds) {
      // The service refuses it in the form of its own refusals. Nothing is received or remembered for it.
      if (hasBody(request.raw)) dropBody(request.raw, reply.raw);
      return this.services.forward(route.service, request, reply, this.statementFor(request, null, undefined));
    }
    queryInSnakeCase(request.raw, route.operation);
    const keyed = this.idempotency.keyOf(request, route, caller);
    const body = await this.bodyOf(request, reply, route, caller, keyed?.arriving);
    if (token) await this.authentication.requireStillValid(token);
    const repeat = keyed ? await this.idempotency.check(request, reply, route, { caller, ...keyed, body }) : null;
    if (repeat?.outcome === 'replayed') return;
    // The session may have ended while the request was remembered.
    if (token && repeat) await this.authentication.requireStillValid(token);
    // In the meantime answered by the time limit.
    if (reply.sent) return;
    this.services.forward(route.service, request, reply, this.statementFor(request, caller, repeat?.newId));
  }

  /** A request without a good token is one of its address, which is told so once it has sent too many. */
  private async tokenOf(request: FastifyRequest, route: FoundRoute): Promise<AccessToken | null> {
    try {
      return await this.authentication.tokenOf(request, route);
    } catch (error) {
      const isRefused = error instanceof Refusal && (error.kind === 'unauthenticated' || error.kind === 'forbidden');
      throw (isRefused && this.tooManyOfAddress(request)) || error;
    }
  }

  /** Probes have no limit, published APIs have their own, and requests to /auth/ were counted at the door. */
  private tooManyOfAddress(request: FastifyRequest): Refusal | null {
    const path = pathOf(request.url);
    if (isProbe(path) || isForSigningIn(path) || this.published.have(request)) return null;
    return this.limits.ofAddress(RequestContext.current()?.ip ?? '');
  }

  private async bodyOf(
    { raw, method, server }: FastifyRequest,
    reply: FastifyReply,
    { operation }: FoundRoute,
    caller: Caller | null,
    arriving: ArrivingBody | undefined,
  ): Promise<Buffer> {
    if (!mayHaveBody(method) || !hasBody(raw)) return NO_BODY;
    const holder = caller ? `user:${caller.userId}` : `address:${holderOf(RequestContext.current()?.ip ?? '')}`;
    const bytes = await server.bodies.peek(raw, reply.raw, {
      limit: operation.bodyLimit,
      holder,
      ...(arriving && { onBytes: (chunk: Buffer) => arriving.add(chunk) }),
    });
    return bodyInSnakeCase(raw, bytes, operation);
  }

  private statementFor(request: FastifyRequest, caller: Caller | null, newId: string | undefined): CallerStatement {
    const context = RequestContext.current();
    return {
      sub: caller?.userId ?? null,
      ...(caller?.email !== undefined && { email: caller.email }),
      groups: caller?.groups ?? [],
      sid: caller?.sessionId ?? null,
      kind: caller ? 'user' : 'anonymous',
      ip: context?.ip ?? null,
      ua: context?.userAgent ?? null,
      rid: request.requestId,
      cid: context?.correlationId ?? request.requestId,
      ...(newId !== undefined && { nid: newId }),
    };
  }
}

const NO_BODY = Buffer.alloc(0);

/** Whether a request says that it has a body; one of no bytes in chunks is found out only by reading. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Services don't read those of others, and answer before they have come. */
const mayHaveBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Makes a request one without a body, which the client may go on sending. */
function dropBody(req: IncomingMessage, res: ServerResponse): void {
  linger(req, res);
  const { headers } = req;
  for (const name of ['content-length', 'transfer-encoding', 'content-type', 'expect']) headers[name] = undefined;
}
