import { Injectable } from '@nestjs/common';
import { Refusal, refuse } from '@parlance/decider';
import { type Caller, hasBody, linger } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessToken } from '../../adapters/access-token-verifier.ts';
import { requireRoom, ServiceForward } from '../../adapters/forwarding/service-forward.ts';
import { type FoundRoute, ServiceDocuments } from '../../adapters/service-documents.ts';
import { Authentication } from '../authentication/authentication.ts';
import { CredentialCheck } from '../authentication/credential-check.ts';
import { PublishedGateway } from '../published/published-gateway.ts';
import { isForConsole } from '../console/console-pages.ts';
import { isForSignedFile } from '../files/signed-files.ts';
import { RefusalAudit } from './refusal-audit.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import { isForSigningIn, isProbe, pathOf, PublishedApis } from './published-apis.ts';
import { RequestLimits } from '../limits/request-limits.ts';
import { statementOf } from './statement.ts';
import type { ArrivingBody } from '../idempotency/request-fingerprints.ts';
import { isCallOfModel, placeOf, readKeyAsToken } from './model-calls.ts';
import { MethodNotAllowed } from './method-not-allowed.ts';
import { networkOf } from '../addresses/plain-address.ts';
import { bodyInSnakeCase, queryInSnakeCase } from '../casing/request-casing.ts';

/**
 * Forwards requests to the service that answers them, with a signed statement about the caller and its address. A request is forwarded when
 * its body is complete. Its token and session are checked again at that time, so no service receives a request of a session that ended
 * meanwhile. The service reads the body itself.
 */
@Injectable()
export class Gateway {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly published: PublishedApis,
    private readonly publishedGateway: PublishedGateway,
    private readonly authentication: Authentication,
    private readonly credentials: CredentialCheck,
    private readonly services: ServiceForward,
    private readonly idempotency: Idempotency,
    private readonly limits: RequestLimits,
    private readonly refusals: RefusalAudit,
  ) {}

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      if (this.published.have(request)) return void this.publishedGateway.handle(request, reply, done).catch(done);
      // Fastify answers the edge's own routes.
      if (!request.is404)
        return done((isForSignedFile(request) || isForConsole(request) ? null : this.tooManyOfAddress(request)) ?? undefined);
      this.handle(request, reply, done).catch((error: Error) => done(error));
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    const path = request.url.split('?', 1)[0] as string;
    const route = this.documents.routeOf(request.method, path);
    if (!route) {
      const tooMany = this.tooManyOfAddress(request);
      if (tooMany) throw tooMany;
      // Until all services have supplied their routes, an unknown path may still be a route.
      if (this.documents.missing().length === 0) {
        const methods = this.documents.methodsAt(path);
        if (methods.length === 0 || this.published.isPath(path)) return done();
        reply.header('allow', methods.join(', '));
        if (request.method === 'OPTIONS') return void reply.code(204).send();
        throw new MethodNotAllowed();
      }
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    }
    RequestContext.routed(route.pattern);
    readKeyAsToken(request.raw, path);
    // The target is ambiguous: a caller that one allowlist admits may not use the routes of the other one.
    if (this.published.isPath(route.path)) return done();
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
      ? this.tooManyOfUser(caller, route)
      : holds
        ? this.limits.ofCredential(JSON.stringify([request.headers.authorization, request.headers['x-api-key']]))
        : this.tooManyOfAddress(request);
    if (tooMany) throw tooMany;
    if (route.scheme !== null && !holds) {
      // The service refuses the request in its own form. The body is not received, and the request is not remembered.
      if (hasBody(request.headers)) dropBody(request.raw, reply.raw);
      return this.forward(request, reply, route, null);
    }
    requireRoom(this.services, route);
    queryInSnakeCase(request.raw, route.operation);
    const keyed = this.idempotency.keyOf(request, route, caller);
    const body = await this.bodyOf(request, reply, route, caller, keyed?.arriving);
    let still = token && (await this.authentication.stillValid(token, route));
    const repeat = keyed ? await this.idempotency.check(request, reply, route, { caller, ...keyed, body }) : null;
    if (repeat?.outcome === 'replayed') return;
    // The session may have ended while the request was remembered.
    if (still && repeat) still = await this.authentication.stillValid(still, route);
    // The time limit may have answered the request meanwhile.
    if (reply.sent) return;
    if (still && route.operation.streams) this.authentication.endWithSession(still, reply.raw);
    this.forward(request, reply, route, still?.caller ?? null, repeat?.newId);
  }

  /** Reads the token. A request without a valid one counts towards the limit of its address. After too many, the refusal is 429. */
  private async tokenOf(request: FastifyRequest, route: FoundRoute): Promise<AccessToken | null> {
    if (!route.open && this.authentication.hasUnknownToken(request.raw)) {
      // An address that has sent too many refused requests causes no calls to identity.
      const tooMany = this.limits.whereUsedUp(RequestContext.current()?.ip ?? '');
      if (tooMany) throw tooMany;
    }
    try {
      return await this.authentication.tokenOf(request, route);
    } catch (error) {
      const isRefused = error instanceof Refusal && (error.kind === 'unauthenticated' || error.kind === 'forbidden');
      throw (isRefused && this.tooManyOfAddress(request)) || error;
    }
  }

  /** Counts a request towards the limit of its address. Probes have no limit, and `AddressCheck` has already counted requests to /auth/. */
  private tooManyOfAddress(request: FastifyRequest): Refusal | null {
    const path = pathOf(request.url);
    if (isProbe(path) || isForSigningIn(path)) return null;
    return this.limits.ofAddress(RequestContext.current()?.ip ?? '');
  }

  /** The limits of calls of models are terms of their tokens. */
  private tooManyOfUser({ userId, callTerms }: Caller, { path }: FoundRoute): Refusal | null {
    return callTerms && isCallOfModel(path) ? null : this.limits.ofUser(userId);
  }

  private async bodyOf(
    { raw, method, server }: FastifyRequest,
    reply: FastifyReply,
    { operation }: FoundRoute,
    caller: Caller | null,
    arriving: ArrivingBody | undefined,
  ): Promise<Buffer> {
    if (!mayHaveBody(method) || !hasBody(raw.headers)) return NO_BODY;
    const client = caller ? `user:${caller.userId}` : `address:${networkOf(RequestContext.current()?.ip ?? '')}`;
    const bytes = await server.bodies.peek(raw, reply.raw, {
      limit: operation.bodyLimit,
      client,
      ...(arriving && { onBytes: (chunk: Buffer) => arriving.add(chunk) }),
    });
    return bodyInSnakeCase(raw, bytes, operation);
  }

  private forward(request: FastifyRequest, reply: FastifyReply, route: FoundRoute, caller: Caller | null, newId?: string): void {
    const { raw: req, requestId } = request;
    const { service, path, lookUp } = route;
    reply.hijack();
    const isCall = isCallOfModel(path);
    const alike = isCall && caller ? placeOf(req, caller.tokenId ?? caller.userId) : null;
    const forwarded = { req, res: reply.raw, requestId, lookUp, mayBeginLate: isCall, alike };
    this.services.forward(service, forwarded, statementOf(caller, requestId, RequestContext.current(), newId));
  }
}

const NO_BODY = Buffer.alloc(0);

/** Services answer GET and HEAD without reading a body. */
const mayHaveBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Removes the body from a request. The client may continue to send it. */
function dropBody(req: IncomingMessage, res: ServerResponse): void {
  linger(req, res);
  const { headers } = req;
  for (const name of ['content-length', 'transfer-encoding', 'content-type', 'expect']) headers[name] = undefined;
}
