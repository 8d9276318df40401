import { describe, expect, it } from '@jest/globals';
import { FailedCall } from './failed-call.ts';

describe('the path of a failed call', () => {
  it.each([
    ['/bot/7?secret=1', '/bot/7'],
    ['/shared/the-token?limit=1', '/shared/…'],
    ['/shared/the-token/files/0.0.0', '/shared/…/files/0.0.0'],
  ])('has no secret of %s', (url, path) => expect(new FailedCall('inference', 'GET', url, null).path).toBe(path));
});
