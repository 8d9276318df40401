import type { Publication } from '@parlance/client/types';
import { bodyOf, limitsOf, NEW_LIMITS } from './limits.ts';

const publication = {
  allowed_origins: ['https://example.org', 'https://example.com'],
  quota: { limit: 500, offset: 20, period: 'WEEK' },
  throttle: { rate_limit: 2.5, burst_limit: 10 },
} as unknown as Publication;

describe('the limits of a publication', () => {
  it('are sent as they were read if nothing changes', () =>
    expect(bodyOf(limitsOf(publication))).toEqual({
      allowed_origins: ['https://example.org', 'https://example.com'],
      quota: { limit: 500, offset: 20, period: 'WEEK' },
      throttle: { rate_limit: 2.5, burst_limit: 10 },
    }));

  it('remove the quota with null', () => expect(bodyOf({ ...limitsOf(publication), hasQuota: false }).quota).toBeNull());

  it('have no origin before one is written', () => expect(bodyOf(NEW_LIMITS).allowed_origins).toEqual([]));
});
