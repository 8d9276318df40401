import type { HeaderBlock, HeaderList } from '@parlance/http';
import type { RateLimitHeaders } from './api-limits.ts';

const LIMIT = 'x-ratelimit-limit';
const REMAINING = 'x-ratelimit-remaining';
const RESET = 'x-ratelimit-reset';
const NAMES: ReadonlySet<string> = new Set([LIMIT, REMAINING, RESET]);

/** The rate limit headers. Their values need no validation, and no header is built before it is needed. */
class LimitHeaders implements HeaderBlock {
  readonly names = NAMES;
  readonly first = LIMIT;

  constructor(private readonly headers: RateLimitHeaders) {}

  get list(): HeaderList {
    const { limit, remaining, reset } = this.headers;
    return [LIMIT, String(limit), REMAINING, String(remaining), RESET, String(reset)];
  }

  get text(): string {
    const { limit, remaining, reset } = this.headers;
    return `${LIMIT}: ${limit}\r\n${REMAINING}: ${remaining}\r\n${RESET}: ${reset}\r\n`;
  }
}

export const limitHeaders = (headers: RateLimitHeaders): HeaderBlock => new LimitHeaders(headers);
