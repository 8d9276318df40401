import { Injectable } from '@nestjs/common';
import { type Refusal, refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { RequestContext } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';
import { AddressRanges } from '../addresses/address-ranges.ts';
import { AnswerHeaders } from '../answers/answer-headers.ts';
import { isForSigningIn, isProbe, pathOf, PublishedApis } from '../routing/published-apis.ts';
import { RefusalAudit } from '../routing/refusal-audit.ts';
import { RequestLimits } from './request-limits.ts';

/**
 * Checks a caller's address before the credentials: whether it is allowed, and how many sign-in requests it sends. Answers preflights.
 * Requests to published APIs are checked by `PublishedGateway`, which first checks that the API exists.
 */
@Injectable()
export class AddressCheck {
  private readonly allowed: AddressRanges;
  private readonly allowedPublished: AddressRanges;

  constructor(
    config: Config,
    private readonly published: PublishedApis,
    private readonly headers: AnswerHeaders,
    private readonly limits: RequestLimits,
    private readonly refusals: RefusalAudit,
  ) {
    this.allowed = new AddressRanges([...config.allowedIpV4AddressRanges, ...config.allowedIpV6AddressRanges]);
    this.allowedPublished = new AddressRanges([
      ...config.publishedApiAllowedIpV4AddressRanges,
      ...config.publishedApiAllowedIpV6AddressRanges,
    ]);
  }

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      const path = pathOf(request.url);
      // Probes come from the cluster itself.
      if (isProbe(path) || this.published.have(request)) return done();
      const address = RequestContext.current()?.ip ?? '';
      if (!this.allows(address, false)) return this.refuse(addressNotAllowed(), done);
      const preflight = this.headers.ofPreflight(request.raw);
      if (preflight) return void reply.code(204).headers(preflight).send();
      const tooMany = isForSigningIn(path) ? this.limits.ofSigningIn(address) : null;
      if (tooMany) return this.refuse(tooMany, done);
      done();
    });
  }

  /** Whether the allowlist contains this address: the allowlist of published APIs, or the one of all other routes. */
  allows(address: string, forPublished: boolean): boolean {
    const allowed = forPublished ? this.allowedPublished : this.allowed;
    return allowed.isEmpty || allowed.include(address);
  }

  private refuse(refusal: Refusal, done: (error: Error) => void): void {
    this.refusals.recordRefusedAddress(refusal).then(() => done(refusal), done);
  }
}

export const addressNotAllowed = () => refuse('forbidden', 'address_not_allowed', 'Requests from this address are not allowed.');
