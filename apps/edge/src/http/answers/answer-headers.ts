import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { allowedOf, USUAL } from './sent-headers.ts';
import { PublishedApis } from '../routing/published-apis.ts';

type Headers = Readonly<Record<string, string>>;

const LIMITS = ['Limit', 'Remaining', 'Reset'].flatMap((name) => ['', '-Requests', '-Tokens'].map((of) => `X-RateLimit-${name}${of}`));
const OURS = ['Budget-Warning', 'Cache', 'Call', 'Code', 'Cost', 'Model'].map((name) => `X-Parlance-${name}`);
const EXPOSED = [
  'ETag, Location, Retry-After, Preference-Applied, X-Request-Id, X-Should-Retry, Idempotent-Replayed',
  ...LIMITS,
  ...OURS,
].join(', ');
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

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
    if (!this.forOrigin(request)) return {};
    const asked = headers['access-control-request-headers'];
    return {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': asked === undefined ? USUAL : allowedOf(asked),
      'access-control-max-age': '600',
    };
  }

  private forOrigin(request: IncomingMessage): Headers | undefined {
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    const headers = this.ofOrigin.get(origin);
    return headers && !this.published.have(request) ? headers : undefined;
  }
}
