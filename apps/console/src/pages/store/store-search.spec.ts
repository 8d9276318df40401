import { describe, expect, it } from '@jest/globals';
import { storeSearch } from './store-search.ts';

describe('the address of the store', () => {
  it('has a search with the position in its results', () =>
    expect(storeSearch({ q: ' tax ', token: 't' })).toEqual({ q: 'tax', token: 't' }));
  it('accepts a number as a search', () => expect(storeSearch({ q: 2024 })).toEqual({ q: '2024' }));
  it('cuts a search that is too long for the server', () => expect(storeSearch({ q: 'a'.repeat(300) }).q).toHaveLength(200));
  it('has one of the lists', () => expect(storeSearch({ list: 'popular', token: 't' })).toEqual({ list: 'popular', token: 't' }));
  it('leaves out unknown values', () => expect(storeSearch({ list: 'newest', token: 't', q: '', other: 1 })).toEqual({}));
});
