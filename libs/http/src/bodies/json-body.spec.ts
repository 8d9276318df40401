import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import fc from 'fast-check';
import { Builder, IN_ONE_TURN, parseJson, readJson } from './json-body.ts';
import { LONGEST_NAME, LONGEST_NUMBER, MOST_VALUES } from './json-limits.ts';
import { JsonReader } from './json-reader.ts';

const refused = expect.objectContaining({ kind: 'invalid', code: 'malformed_body' });

/** Reads any text in slices, even a short one, and decodes strings in pieces of three bytes. */
function readInSlices(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuse('invalid', 'malformed_body', 'The body is not UTF-8.');
  const builder = new Builder();
  const reader = new JsonReader(bytes, builder, 3);
  while (!reader.run(0));
  return builder.root;
}

const outcome = (read: () => unknown): unknown => {
  try {
    return { read: read() };
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe.each([
  ['in one step', parseJson],
  ['in slices', readInSlices],
])('a JSON body, read %s,', (_how, read) => {
  it('is read as JSON.parse reads it, for any content', () => {
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
        expect(read(Buffer.from(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it.each([
    ['that is incomplete', '{"a":'],
    ['with something after it', '{} {}'],
    ['with only white space', '  '],
    ['with NaN', '{"a":NaN}'],
    ['with a number past doubles', '[1, 1e309]'],
    ['with a number past doubles in digits', `[${'9'.repeat(400)}]`],
    ['with NUL in a text', '{"a":"b\\u0000"}'],
    ['with NUL in a name', '{"a\\u0000":"b"}'],
    ['with a bare NUL', '{"a":"b\0"}'],
    ['with half of a surrogate pair', '{"a":"\\ud800"}'],
    ['with __proto__', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['with an escaped __proto__', '{"\\u005f_proto__":{}}'],
    ['with constructor', '{"constructor":{"prototype":{}}}'],
    ['with one name twice', '{"a":1,"b":2,"a":1}'],
    ['with one name twice, once escaped', '{"a" : 1, "\\u0061":"\\""}'],
    ['with one name twice, in a nested object', '[{"b":{"a":"x\\\\","a":""}}]'],
    ['nested too deep', '['.repeat(66) + ']'.repeat(66)],
    ['nested absurdly deep', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('%s is refused', (_, json) => {
    expect(() => read(Buffer.from(json))).toThrow(refused);
  });

  it('that is not UTF-8 is refused', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xfe, 0xff, 0, 0x31],
    ]) {
      expect(() => read(Buffer.from(bytes))).toThrow(refused);
    }
  });

  it('may have colons, quotes and backslashes in its strings', () => {
    const value = { 'a:"\\': [':', '":', '\\', '\\"', '', '\\\\":'], b: '"a":1' };
    expect(read(Buffer.from(JSON.stringify(value)))).toEqual(value);
  });
});

describe('a JSON body', () => {
  it('gives the same value or refusal in one step and in slices, after any mutation', () => {
    const bytes = fc
      .tuple(fc.json(), fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\u0 e1-.tfnn\n\0é'), fc.boolean())))
      .map(([json, changes]) => {
        let text = json;
        for (const [place, character, replaces] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + character + text.slice(at + Number(replaces));
        }
        return Buffer.from(text);
      });
    fc.assert(
      fc.property(bytes, (its) => expect(outcome(() => readInSlices(its))).toEqual(outcome(() => parseJson(its)))),
      { numRuns: 500 },
    );
  });

  const large = (json: string) => Buffer.from(json + ' '.repeat(IN_ONE_TURN));
  it.each([
    ['a text of a megabyte', JSON.stringify({ a: 'x'.repeat(1 << 20) })],
    ['a text of escapes', `["${'\\u00e9\\"'.repeat(100_000)}"]`],
    ['a text of surrogate pairs', `["${'\\ud83d\\ude00'.repeat(50_000)}"]`],
    ['a text of multi-byte characters', JSON.stringify({ é: 'a漢😀'.repeat(100_000) })],
    ['the maximum number of values', JSON.stringify(Array(MOST_VALUES).fill(0))],
  ])('may be large: %s', async (_, json) => expect(await readJson(large(json))).toEqual(JSON.parse(json)));

  it.each([
    ['too many items', `[${'0,'.repeat(MOST_VALUES)}0]`],
    ['too many members', `{${Array.from({ length: MOST_VALUES + 1 }, (_, nth) => `"${nth}":0`).join()}}`],
    ['too many values in total', `[${'[[]],'.repeat(MOST_VALUES / 2)}0]`],
    ['a number of too many digits', `[1.${'0'.repeat(LONGEST_NUMBER)}]`],
    ['a text without an end', `["${'x'.repeat(1 << 20)}`],
    ['half of a surrogate pair, far from its beginning', `["${'x'.repeat(1 << 20)}\\ud83d"]`],
    ['a name twice, far apart', `{"a":0,"b":"${'x'.repeat(1 << 20)}","a":0}`],
  ])('with %s is refused', async (_, json) => {
    await expect(readJson(large(json))).rejects.toEqual(refused);
  });

  it.each([0, IN_ONE_TURN])('with a name that is too long is refused (%i bytes more)', async (more) => {
    await expect(readJson(Buffer.from(`{"${'x'.repeat(LONGEST_NAME + 1)}":0}${' '.repeat(more)}`))).rejects.toEqual(refused);
    expect(await readJson(Buffer.from(`{"${'x'.repeat(LONGEST_NAME)}":0}${' '.repeat(more)}`))).toBeDefined();
  });

  it('is read over several turns of the event loop', async () => {
    let [turned, reading] = [0, true];
    const turn = () => {
      turned += 1;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    await readJson(Buffer.from(JSON.stringify('x'.repeat(16 << 20))));
    reading = false;
    expect(turned).toBeGreaterThan(2);
  });
});
