import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PageTokens } from './page-token.ts';

const tokens = new PageTokens(Buffer.alloc(32, 1));
const query = { path: '/bots', starred: true, user: 'u1' };
const refused = expect.objectContaining({ kind: 'invalid', code: 'invalid_next_token' });

describe('page tokens', () => {
  it('return the cursor to the query that they were made for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (cursor) => {
        const expected = JSON.parse(JSON.stringify(cursor)) as unknown;
        expect(tokens.open(query, tokens.seal(query, cursor))).toEqual(expected);
      }),
    );
  });

  it('ignore the order of parameters, and absent parameters', () => {
    expect(tokens.open({ user: 'u1', starred: true, path: '/bots', kind: undefined }, tokens.seal(query, ['a', 1]))).toEqual(['a', 1]);
  });

  it('are refused with another query and with another key', () => {
    const token = tokens.seal(query, 'b');
    expect(() => tokens.open({ ...query, user: 'u2' }, token)).toThrow(refused);
    expect(() => tokens.open({ path: '/bots', starred: true }, token)).toThrow(refused);
    expect(() => new PageTokens(Buffer.alloc(32, 2)).open(query, token)).toThrow(refused);
  });

  it('are refused if any character was changed, added or removed', () => {
    const token = tokens.seal(query, { after: '01J00000000000000000000000' });
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(() => tokens.open(query, token.slice(0, at) + other + token.slice(at + 1))).toThrow(refused);
    }
    for (const changed of [`${token}A`, `${token}=`, token.slice(1), token.slice(0, -1), '', 'x', '../', 'A'.repeat(5000)]) {
      expect(() => tokens.open(query, changed)).toThrow(refused);
    }
  });
});
