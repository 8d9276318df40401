import { describe, expect, it } from '@jest/globals';
import { legibleName } from './legible.ts';

describe('a user name from an identity provider', () => {
  it.each([
    ['Ann\u202egpj.exe', 'Anngpj.exe'],
    ['\u2067Ann\u2069', 'Ann'],
    ['\u200fדנה\u200e', 'דנה'],
    ['Ann\r\nExample', 'Ann Example'],
    ['\u202e\u2066', ''],
    ['M\u00fcller', 'M\u00fcller'],
  ])('cannot change the text direction and has no control characters: %j', (provided, shown) => expect(legibleName(provided)).toBe(shown));
});
