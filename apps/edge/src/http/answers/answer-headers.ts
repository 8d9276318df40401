import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { PublishedApis } from '../routing/published-apis.ts';

type Headers = Readonly<Record<string, string>>;

const EXPOSED =
  'ETag, Location, Retry-After, Preference-Applied, X-Request-Id, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Parlance-Budget-Warning';
const PREFLIGHT: Headers = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, Accept, Prefer, Last-Event-ID',
  'access-control-max-age': '600',
};

/**
 * The headers of every answer, refusals included. A header that a service sets itself replaces one of these. Answers are data for programs:
 * a browser may not load anything for them, show them in a frame or store them. Scripts of the origins in `consoleOrigins` may read them.
 * Published APIs have their own origins.
 */
@Injectable()
export class AnswerHeaders {
  private readonly always: Headers;
  private readonly ofOrigin: ReadonlyMap<string, Headers>;

  /** Built once, because every answer has them. */
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

  /** `null`: the request could not be read. */
  of(request: IncomingMessage | null): Headers {
    return (request && this.forOrigin(request)) ?? this.always;
  }

  /** The headers of the answer to a CORS preflight. Null for other requests, and for preflights of published APIs. */
  ofPreflight(request: IncomingMessage): Headers | null {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined || this.published.have(request)) return null;
    return this.forOrigin(request) ? PREFLIGHT : {};
  }

  private forOrigin(request: IncomingMessage): Headers | undefined {
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    const headers = this.ofOrigin.get(origin);
    return headers && !this.published.have(request) ? headers : undefined;
  }
}
