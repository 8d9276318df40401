import { Injectable } from '@nestjs/common';
import { Refusal, type RefusalKind, refuse } from '@parlance/decider';
import { type Caller, hasBody, keepBlock } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeploymentProbe } from '../../adapters/deployment-probe.ts';
import { requireRoom, ServiceForward } from '../../adapters/forwarding/service-forward.ts';
import { type FoundRoute, ServiceDocuments } from '../../adapters/service-documents.ts';
import { removeCredentials } from '../authentication/authentication.ts';
import { bodyInSnakeCase, queryInSnakeCase } from '../casing/request-casing.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import type { ArrivingBody } from '../idempotency/request-fingerprints.ts';
import { AddressCheck, addressNotAllowed } from '../limits/address-check.ts';
import { RequestLimits } from '../limits/request-limits.ts';
import { MethodNotAllowed } from '../routing/method-not-allowed.ts';
import { pathOf } from '../routing/published-apis.ts';
import { RefusalAudit } from '../routing/refusal-audit.ts';
import { statementOf } from '../routing/statement.ts';
import { limitHeaders } from './answer-headers.ts';
import { ClientRepeats } from './client-repeats.ts';
import { mcpMessageIn } from './mcp-message.ts';
import { apiCaller, PublishedAccess, type PublishedCall, type PresentedKey, presentedKey } from './published-access.ts';
import { hasOwnNames, isMcp, type PublishedAddress, publishedAddressOf } from './published-address.ts';
import { PublishedAdmission } from './published-admission.ts';
import { PublishedUse } from './published-use.ts';

/** A request whose key is valid. */
interface Entered extends PublishedCall {
  readonly address: PublishedAddress;
  readonly presented: PresentedKey;
  readonly ip: string;
}

interface Forwarding {
  readonly caller: Caller;
  readonly use: PublishedUse;
  readonly newId: string | undefined;
}

/**
 * Forwards requests to published bots. The order of the checks: the address, the caller's address, the key, the throttle, the quota, the
 * body. The key is checked again when the body is complete, so no service receives a request with a key that was revoked meanwhile.
 */
@Injectable()
export class PublishedGateway {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly access: PublishedAccess,
    private readonly probe: DeploymentProbe,
    private readonly admission: PublishedAdmission,
    private readonly addresses: AddressCheck,
    private readonly requests: RequestLimits,
    private readonly services: ServiceForward,
    private readonly idempotency: Idempotency,
    private readonly repeats: ClientRepeats,
    private readonly refusals: RefusalAudit,
  ) {}

  /** Calls `done` for the edge's own routes. */
  async handle(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    const ip = RequestContext.current()?.ip ?? '';
    const address = publishedAddressOf(pathOf(request.url));
    if (address && !request.is404 && this.probe.isProbe(request.headers, address.apiId)) {
      keepBlock(reply.raw, (await this.access.deployedAt(address)).cors.of(undefined));
      return done();
    }
    const entered = await this.enter(request, reply, address, ip).catch((error: unknown) => {
      this.admission.abandon(request.raw);
      return this.refuseUnknown(error, ip);
    });
    if (entered === 'own') done();
    else if (entered !== 'answered') await this.pass(request, reply, entered);
  }

  /** Does all checks up to the key. */
  private async enter(
    { raw, method, is404 }: FastifyRequest,
    reply: FastifyReply,
    address: PublishedAddress | null,
    ip: string,
  ): Promise<Entered | 'own' | 'answered'> {
    if (!address) throw refuse('missing', 'no_such_route', 'There is nothing at this path.');
    this.spare(this.access.isKnown(address), ip);
    const api = await this.access.apiAt(address);
    const { origin } = raw.headers;
    keepBlock(reply.raw, api.cors.of(origin));
    if (!this.addresses.allows(ip, true)) throw addressNotAllowed();
    if (method === 'OPTIONS') {
      reply.code(204).headers(api.cors.ofPreflight(origin, raw.headers['access-control-request-headers']));
      void reply.send();
      return 'answered';
    }
    if (!is404) {
      const tooMany = this.requests.ofAddress(ip);
      if (tooMany) throw tooMany;
      return 'own';
    }
    const presented = presentedKey(raw, address.below);
    this.spare(this.access.isKnownKey(api, presented), ip);
    return { address, presented, ip, api, key: await this.access.keyOf(api, presented, address, ip) };
  }

  /** Refuses a request from an address that has sent too many anonymous requests, before it causes calls to the publication service. */
  private spare(isKnown: boolean, ip: string): void {
    const tooMany = isKnown ? null : this.requests.whereUsedUp(ip);
    if (tooMany) throw tooMany;
  }

  /** Counts a request without a valid key towards the limit of its address. After too many, the refusal is 429. */
  private async refuseUnknown(error: unknown, ip: string): Promise<never> {
    if (!(error instanceof Refusal) || !UNKNOWN.has(error.kind)) throw error;
    const tooMany = this.requests.ofAddress(ip);
    if (tooMany) throw tooMany;
    if (error.code === 'address_not_allowed') await this.refusals.recordRefusedAddress(error);
    throw error;
  }

  private async pass(request: FastifyRequest, reply: FastifyReply, entered: Entered): Promise<void> {
    const { raw, method } = request;
    const { key, address, presented, ip } = entered;
    const caller = apiCaller(entered);
    RequestContext.identify(caller);
    const admitted = await this.admission.of(raw, entered);
    if (admitted.refusal) {
      keepBlock(reply.raw, limitHeaders(admitted.headers));
      throw admitted.refusal;
    }
    const use = new PublishedUse(reply.raw, admitted);
    use.setLimitHeaders();
    const route = this.routeOf(request, reply);
    RequestContext.routed(route.pattern);
    requireRoom(this.services, route);
    const { below } = publishedAddressOf(route.path) as PublishedAddress;
    const takeQuota = async () => {
      const refusal = await admitted.takeQuota();
      if (refusal) throw refusal;
    };
    // The request may repeat the one that used up the quota, which only its body shows.
    const usedUp = method === 'POST' && !isMcp(below) ? await admitted.takeQuota() : null;
    if (usedUp && !this.repeats.mayBeOne(raw, key.keyId)) throw usedUp;
    if (!hasOwnNames(below)) queryInSnakeCase(raw, route.operation);
    const keyed = this.idempotency.keyOf(request, route, caller);
    const arriving = keyed?.arriving ?? this.repeats.arriving(route.operation, below);
    const body = await this.bodyOf(request, reply, route, { below, keyId: key.keyId, arriving });
    const sent = arriving && this.repeats.sent(raw, key.keyId, arriving);
    const requirePaid = () => {
      if (usedUp && !(sent && this.repeats.isPaidFor(sent))) throw usedUp;
    };
    requirePaid();
    const rpc = method === 'POST' && isMcp(below) ? await mcpMessageIn(body) : null;
    for (let calls = rpc?.toolCalls ?? 0; calls > 0; calls--) await takeQuota();
    const stillValid = () => this.access.stillValid(address, presented, ip);
    let call = await stillValid();
    const repeat = keyed ? await this.idempotency.check(request, reply, route, { caller, ...keyed, body, stillValid }) : null;
    if (repeat?.outcome === 'replayed') return;
    // The key may have been revoked while the request was remembered.
    if (repeat) call = await stillValid();
    // Meanwhile the time limit may have answered the request, or its client may have left. Then its use of the quota was returned.
    if (reply.sent || reply.raw.destroyed) return;
    // Meanwhile another repeat may have replaced this one, or the first request was refused and returned its use of the quota.
    requirePaid();
    use.isPaidByQuestion = usedUp !== null;
    if (route.operation.streams) this.access.endWithKey(call, entered, reply.raw, rpc?.id);
    if (sent) use.question = this.repeats.enter(sent, repeat?.newId, reply.raw);
    this.forward(request, reply, route, { caller, use, newId: use.question?.newId });
  }

  private routeOf(request: FastifyRequest, reply: FastifyReply): FoundRoute {
    const path = request.url.split('?', 1)[0] as string;
    const route = this.documents.routeOf(request.method, path);
    if (route?.published) return route;
    if (this.documents.missing().length > 0)
      throw refuse('unavailable', 'service_unavailable', 'A service has not started yet. Try again.', { retry_after: 1 });
    const methods = this.documents.methodsAt(path);
    if (methods.length === 0) throw refuse('missing', 'no_such_route', 'There is nothing at this path of the published API.');
    reply.header('allow', methods.join(', '));
    throw new MethodNotAllowed();
  }

  private async bodyOf(
    { raw, method, server }: FastifyRequest,
    reply: FastifyReply,
    { operation }: FoundRoute,
    { below, keyId, arriving }: { readonly below: string; readonly keyId: string; readonly arriving: ArrivingBody | undefined },
  ): Promise<Buffer> {
    if (method === 'GET' || method === 'HEAD' || !hasBody(raw.headers)) return NO_BODY;
    const bytes = await server.bodies.peek(raw, reply.raw, {
      limit: operation.bodyLimit,
      client: `api-key:${keyId}`,
      ...(arriving && { onBytes: (chunk: Buffer) => arriving.add(chunk) }),
    });
    return hasOwnNames(below) ? bytes : bodyInSnakeCase(raw, bytes, operation);
  }

  private forward(request: FastifyRequest, reply: FastifyReply, { service, lookUp }: FoundRoute, { caller, use, newId }: Forwarding): void {
    const { raw: req, requestId } = request;
    removeCredentials(req);
    reply.hijack();
    use.hasReachedService = true;
    const onNeverSent = () => (use.hasReachedService = false);
    const statement = statementOf(caller, requestId, RequestContext.current(), newId);
    this.services.forward(service, { req, res: reply.raw, requestId, lookUp, onNeverSent }, statement);
  }
}

/** The kinds of refusal for an unknown caller or an unknown resource. */
const UNKNOWN: ReadonlySet<string> = new Set<RefusalKind>(['unauthenticated', 'forbidden', 'missing']);
const NO_BODY = Buffer.alloc(0);
