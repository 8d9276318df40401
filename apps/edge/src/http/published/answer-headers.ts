import type { ServerResponse } from 'node:http';
import type { RateLimitHeaders } from './api-limits.ts';

/** On the raw response, because they must remain when the edge hands it over to a service. */
export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>> | null): void {
  for (const name in headers) res.setHeader(name, headers[name] as string);
}

export function tellLimits(res: ServerResponse, { limit, remaining, reset }: RateLimitHeaders): void {
  if (res.headersSent) return;
  res.setHeader('x-ratelimit-limit', String(limit));
  res.setHeader('x-ratelimit-remaining', String(remaining));
  res.setHeader('x-ratelimit-reset', String(reset));
}
