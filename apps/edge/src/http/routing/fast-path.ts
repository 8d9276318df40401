import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ambiguityOf, hasBody } from '@parlance/http';
import type { FastifyInstance } from 'fastify';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { Authentication } from '../authentication/authentication.ts';
import { AnswerCasing } from '../casing/answer-casing.ts';
import { AddressCheck } from '../limits/address-check.ts';
import { RequestLimits } from '../limits/request-limits.ts';
import { isForSigningIn, PublishedApis } from './published-apis.ts';
import { type ArrivedRequest, PublishedFastPath } from '../published/published-fast-path.ts';
import { HandOver } from './hand-over.ts';

type Listener = (this: Server, req: IncomingMessage, res: ServerResponse) => void;

/**
 * Forwards the usual request without Fastify: a request of a signed-in user to a service route, or one with an API key to a published bot,
 * without a body, that passes every check without waiting. It never refuses and never changes an answer. For all other requests it has no
 * effect, and the hooks of Fastify decide with the same functions. Only the last check, which counts the user's requests, has an effect, and
 * only if it does not refuse.
 *
 * The service applies the time limit of answers, because the request is forwarded in the turn of the event loop in which it arrives.
 */
@Injectable()
export class FastPath {
  /** Tests switch it off to compare both paths. */
  isOn = true;
  /** The number of forwarded requests. */
  forwarded = 0;
  /** The first segments of the edge's own routes, which Fastify answers. */
  private readonly own = new Set<string>();

  constructor(
    private readonly documents: ServiceDocuments,
    private readonly published: PublishedApis,
    private readonly casing: AnswerCasing,
    private readonly authentication: Authentication,
    private readonly addresses: AddressCheck,
    private readonly limits: RequestLimits,
    private readonly publishedFast: PublishedFastPath,
    private readonly handOver: HandOver,
  ) {}

  /** Must be installed before the edge's own routes are added, and before `answerInTurn`. */
  install(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url }) => void this.own.add(firstSegmentOf(url)));
    const { server } = instance;
    const listeners = server.listeners('request') as Listener[];
    server.removeAllListeners('request');
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      if (this.isOn && this.forward(instance, req, res)) return;
      for (const listener of listeners) listener.call(server, req, res);
    });
  }

  /** Returns whether the request was forwarded. */
  private forward(instance: FastifyInstance, req: IncomingMessage, res: ServerResponse): boolean {
    const start = performance.now();
    const { method = '', url = '', headers } = req;
    if (instance.isLeaving || instance.isClosing() || hasBody(headers) || headers['idempotency-key'] !== undefined) return false;
    const path = plainPathOf(url);
    if (path === null) return false;
    if (this.published.isPath(path) || this.published.haveHost(headers.host))
      return this.forwardPublished(instance, { req, res, path, start });
    if (this.own.has(firstSegmentOf(path)) || isForSigningIn(path)) return false;
    const route = this.documents.serviceRouteOf(method, path);
    if (!route || route.open || ambiguityOf(req) || this.casing.isWantedBy(req)) return false;
    const token = this.authentication.knownTokenOf(req);
    if (!token) return false;
    const { caller } = token;
    const opened = instance.openRequest(req, res);
    const ip = opened.context.ip ?? '';
    if (!this.addresses.allows(ip, false) || !this.authentication.isAllowed(token, route, ip)) return false;
    if (this.limits.ofUser(caller.userId)) return false;

    this.forwarded += 1;
    if (route.operation.streams) this.authentication.endWithSession(token, res);
    this.handOver.forward({ req, res, route, caller, opened, start });
    return true;
  }

  private forwardPublished(instance: FastifyInstance, arrived: ArrivedRequest): boolean {
    if (this.casing.isWantedBy(arrived.req) || !this.publishedFast.forward(instance, arrived)) return false;
    this.forwarded += 1;
    return true;
  }
}

/** The path of an unambiguous target; null for all others. */
function plainPathOf(target: string): string | null {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return path.startsWith('/') && !path.includes('%') && !path.includes('#') ? path : null;
}

/** `bot` for `/bot/{bot_id}`. */
function firstSegmentOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
