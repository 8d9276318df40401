import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import type { FastifyRequest } from 'fastify';
import { PublishedApis } from '../routing/published-apis.ts';

type Headers = Readonly<Record<string, string>>;

const EXPOSED =
  'ETag, Location, Retry-After, X-Request-Id, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const PREFLIGHT: Headers = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, Accept',
  'access-control-max-age': '600',
};

/**
 * The headers of every answer, whatever becomes of the request; a service that sets one of them itself has its way.
 * Answers are data for programs: nothing may be loaded by them, framed, or kept. Scripts of the origins in
 * `consoleOrigins` may read them; published APIs have origins of their own.
 */
@Injectable()
export class AnswerHeaders {
  private readonly always: Headers;
  private readonly ofOrigin: ReadonlyMap<string, Headers>;

  /** Made once, since every answer has one of them. */
  constructor(
    config: Config,
    private readonly published: PublishedApis,
  ) {
    const base: Headers = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      vary: 'Origin',
      ...(config.publicBaseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
    };
    this.always = { ...base, 'cross-origin-resource-policy': 'same-origin' };
    this.ofOrigin = new Map(
      config.consoleOrigins.map((origin) => [
        origin,
        { ...base, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED },
      ]),
    );
  }

  /** Null for what was no request that could be read. */
  of(request: FastifyRequest | null): Headers {
    return (request && this.forOrigin(request)) ?? this.always;
  }

  /** What answers a script's question beforehand; null when it is none, or one about a published API. */
  ofPreflight(request: FastifyRequest): Headers | null {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined || this.published.have(request)) return null;
    return this.forOrigin(request) ? PREFLIGHT : {};
  }

  private forOrigin(request: FastifyRequest): Headers | undefined {
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    const its = this.ofOrigin.get(origin);
    return its && !this.published.have(request) ? its : undefined;
  }
}
