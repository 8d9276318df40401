import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from './json-body.ts';

const refused = expect.objectContaining({ kind: 'invalid', code: 'malformed_body' });

describe('a JSON body', () => {
  it('is read as JSON.parse reads it, whatever it holds', () => {
    const text = fc.string({ unit: 'binary' }).filter((its) => !its.includes('\0') && its.isWellFormed());
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 5 }, text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), tie('list'), tie('map')),
      list: fc.array(tie('node')),
      map: fc.dictionary(
        text.filter((name) => name !== '__proto__' && name !== 'constructor'),
        tie('node'),
      ),
    })).node;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, '\t'), (wanted, space) => {
        const json = JSON.stringify(wanted, null, space);
        expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it.each([
    ['that is none', '{"a":'],
    ['with something behind', '{} {}'],
    ['with nothing in it but space', '  '],
    ['with NaN', '{"a":NaN}'],
    ['with a number past doubles', '[1, 1e309]'],
    ['with such a number in digits', `[${'9'.repeat(400)}]`],
    ['with NUL in a text', '{"a":"b\\u0000"}'],
    ['with NUL in a name', '{"a\\u0000":"b"}'],
    ['with a bare NUL', '{"a":"b\0"}'],
    ['with half of a surrogate pair', '{"a":"\\ud800"}'],
    ['with __proto__', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['with __proto__ in disguise', '{"\\u005f_proto__":{}}'],
    ['with constructor', '{"constructor":{"prototype":{}}}'],
    ['with one name twice', '{"a":1,"b":2,"a":1}'],
    ['with one name twice in disguise', '{"a" : 1, "\\u0061":"\\""}'],
    ['with one name twice, deep', '[{"b":{"a":"x\\\\","a":""}}]'],
    ['nested too deep', '['.repeat(66) + ']'.repeat(66)],
    ['nested absurdly deep', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('%s is refused', (_, json) => {
    expect(() => parseJson(Buffer.from(json))).toThrow(refused);
  });

  it('that is not UTF-8 is refused', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xfe, 0xff, 0, 0x31],
    ]) {
      expect(() => parseJson(Buffer.from(bytes))).toThrow(refused);
    }
  });

  it('may hold colons, quotes and backslashes in its texts', () => {
    const value = { 'a:"\\': [':', '":', '\\', '\\"', '', '\\\\":'], b: '"a":1' };
    expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual(value);
  });
});
