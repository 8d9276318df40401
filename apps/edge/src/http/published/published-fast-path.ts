import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ambiguityOf, keepBlock } from '@parlance/http';
import type { FastifyInstance } from 'fastify';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { AddressCheck } from '../limits/address-check.ts';
import { HandOver } from '../routing/hand-over.ts';
import { limitHeaders } from './answer-headers.ts';
import { apiCaller, presentedKey, PublishedAccess } from './published-access.ts';
import { hasOwnNames, publishedAddressOf } from './published-address.ts';
import { PublishedAdmission } from './published-admission.ts';
import { PublishedUse } from './published-use.ts';

/** A request without a body whose path is unambiguous. */
export interface ArrivedRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: string;
  readonly start: number;
}

/**
 * The part of the fast path for published bots: a read with a key that is known to be valid. For all other requests its only effect is that
 * `PublishedAdmission` keeps the answer of the limits, and the hooks of Fastify decide with the same functions.
 */
@Injectable()
export class PublishedFastPath {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly access: PublishedAccess,
    private readonly admission: PublishedAdmission,
    private readonly addresses: AddressCheck,
    private readonly handOver: HandOver,
  ) {}

  /** Returns whether the request was forwarded. */
  forward(instance: FastifyInstance, { req, res, path, start }: ArrivedRequest): boolean {
    const { method = '', headers } = req;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const address = publishedAddressOf(path);
    if (!address || hasOwnNames(address.below)) return false;
    const route = this.documents.serviceRouteOf(method, path);
    if (!route?.published || ambiguityOf(req)) return false;
    const opened = instance.openRequest(req, res);
    const ip = opened.context.ip ?? '';
    const call = this.addresses.allows(ip, true) ? this.access.knownCall(address, req, ip) : null;
    if (!call) return false;
    const admitted = this.admission.atOnce(req, call);
    if (!admitted) return false;
    keepBlock(res, call.api.cors.of(headers.origin));
    keepBlock(res, limitHeaders(admitted.headers));
    const use = new PublishedUse(res, admitted);
    use.hasReachedService = true;
    if (route.operation.streams) this.access.endWithKey(call, { address, presented: presentedKey(req, address.below), ip }, res);
    const onNeverSent = () => (use.hasReachedService = false);
    this.handOver.forward({ req, res, route, caller: apiCaller(call), opened, start, onNeverSent });
    return true;
  }
}
