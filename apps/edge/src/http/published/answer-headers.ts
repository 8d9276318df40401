import type { HeaderList } from '@parlance/http';
import type { RateLimitHeaders } from './api-limits.ts';

export const limitHeaders = ({ limit, remaining, reset }: RateLimitHeaders): HeaderList => [
  'x-ratelimit-limit',
  String(limit),
  'x-ratelimit-remaining',
  String(remaining),
  'x-ratelimit-reset',
  String(reset),
];
