import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withMembers } from './with-members.ts';

const changed = async (json: string, values: Readonly<Record<string, string>>) => (await withMembers(Buffer.from(json), values)).toString();

describe('a JSON object with other values of some members', () => {
  it('keeps all other bytes', async () => {
    const values = { id: '"b"', store: 'true' };
    expect(await changed('{ "x": 1.0, "id":"a" }', values)).toBe('{"store":true, "x": 1.0, "id":"b" }');
    expect(await changed('{"store":false,"id":"a"}', values)).toBe('{"store":true,"id":"b"}');
  });
  it.each(['{}', ' { } '])('may have had no members (%j)', async (json) =>
    expect(JSON.parse(await changed(json, { id: '"b"', store: 'true' }))).toEqual({ id: 'b', store: true }),
  );
  it('is what a parser would make of it', () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), async (before, values) => {
        const inJson = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect(JSON.parse(await changed(JSON.stringify(before), inJson))).toEqual(plain({ ...before, ...values }));
      }),
    ));
  it.each(['[]', '"text"', '', '{"a":1'])('is refused for bytes that are no object (%j)', async (json) =>
    expect(changed(json, { id: '1' })).rejects.toMatchObject({ code: 'malformed_body' }),
  );
});
