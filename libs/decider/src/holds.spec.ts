import { describe, expect, it } from '@jest/globals';
import { endsHold, MOST_HOLDS, NO_HOLDS, onHold, placesHold, Refusal, withHold, withoutHold } from './index.ts';

const withHoldOne = withHold(NO_HOLDS, 'h1');

describe('holds', () => {
  it('are placed once', () => expect([placesHold(NO_HOLDS, 'h1'), placesHold(withHoldOne, 'h1')]).toEqual([true, false]));
  it('end once', () => expect([endsHold(withHoldOne, 'h1'), endsHold(withoutHold(withHoldOne, 'h1'), 'h1')]).toEqual([true, false]));
  it('end independently of each other', () => expect(withoutHold(withHold(withHoldOne, 'h2'), 'h1').on).toEqual(['h2']));
  it('are not placed again after their end', () => expect(placesHold(withoutHold(withHoldOne, 'h1'), 'h1')).toBe(false));
  it('are not placed after an end that arrived first', () => {
    expect(endsHold(NO_HOLDS, 'h1')).toBe(true);
    expect(placesHold(withoutHold(NO_HOLDS, 'h1'), 'h1')).toBe(false);
  });
  it('have a limit', () => {
    const full = Array.from({ length: MOST_HOLDS }, (_, nth) => `h${nth}`).reduce(withHold, NO_HOLDS);
    expect((placesHold(full, 'one more') as Refusal).code).toBe('too_many_holds');
    expect(placesHold(full, 'h0')).toBe(false);
    expect(placesHold(withoutHold(full, 'h0'), 'one more')).toBe(true);
  });
  it('are named only to administrators', () => {
    expect(onHold(['h1', 'h2'], true).message).toContain('h1');
    expect(onHold(['h1'], false).message).not.toContain('h1');
  });
});
