import { describe, expect, it } from '@jest/globals';
import { exhaustedMillis } from './rate-limits.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const openai = (remaining: string, reset: string) =>
  exhaustedMillis({ 'x-ratelimit-remaining-requests': remaining, 'x-ratelimit-reset-requests': reset }, now);

describe('the limits in headers of a provider', () => {
  it.each([
    ['20ms', 20],
    ['1s', 1_000],
    ['7.66s', 7_660],
    ['6m0s', 360_000],
    ['2m59.56s', 179_560],
    ['1h0m0s', 3_600_000],
    ['30', 30_000],
    [String(now / 1_000 + 9), 9_000],
    ['2026-11-29T12:00:45Z', 45_000],
    ['2026-11-29T11:00:00Z', 0],
    // At most an hour is believed.
    ['5d', 3_600_000],
    ['soon', 0],
    ['', 0],
    ['1s'.repeat(1_000), 0],
    ['-5', 0],
  ])('start again after %s', (reset, millis) => expect(openai('0', reset)).toBe(millis));

  it('count only if nothing is left', () => {
    expect([openai('1', '1s'), openai('', '1s'), openai('none', '1s'), openai('-1', '1s')]).toEqual([0, 0, 0, 1_000]);
    expect(exhaustedMillis({ 'x-ratelimit-remaining-requests': '0' }, now)).toBe(0);
  });
  it('may be those of Anthropic, of which the latest one counts', () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-29T12:00:01Z',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-29T12:00:09Z',
      'anthropic-ratelimit-tokens-remaining': '8000',
      'anthropic-ratelimit-tokens-reset': '2026-11-29T12:01:00Z',
    };
    expect(exhaustedMillis(headers, now)).toBe(9_000);
  });
});
