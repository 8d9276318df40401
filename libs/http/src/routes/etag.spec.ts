import { describe, expect, it } from '@jest/globals';
import { asksForAbsence, etagOf, requireMatch } from './etag.ts';

describe('If-Match', () => {
  it.each([undefined, '*', ' * ', '"7"', '"6", "7"', 'W/"7","7"'])('%p allows a change at version 7', (header) => {
    expect(() => requireMatch(header, 7)).not.toThrow();
  });

  it.each(['"6"', 'W/"7"', '"77"', '"x"'])('%p is stale at version 7', (header) => {
    expect(() => requireMatch(header, 7)).toThrow(expect.objectContaining({ kind: 'stale', code: 'version_stale' }));
  });

  it.each(['7', '', '"7', '"7",', 'W/7'])('%p is not an entity tag', (header) => {
    expect(() => requireMatch(header, 7)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'invalid_if_match' }));
  });

  it('accepts the tags that services return', () => expect(() => requireMatch(etagOf(12), 12)).not.toThrow());
});

describe('If-None-Match of a change', () => {
  it.each([
    [undefined, false],
    ['*', true],
    [' * ', true],
  ])('%p only makes a resource: %p', (header, isOnly) => expect(asksForAbsence(header)).toBe(isOnly));

  it.each(['', '"7"', 'W/"7"', '*, "7"'])('%p is refused', (header) => {
    expect(() => asksForAbsence(header)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'invalid_if_none_match' }));
  });
});
