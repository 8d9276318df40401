import { describe, expect, it } from '@jest/globals';
import { ImportFault } from './import-fault.ts';
import { BoundedJson } from './json-bounds.ts';
import { DEEPEST, MOST_VALUES } from './limits.ts';

const parsed = (text: string | Buffer, json = new BoundedJson()) => json.parse(Buffer.from(text as string), 'The body');
const fault = (parse: () => unknown): unknown => {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ImportFault) return [error.code, error.message];
    throw error;
  }
};
const nested = (levels: number, [open, close] = ['[', ']']) => open!.repeat(levels) + close!.repeat(levels);
/** A list that counts as one value, and one more for each comma. */
const listOf = (commas: number) => `[0${',0'.repeat(commas)}]`;
const tooDeep = ['invalid_import', `The body is nested deeper than ${DEEPEST} levels.`];
const tooLarge = ['import_too_large', `The import has more than ${MOST_VALUES} values. Split it into several files.`];

describe('JSON of an import', () => {
  it('is parsed with and without a byte order mark', () => {
    for (const mark of ['', '\uFEFF']) expect(parsed(`${mark}{"a":["ä",null,1.5]}`)).toEqual({ a: ['ä', null, 1.5] });
  });
  it('is refused if it is not UTF-8, or not JSON', () => {
    expect(fault(() => parsed(Buffer.from([0x22, 0xff, 0x22])))).toEqual(['invalid_import', 'The body is not UTF-8.']);
    for (const text of ['', '{', '"open', '"open\\', ']', '\uFEFF\uFEFF1'])
      expect(fault(() => parsed(text))).toEqual(['invalid_import', 'The body is not JSON.']);
  });
  it('may be as deep as the limit, and no deeper', () => {
    expect(Array.isArray(parsed(nested(DEEPEST)))).toBe(true);
    expect(fault(() => parsed(nested(DEEPEST + 1)))).toEqual(tooDeep);
    const object = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(parsed(object(DEEPEST))).toHaveProperty('a');
    expect(fault(() => parsed(object(DEEPEST + 1)))).toEqual(tooDeep);
  });
  it('ignores siblings and brackets in texts for its depth', () => {
    const beside = [...Array.from({ length: DEEPEST + 1 }, () => '[{}]'), JSON.stringify(`\\"${nested(DEEPEST + 1)}`), '"\\\\"'];
    expect(parsed(`[${beside.join()}]`)).toHaveLength(beside.length);
  });
  it('handles escaped quotes', () => {
    expect(fault(() => parsed(`["\\\\",${nested(DEEPEST)}]`))).toEqual(tooDeep);
    expect(fault(() => parsed(`["\\"",${nested(DEEPEST)}]`))).toEqual(tooDeep);
  });
  it('may have as many values as the limit in all files of an import, and no more', () => {
    const json = new BoundedJson();
    expect(parsed(listOf(MOST_VALUES - 2), json)).toHaveLength(MOST_VALUES - 1);
    expect(parsed(JSON.stringify(','.repeat(9)), json)).toHaveLength(9);
    expect(parsed('[]', json)).toEqual([]);
    expect(fault(() => parsed('{}', json))).toEqual(tooLarge);
  });
});
